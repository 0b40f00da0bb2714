"""Predeals with x for small cards: parsed, counted, rejected, and uniform against enumeration."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2, chisquare

import dealerkit as dk
from dealerkit import Deals, PredealError
from dealerkit.dealing import Predeal
from dealerkit.dealing.uniform import deal_range

EXAMPLE = "QTxx.J8x.9x.Q9xx"
WEST = 3


def bit(suit: int, rank: int) -> int:
    return 1 << (48 - 16 * suit + rank)


# ---------------------------------------------------------------- reading
def test_a_holding_with_x_is_the_whole_holding():
    read = Predeal.from_mapping({"west": "SAKxx,H5"})
    assert read.cards == ((WEST, 0, 12), (WEST, 0, 11), (WEST, 1, 3))
    assert read.small == ((WEST, 0, 2),) and read.lengths == ((WEST, 0, 4),)
    for same in ("sakXX h5", "SxxAK,H5", "SAxKx H5"):
        assert sorted(Predeal.from_mapping({"W": same}).cards) == sorted(read.cards)
        assert Predeal.from_mapping({"W": same}).small == read.small
    assert Predeal.from_mapping({"west": ["SAKxx", "H5"]}) == read
    assert Predeal.from_mapping({"west": ["SAKxx,H5", {"spades": 4}]}).n_deals == read.n_deals
    assert read and Predeal((), (), ((0, 0, 0),))
    assert Predeal.from_mapping({"north": "SAK"}).small == ()  # open, as in the language


def test_a_hand_with_dots():
    read = Predeal.from_mapping({"west": EXAMPLE})
    assert [(suit, count) for _, suit, count in read.small] == [(0, 2), (1, 1), (2, 1), (3, 2)]
    assert read.spot_ranks[2] == (0, 1, 2, 3, 4, 5, 6)  # the nine of diamonds is named
    void = Predeal.from_mapping({"north": "AKQJTxxxxx.xxx.."})
    assert void.n_deals == comb(8, 5) * comb(8, 3) * comb(39, 13) * comb(26, 13)
    assert Predeal.from_mapping({"north": "AKQ.5.."}).lengths == ()  # without x a suit stays open


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"west": "QTxx.J8x.9x.Q9x"}, "has 12 cards.*with letters"),
        ({"west": "QTxx.J8x.9x.Q9xxx"}, "has 14 cards"),
        ({"west": "Kxxxxx.J8x.9x.Q"}, "has 12 cards"),
        ({"west": "SAKyx"}, "x is a small card"),
        ({"west": "Sxxxxxxxxx"}, "small cards|only 8 spades"),
        ({"west": "S9xxxxxxxx"}, "only 7 spades"),
        ({"west": "Sxxxx", "east": "Sxxxxx"}, "9 small spades .* only 8"),
        ({"west": "Sxxxx", "east": "Sxxxx", "north": "S2"}, "8 small spades .* only 7"),
        ({"west": ["Sxx", "Sxx"]}, "spades of west are described twice"),
        ({"west": ["SAxx", "SK"]}, "west. == 3, but 4 spades"),
        ({"west": ["SAxx", {"spades": 5}]}, "west. == 5, but 3|is predealt as 3 and as 5"),
        ({"west": "SAKQJxx,HAKQJxx,DAKQ"}, "15 cards are predealt to west"),
        ({"west": "SAKxx", "east": "SK"}, "SK is predealt to west and to east"),
        # all hands are described in spades, but some spades remain
        ({"north": "Sxx", "east": "Sxx", "south": "Sxx", "west": "SAKxx"}, "spades add up to 10"),
        # nine spades remain for six places of west
        (
            {"north": "Sxx", "east": "Sxx", "south": "HAKQJT98765432", "west": "DAKQJT98"},
            "together",
        ),
    ],
)
def test_impossible_small_cards_raise_errors(given, words):
    with pytest.raises(PredealError, match=words):
        Predeal.from_mapping(given)
    with pytest.raises(PredealError, match=words):
        dk.deal(3, seed=1, predeal=given)


def test_impossible_small_cards_without_a_text_raise_errors():
    for small in (((0, 0, 9),), ((0, 0, -1),), ((4, 0, 1),), ((0, 4, 1),)):
        with pytest.raises(PredealError, match="no small cards"):
            Predeal((), (), small).check()


# ---------------------------------------------------------------- uniform
def everything_that_complies(named: dict[int, list[tuple[int, int]]], small, lengths=()):
    """All deals, as masks N E S, of the free cards among the seats, by trial.

    A deal complies if each suit described with x holds the named cards and as many others,
    all below the ten, and each demanded length is met.
    """
    owner = {card: seat for seat, cards in named.items() for card in cards}
    free = [(suit, rank) for suit in range(4) for rank in range(13) if (suit, rank) not in owner]
    need = [13 - len(named.get(seat, ())) for seat in range(4)]

    def fits(seat, extra):
        for where, suit, count in small:
            mine = [rank for own, rank in extra if own == suit]
            if where == seat and (len(mine) != count or any(rank > 7 for rank in mine)):
                return False
        return all(
            where != seat or length == sum(own == suit for own, _ in [*extra, *named.get(seat, ())])
            for where, suit, length in lengths
        )

    def choices(seat, cards):
        return [extra for extra in combinations(sorted(cards), need[seat]) if fits(seat, extra)]

    deals = set()
    for north in choices(0, free):
        for east in choices(1, set(free) - {*north}):
            for south in choices(2, set(free) - {*north, *east}):
                west = tuple(set(free) - {*north, *east, *south})
                if fits(3, west):
                    deals.add(tuple(sum(bit(*card) for card in hand) for hand in (north, east, south)))
    return deals


def named_but(free: list[tuple[int, int]], needs: list[int]) -> dict[int, list[tuple[int, int]]]:
    """All cards but `free` dealt out by name in turn, so that the seats lack `needs` cards."""
    cards = [(suit, rank) for rank in range(13) for suit in range(4) if (suit, rank) not in free]
    named: dict[int, list[tuple[int, int]]] = {}
    for seat, need in enumerate(needs):
        named[seat], cards = cards[: 13 - need], cards[13 - need :]
    assert not cards
    return named


SPADES = [(0, rank) for rank in (2, 3, 5, 7, 8, 12)]  # 4 5 7 9, and the ten and the ace
HEARTS = [(1, rank) for rank in (0, 4, 7, 11)]  # 2 6 9, and the king
SMALL_CASES = {
    "one seat": (SPADES + HEARTS[:3], [2, 3, 2, 2], ((0, 0, 2),), ()),
    "two seats want the same spots": (SPADES + HEARTS[:3], [2, 3, 2, 2], ((0, 0, 1), (1, 0, 1)), ()),
    "two suits": (SPADES + HEARTS, [3, 2, 3, 2], ((2, 0, 1), (0, 1, 1), (3, 0, 1)), ()),
    "with lengths of other seats": (
        SPADES + HEARTS, [3, 2, 3, 2], ((2, 0, 2), (0, 1, 1)), ((1, 0), (3, 1)),
    ),
    "a closed suit without small cards": (SPADES + HEARTS[:3], [2, 3, 2, 2], ((0, 0, 0), (3, 0, 1)), ()),
}  # fmt: skip


@pytest.mark.parametrize("case", SMALL_CASES)
def test_all_deals_that_comply_are_equally_likely(case):
    free, needs, small, requested = SMALL_CASES[case]
    named = named_but(free, needs)
    lengths = tuple(
        (seat, suit, 1 + sum(own == suit for own, _ in named[seat])) for seat, suit in requested
    )  # one of the free cards
    expected = everything_that_complies(named, small, lengths)
    predeal = Predeal(tuple((seat, *card) for seat in named for card in named[seat]), lengths, small)
    assert predeal.n_deals == len(expected) > 20
    count = 200 * len(expected)
    hands = deal_range(17, 0, count, predeal=predeal) & ~np.array(predeal.masks, dtype=np.uint64)
    kinds, counts = np.unique(np.ascontiguousarray(hands[:, :3]), axis=0, return_counts=True)
    assert {tuple(kind) for kind in kinds.tolist()} == expected
    assert chisquare(counts).pvalue > 1e-3


def test_a_hand_with_two_small_cards_in_several_suits():
    """West's hand is exact; the choice of spots and what the other hands hold are independent and uniform."""
    count = 400_000
    deals = dk.deal(count, seed=8, predeal={"west": EXAMPLE})
    assert Predeal.from_mapping({"west": EXAMPLE}).n_deals == comb(8, 2) * 7 * 7 * comb(7, 2) * (
        comb(39, 13) * comb(26, 13)
    )
    west = deals.hand("west")
    fixed = sum(bit(*card) for card in ((0, 10), (0, 8), (1, 9), (1, 6), (2, 7), (3, 10), (3, 7)))
    small = west & ~np.uint64(fixed)
    assert (west & np.uint64(fixed) == np.uint64(fixed)).all()
    below_ten = sum(0xFF << shift for shift in (0, 16, 32, 48))
    assert not (small & np.uint64(~below_ten & 2**64 - 1)).any()
    assert deals.where("shape(west, 4324)").hands.shape == (count, 4)
    kinds, counts = np.unique(small, return_counts=True)
    assert len(kinds) == comb(8, 2) * 7 * 7 * comb(7, 2) == 28_812
    assert chisquare(counts).pvalue > 1e-3
    # spades of north are hypergeometric: 9 of the 39 other cards, whatever small spades west holds
    spades = np.bitwise_count(deals.hand("north") >> np.uint64(48))
    choices = (small >> np.uint64(48)).astype(int)
    statistic, cells = 0.0, 0
    for choice in np.unique(choices):
        seen = Counter(spades[choices == choice].tolist())
        for k in range(7):
            expected = count / 28 * comb(9, k) * comb(30, 13 - k) / comb(39, 13)
            statistic, cells = statistic + (seen[k] - expected) ** 2 / expected, cells + 1
    assert 1e-3 < chi2.sf(statistic, cells - 28) < 1 - 1e-3


def test_with_conditions_swapping_and_text():
    given = {"north": "SAKxx", "south": [{"hearts": 5}, "Dxx"]}
    deals = dk.deal(200, seed=3, predeal=given, given="hcp(north) + hcp(south) >= 25")
    assert (deals.eval("spades(north)") == 4).all() and (deals.eval("diamonds(south)") == 2).all()
    assert (deals.eval("hcp(south, diamonds)") == 0).all() and (deals.eval("hearts(south)") == 5).all()
    swapped = deal_range(3, 0, 600, predeal=Predeal.from_mapping(given), swap=3)
    plain = deal_range(3, 0, 100, predeal=Predeal.from_mapping(given))
    assert (swapped[::6] == plain).all()
    text = dk.run_script(
        "predeal south CA produce 50 action printoneline",
        dk.RunOptions(seed=1, predeal=given, statistics=False),
    ).text
    lines = Deals.from_lines(text)
    assert (lines.eval("hascard(south, AC)") == 1).all() and (lines.eval("spades(north)") == 4).all()
