"""All deals with two known hands: which they are, their order, and that results on them are exact.

Expected values come from `itertools.combinations`, binomial coefficients and fractions.
"""

from __future__ import annotations

import pickle
import warnings
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cards.text import format_hands
from dealerkit.dealing import Predeal
from dealerkit.dealing.enumeration import enumerate_deals

NORTH_SOUTH = {"north": "AK32.K54.A32.432", "south": "QJT9.A32.K54.A65"}
# Five known cards each: 16 cards are open, 12,870 deals.
SOME = {**NORTH_SOUTH, "east": "S8,HQJ,DQJ", "west": "HT9,DT9,CK"}
OPEN = ["S7", "S6", "S5", "S4", "H8", "H7", "H6", "D8", "D7", "D6", "CQ", "CJ", "CT", "C9", "C8", "C7"]


def find_cards(hand: str) -> set[str]:
    return {suit + rank for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks}


def list_hands(library: dk.Library, seat: int) -> list[frozenset[str]]:
    hands = format_hands(np.ascontiguousarray(library.deals.hands[:, seat]))
    return [frozenset(find_cards(hand)) for hand in hands]


def list_brute_force(cards: list[str], count: int) -> list[frozenset[str]]:
    return [frozenset(chosen) for chosen in combinations(cards, count)]


# ------------------------------------------------------------ which deals, in which order
def test_the_order_is_that_of_combinations():
    known = {"S8", "HQ", "HJ", "DQ", "DJ"}
    library = dk.all_deals(SOME)
    assert len(library) == library.n_deals == comb(16, 8)
    assert list_hands(library, 1) == [known | chosen for chosen in list_brute_force(OPEN, 8)]


def test_every_deal_is_legal_and_distinct():
    hands = dk.all_deals(SOME).deals.hands
    assert len(np.unique(hands[:, 1])) == comb(16, 8)
    assert (np.bitwise_count(hands) == 13).all()
    assert (np.bitwise_or.reduce(hands, axis=1) == 0x1FFF1FFF1FFF1FFF).all()
    dk.Deals(hands)  # checked again


@pytest.mark.parametrize(
    ("more", "accepts"),
    [
        ({"east": [SOME["east"], {"spades": 3}]}, lambda east: count_suit(east, "S") == 3),
        ({"west": [SOME["west"], {"spades": 3}]}, lambda east: count_suit(east, "S") == 2),
        (
            {"east": [SOME["east"], {"spades": 3, "clubs": 2}], "west": [SOME["west"], {"hearts": 4}]},
            lambda east: [count_suit(east, suit) for suit in "SHC"] == [3, 3, 2],
        ),
        # A small card is below the ten and has no seat by name; with x, the holding is the whole suit.
        ({"east": "S8x,HQJ,DQJ"}, lambda east: count_suit(east, "S") == 2),
        (
            {"east": "S8,HQJ,DQJ,Cxx"},
            lambda east: {"CQ", "CJ", "CT"}.isdisjoint(east) and count_suit(east, "C") == 2,
        ),
        ({"west": "HT9,DT9,CKx"}, lambda east: {"CQ", "CJ", "CT"} <= east and count_suit(east, "C") == 5),
    ],
)
def test_lengths_and_small_cards_reduce_the_deals(more, accepts):
    expected = {frozenset({"S8", "HQ", "HJ", "DQ", "DJ"} | east) for east in list_brute_force(OPEN, 8)}
    expected = {east for east in expected if accepts(east)}
    predeal = {**SOME, **more}
    library = dk.all_deals(predeal)
    east = list_hands(library, 1)
    assert len(east) == len(expected) > 0
    assert set(east) == expected
    assert library.n_deals == Predeal.from_mapping(predeal).n_deals


def count_suit(hand: frozenset[str], suit: str) -> int:
    return sum(card[0] == suit for card in hand)


def test_suits_of_known_length_come_first():
    library = dk.all_deals({**SOME, "east": [SOME["east"], {"hearts": 3}]})
    others = [card for card in OPEN if card[0] != "H"]
    known = {"S8", "HQ", "HJ", "DQ", "DJ"}
    expected = [
        known | {heart} | rest for heart in ("H8", "H7", "H6") for rest in list_brute_force(others, 7)
    ]
    assert list_hands(library, 1) == expected


