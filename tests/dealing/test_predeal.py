"""What a predeal refuses, reads and counts."""

from __future__ import annotations

import time
from math import comb, factorial

import pytest

from dealerkit import ArgumentError, DealerkitError, PredealError
from dealerkit.cards.text import read_hand
from dealerkit.dealing import Predeal
from dealerkit.dealing.classic import ClassicV1, ClassicV2
from dealerkit.dealing.uniform import deal_range

REFUSED = {
    "a card twice": (Predeal(((0, 0, 12), (2, 0, 12))), "SA is predealt to north and to south"),
    "a card twice to one": (Predeal(((1, 3, 0), (1, 3, 0))), "C2 is predealt twice to east"),
    "fourteen cards": (
        Predeal(tuple((3, 0, r) for r in range(13)) + ((3, 1, 0),)),
        "14 cards are predealt to west",
    ),
    "no such card": (Predeal(((0, 4, 0),)), "no card"),
    "no such seat": (Predeal((), ((4, 0, 5),)), "no seat"),
    "length above 13": (Predeal((), ((0, 0, 14),)), "from 0 to 13"),
    "length below 0": (Predeal((), ((0, 0, -1),)), "from 0 to 13"),
    "two lengths": (Predeal((), ((0, 0, 7), (0, 0, 6))), r"spades\(north\) is predealt as 7 and as 6"),
    "more cards than length": (Predeal(((0, 1, 12), (0, 1, 11)), ((0, 1, 1),)), "2 hearts are predealt"),
    "a suit of more than 13": (Predeal((), ((0, 0, 7), (1, 0, 7))), "lengths of spades add up to 14"),
    "a suit of fewer": (Predeal((), tuple((seat, 2, 3) for seat in range(4))), "diamonds add up to 12"),
    "a hand of more than 13": (Predeal((), ((2, 0, 7), (2, 1, 7))), "lengths of south add up to 14"),
    "a hand of fewer": (Predeal((), tuple((2, suit, 3) for suit in range(4))), "of south add up to 12"),
    "two whole suits for one hand": (
        Predeal((), tuple((seat, suit, 0) for seat in range(3) for suit in (0, 1))),
        "together",
    ),
    "cards against lengths": (Predeal(tuple((0, 0, r) for r in range(12)), ((1, 0, 2),)), "together"),
    "a full hand against a length": (Predeal(tuple((0, 0, r) for r in range(13)), ((0, 1, 1),)), "together"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_an_impossible_predeal_raises_an_error(case):
    predeal, message = REFUSED[case]
    began = time.process_time()
    with pytest.raises(PredealError, match=message):
        predeal.check()
    with pytest.raises(PredealError, match=message):
        deal_range(1, 0, 10, predeal=predeal)
    assert time.process_time() - began < 2
    assert issubclass(PredealError, ValueError)


def test_lengths_that_meet_their_limits_are_dealt():
    predeal = Predeal((), tuple((seat, seat, 13) for seat in range(4)))
    predeal.check()
    assert predeal.n_deals == 1
    assert (
        deal_range(1, 0, 3, predeal=predeal).tolist()
        == [[0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]] * 3
    )


def test_the_number_of_deals():
    assert Predeal().n_deals == 53_644_737_765_488_792_839_237_440_000  # E13
    length = Predeal.from_mapping({"west": {"spades": 7}})
    assert length.n_deals == comb(13, 7) * comb(39, 6) * factorial(39) // factorial(13) ** 3
    both = Predeal.from_mapping({"north": "SAKQ,H5", "west": {"spades": 7}})
    assert both.n_deals == comb(10, 7) * comb(38, 6) * factorial(35) // (factorial(9) * factorial(13) ** 2)
    same = Predeal.from_mapping({"w": ["SA", {"s": 7}], "North": {"H": 0, "spades": 6}})
    # all spades are west's and north's; north takes 7 of 26 minor cards, west 6 of the other 32 cards
    assert same.n_deals == comb(12, 6) * comb(26, 7) * comb(32, 6) * comb(26, 13)


def test_mappings():
    cards = ((0, 0, 12), (0, 0, 11), (0, 0, 10), (0, 1, 3))
    assert Predeal.from_mapping({"north": "SAKQ,H5"}).cards == cards
    assert Predeal.from_mapping({"N": "AKQ.5.."}).cards == cards
    assert Predeal.from_mapping({"N": "AKQ 5 - -"}).cards == cards
    assert Predeal.from_mapping({"north": "h5 sqka"}).cards == (cards[3], cards[2], cards[1], cards[0])
    assert Predeal.from_mapping({"north": ["SAKQ", "H5"]}).cards == cards
    assert Predeal.from_mapping({"north": ["S10", {"club": 3}]}) == Predeal(((0, 0, 8),), ((0, 3, 3),))
    assert Predeal.from_mapping({"east": "S"}).cards == ()  # an empty holding predeals nothing
    assert Predeal.from_mapping({"N": "SAK+,HA"}) == Predeal.from_mapping({"N": "SAK,HA"})  # at least these
    assert Predeal.from_mapping({"N": "AK+.5.."}) == Predeal.from_mapping({"N": "AK.5.."})
    assert not Predeal() and Predeal.from_mapping({"east": {"spades": 0}})


@pytest.mark.parametrize("void", ["-", "--", "\u2013", "\u2014", "void", "Void"])
def test_a_void_is_predealt_by_its_sign(void):
    expected = Predeal.from_mapping({"north": ["SAK,HQ", {"clubs": 0}]})
    for text in (f"SAK,HQ,C{void}", f"S AK H Q C {void}", f"\u2660AK \u2665\ufe0eQ \u2663 {void}"):
        assert Predeal.from_mapping({"north": text}) == expected, text
    # A whole hand has the same cards and nothing else in each of its forms.
    whole = Predeal.from_mapping({"north": "KJ7432.QT832..J6"})
    for text in (
        f"KJ7432.QT832.{void}.J6",
        f"KJ7432 Q10832 {void} J6",
        f"KJ7432, QT832, {void}, J6",
        f"S KJ7432 H QT832 D {void} C J6",
        f"S: KJ7432, H: QT832, D: {void}, C: J6",
    ):
        assert Predeal.from_mapping({"north": text}) == whole, text
        assert read_hand(text) == whole.masks[0]


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"nrth": "SA"}, "did you mean 'north'"),
        ({"north": {"spade5": 5}}, "unknown suit"),
        ({"north": "XA"}, "suit letter"),
        ({"north": "AKQ 5 32"}, "'AKQ' in 'AKQ 5 32': .* a whole hand has dots, spades first"),
        ({"north": "SA1"}, "is not a rank"),
        ({"north": "SAxx+"}, "at least these cards"),
        ({"north": "S+"}, r"SAK\+"),
        ({"north": ["SAxx", {"spades": 5}]}, r"as 3 and as 5; an x .* no other spades; SA\+ means at least"),
        ({"north": ["SAxx", "SK"]}, r"but 4 spades .* an x .* SAK\+"),
        ({"north": ["SAxx", "SKx"]}, r"described twice; .* an x .* SAK\+"),
        ({"north": "A.K.Q"}, "four suits"),
        ({"north": "SA", "south": "SA"}, "SA is predealt to north and to south"),
    ],
)
def test_mappings_that_cannot_be_read(mapping, message):
    with pytest.raises(PredealError, match=message):
        Predeal.from_mapping(mapping)


def test_the_classic_streams_refuse_too():
    for stream in (ClassicV1, ClassicV2):
        with pytest.raises(DealerkitError):
            stream(1, Predeal(((0, 0, 12), (2, 0, 12))))
    for stream in (ClassicV1, ClassicV2):
        with pytest.raises(ArgumentError, match="uniform stream"):
            stream(1, Predeal.from_mapping({"north": "SAxx"}))