@pytest.mark.parametrize(
    ("seats", "open_seats"), [("ns", "east and west"), ("ew", "north and south"), ("nw", "east and south")]
)
def test_any_two_hands_may_be_known(seats, open_seats):
    predeal = dict(zip(seats, NORTH_SOUTH.values(), strict=True))
    library = dk.all_deals(predeal)
    assert repr(library) == f"<Library: 10,400,600 deals of all layouts of {open_seats}>"
    hands = [find_cards(hand) for hand in format_hands(np.asarray(library[5_200_300:][:1].deals.hands)[0])]
    assert set().union(*hands) == {suit + rank for suit in "SHDC" for rank in "23456789TJQKA"}
    for seat, hand in predeal.items():
        assert hands["nesw".index(seat)] == find_cards(hand)
    first, second = (
        next(iter(library[k : k + 1].deals.hands))["nesw".index(open_seats[0])] for k in (0, -1 % 10_400_600)
    )
    assert int(first) & int(second) == 0  # the highest 13 of 26 cards, then the lowest


def test_three_and_four_known_hands():
    whole = {**NORTH_SOUTH, "east": "8765.QJT.QJT9.KQ"}
    (deal,) = dk.all_deals(whole)
    assert str(deal) == "N:AK32.K54.A32.432 8765.QJT.QJT9.KQ QJT9.A32.K54.A65 4.9876.876.JT987"
    assert list(dk.all_deals({**whole, "west": "4.9876.876.JT987"})) == [deal]


@pytest.mark.parametrize(
    ("predeal", "message"),
    [
        (
            {},
            "leaves 4 hands open, north, east, south and west, in 5.36447e28 deals; predeal all 13 cards of two",
        ),
        ({"north": NORTH_SOUTH["north"]}, "leaves 3 hands open, east, south and west"),
        ({**NORTH_SOUTH, "south": "QJT9.A32.K54.Axx"}, "leaves 3 hands open"),
        ({**NORTH_SOUTH, "east": "SA"}, "SA is predealt to north and to east"),
        ({**NORTH_SOUTH, "east": {"spades": 6}}, "no deal complies|add up"),
    ],
)
def test_predeals_that_cannot_be_enumerated(predeal, message):
    with pytest.raises(dk.PredealError, match=message):
        dk.all_deals(predeal)


# ------------------------------------------------------------ exact results
def share_of_break(missing: int, most: int, vacant: int = 13) -> Fraction:
    """The probability that `missing` cards are split so that a hand has `most` of them."""
    ways = {
        held: comb(missing, held) * comb(2 * vacant - missing, vacant - held) for held in range(missing + 1)
    }
    return Fraction(
        sum(n for held, n in ways.items() if max(held, missing - held) == most), comb(2 * vacant, vacant)
    )


def test_breaks_with_known_cards_are_exact():
    result = dk.run(
        'action frequency "break" (max(spades(east) - 1, spades(west)), 0, 4), average hcp(east), average spades(east) == 3',
        source=dk.all_deals(SOME),
    )
    table, points, share = result.reports
    for most in range(5):
        assert table.counts[most + 1] == share_of_break(4, most, 8) * comb(16, 8)
    assert table.shares.se.max() == 0 and (table.shares.lo == table.shares.hi).all()
    assert table.exact.tolist() == table.shares.share.tolist()
    # East has 6 points, and half of the 3 of queen and jack of clubs.
    assert points.mean.exact and points.mean.se == 0 and points.mean.fraction == 6 + Fraction(3, 2)
    assert share.mean.fraction == Fraction(comb(4, 2) * comb(12, 6), comb(16, 8))
    assert result.probability.fraction == 1
    assert "12,870 deals, exact" in result.text and "interval" not in result.text


def test_the_standard_deviation_is_that_of_all_deals():
    (report,) = dk.run("action average spades(east)", source=dk.all_deals(SOME)).reports
    variance = sum(
        Fraction(comb(4, held) * comb(12, 8 - held), comb(16, 8)) * (held - 2) ** 2 for held in range(5)
    )
    assert report.sd == pytest.approx(float(variance) ** 0.5, rel=1e-12)
    single = dk.all_deals({**NORTH_SOUTH, "east": "8765.QJT.QJT9.KQ"})
    result = dk.run("action average hcp(east)", source=single)
    assert result.reports[0].sd == 0 and result.reports[0].mean.fraction == 11
    assert "exact, 1 deal," in result.text


@pytest.mark.slow
@pytest.mark.parametrize("lengths", [(5, 6, 7, 8), (2, 3, 8, 13), (4, 3, 6, 13)])
def test_tables_of_breaks(lengths):
    """The break tables of the textbooks: three two 67.83 %, four two 48.45 % ..."""
    suits = ("spades", "hearts", "diamonds", "clubs")
    known = [
        suit + rank for suit, n in zip("SHDC", lengths, strict=True) for rank in "AKQJT98765432"[: 13 - n]
    ]
    north_south = {"north": ",".join(known[:13]), "south": ",".join(known[13:])}
    script = "action " + ", ".join(f"frequency (max({suit}(east), {suit}(west)), 0, 13)" for suit in suits)
    result = dk.run_script(script, dk.RunOptions(predeal=north_south, source="all"))
    assert result.produced == comb(26, 13)
    for missing, report in zip(lengths, result.reports, strict=True):
        for most in range(14):
            assert Fraction(int(report.counts[most + 1]), result.produced) == share_of_break(missing, most)
    if lengths[0] == 5:
        assert [f"{100 * share:.2f}" for share in result.reports[0].shares.share[4:7]] == [
            "67.83",
            "28.26",
            "3.91",
        ]
        assert f"{100 * result.reports[1].shares.share[5]:.2f}" == "48.45"


def test_vacant_places():
    """Who has six of the seven hearts has the queen of spades with 7/(7 + 12), the vacant places."""
    north_south = {"north": "AK32.K54.A32.432", "south": "JT94.A32.K54.A65"}
    predeal = {**north_south, "east": ["HQ,S8,DQJT,C9", {"hearts": 6}], "west": "CKQJ"}
    script = "condition hascard(east, QS) action average hcp(west)"
    probability = dk.run(script, source=dk.all_deals(predeal)).probability
    # East lacks 13 - 6 hearts - 5 named cards = 2 cards; west 13 - 1 heart - 3 named cards = 9.
    assert probability.exact and probability.fraction == Fraction(2, 2 + 9)


def test_restricted_choice():
    """Queen, jack and two small ones are missing, west has played the queen: alone or from both honours."""
    north_south = {"north": "AKT98.K54.A32.32", "south": "5432.A32.K54.A65"}
    predeal = {**north_south, "east": "HQJT,DQJT", "west": "H98,D98,CKQ"}
    conditions = (
        "hascard(west, QS) and spades(west) == 1",
        "hascard(west, QS) and hascard(west, JS) and spades(west) == 2",
    )
    alone, both = (
        dk.run_script(
            f"condition {condition} action average hcp(west)", dk.RunOptions(source="all", predeal=predeal)
        ).produced
        for condition in conditions
    )
    n_other = 26 - 12 - 4  # open cards that are no spades; west lacks 7 cards
    assert (alone, both) == (comb(n_other, 6), comb(n_other, 5))


def test_contracts_are_exact():
    predeal = {**NORTH_SOUTH, "east": "8765.QJT.QJ.K", "west": "4.987.876.JT98"}
    library = dk.all_deals(predeal)
    assert len(library) == comb(5, 3)
    (report,) = dk.run("action evalcontract(NS, z4S, nv)", source=library).reports
    tricks = dk.dd_tricks(library.deals, "spades", "south")
    assert report.made.fraction == Fraction(int((tricks >= 10).sum()), len(library))
    assert report.score.exact and report.frame.se.max() == 0


def test_threads_change_nothing():
    script = "condition hcp(east) > 5 action average hcp(east), frequency (spades(west), 0, 5), printoneline"
    one, two = (
        dk.run(script, source=dk.all_deals(SOME), threads=n, produce=comb(16, 8), statistics=False)
        for n in (1, 2)
    )
    assert one.text == two.text and one.deals.equals(two.deals)


# ------------------------------------------------------------ parts and samples
def test_a_part_in_order_has_no_interval():
    library = dk.all_deals(SOME)
    script = "condition hcp(east) > 5 action average hcp(east), frequency (spades(west), 0, 5)"
    for options in (
        {"source": library, "generate": 500},
        {"source": library, "produce": 500},
        {"source": library[:500]},
    ):
        with pytest.warns(dk.IncompleteWarning, match="a part of all layouts"):
            result = dk.run(script, **options)
        mean, table = result.reports
        for estimate in (mean.mean, result.probability):
            assert not estimate.exact and np.isnan(estimate.se) and np.isinf(estimate.hi)
        assert np.isnan(table.shares.lo).all() and "%, " not in result.text.split("no interval")[0]
        assert "no intervals" in result.text


def test_all_and_samples_do_not_warn():
    library = dk.all_deals(SOME)
    script = "condition hcp(east) > 5 action average hcp(east)"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = dk.run(script, source=library).reports[0].mean
        for same in (library[:], library[::-1], library.where("hcp(east) > 5")):
            assert same.coverage == "all"
            assert dk.run(script, source=same).reports[0].mean.fraction == whole.fraction
        sample = dk.run(script, source=library.sample(2000, seed=1)).reports[0].mean
        assert not sample.exact and sample.se > 0 and abs(sample.value - whole.value) < 4 * sample.se
        random = dk.run("condition rnd(2) action average hcp(east)", source=library, seed=1)
        assert random.reports[0].mean.se > 0 and random.probability.se > 0
        dk.run("action printoneline", source=library, produce=3)


@pytest.mark.filterwarnings("ignore::dealerkit.errors.NothingProducedWarning")
@pytest.mark.filterwarnings("ignore::dealerkit.errors.IncompleteWarning")
def test_long_solving_is_announced():
    impossible = "condition hcp(east) > 20 and dds(south, spades) == 13"
    with pytest.warns(dk.CostWarning, match=r"up to 10,400,600 deals .* days"):
        dk.run_script(impossible, dk.RunOptions(source=dk.all_deals(NORTH_SOUTH), give_up=0))


def test_all_layouts_are_rejected():
    # East has 6 points; of the open cards only the queen and the jack of clubs count: at most 9.
    library = dk.all_deals(SOME)
    with pytest.warns(dk.UnsatisfiableWarning, match=r"none of all 12,870 layouts .*: hcp\(east\) > 9$"):
        result = dk.run("condition hcp(east) > 9 action average hcp(east)", source=library)
    assert result.unsatisfiable == ("hcp(east) > 9",)
    with pytest.warns(dk.NothingProducedWarning) as caught:  # the next layouts may meet it
        result = dk.run("condition hcp(east) > 9 action average hcp(east)", source=library, generate=12_869)
    assert not result.unsatisfiable
    assert not any(issubclass(warning.category, dk.UnsatisfiableWarning) for warning in caught)
    assert dk.run("condition hcp(east) > 8 action average hcp(east)", source=library).produced == comb(14, 6)


# ------------------------------------------------------------ as a library, in scripts
def test_it_is_a_library(tmp_path):
    library = dk.all_deals(SOME)
    assert library.tables is None and not library.is_solved
    assert library[-1] == library[[12_869]][0]
    assert library.to_frame(points="hcp(east)").points.mean() == 7.5
    again = pickle.loads(pickle.dumps(library))
    assert again.coverage == "all" and again[77] == library[77]
    library[:50].write(tmp_path / "some.pbn")
    assert dk.read(tmp_path / "some.pbn").deals.hands.tolist() == library[:50].deals.hands.tolist()


@pytest.mark.parametrize("dialect", ["modern", "v1", "v2"])
def test_the_predeal_of_the_script(dialect):
    script = (
        "predeal north SAK32,HK54,DA32,C432 south SQJT9,HA32,DK54,CA65 east S8,HQJ,DQJ west HT9,DT9,CK\n"
        "condition spades(east) == 3 action average hcp(east)"
    )
    result = dk.run(script, source="all", dialect=dialect, seed=2)
    assert (result.generated, result.produced) == (comb(16, 8), comb(4, 2) * comb(12, 6))
    assert result.reports[0].mean.exact
    with pytest.raises(dk.ArgumentError, match="source='all' allows the predeal"):
        dk.run(script, source=dk.all_deals(SOME), dialect=dialect)
    with pytest.raises(dk.ArgumentError, match="swapped"):
        dk.run_script(script, dk.RunOptions(source="all", dialect=dialect, swap=2))


def test_numbers_of_an_enumeration_are_any_rows():
    enumeration = enumerate_deals(Predeal.from_mapping(SOME))
    rows = np.array([7, 12_869, 0, 7])
    assert (enumeration.compute_hands(rows) == dk.all_deals(SOME).deals.hands[rows]).all()
