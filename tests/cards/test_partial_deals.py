"""Partial deals: notation, diagrams, completion compared with an enumeration of all layouts."""

from __future__ import annotations

import inspect
import pickle
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare

import dealerkit as dk
from dealerkit.cards.names import FULL_DECK, SEATS
from dealerkit.dealing.predeal import Predeal

LESSON = "N:AKQJ.T98.5432.32 - 765.AKxx.xx.xxxx -"
BITS = [1 << bit for bit in range(64) if FULL_DECK >> bit & 1]


# ---------------------------------------------------------------- notation
@pytest.mark.parametrize(
    ("text", "pbn"),
    [
        (LESSON, LESSON),
        ("s:765.akxx.xx.xxxx - AKQJ.1098.5432.32 ...", LESSON),
        ("- - AKQ...- -", "N:- - AKQ... -"),
        ("N:♠", None),
        ("E:- - - .AKQJT98765432..", "N:.AKQJT98765432.. - - -"),
        (  # the fourth hand is known
            "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 -",
            "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765",
        ),
    ],
)
def test_texts(text: str, pbn: str | None):
    if pbn is None:
        with pytest.raises(dk.DealError, match="not four hands"):
            dk.PartialDeal(text)
        return
    deal = dk.PartialDeal(text)
    assert deal.pbn == pbn == str(deal) and dk.PartialDeal(deal.pbn) == deal
    assert hash(dk.PartialDeal(pbn)) == hash(deal)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N:AK... - A... -", "SA is held by north and south"),
        ("N:AKQJT987.AKQJT9.. - - -", "north has 14 cards"),
        ("N:AKxxxx.AKxx.xxxx. - - -", "north has 14 cards"),
        ("N:AK.. - - -", "3 suits, not 4"),
        ("N:AAK... - - -", "SA twice"),
        ("N:AZ... - - -", "'Z' in 'AZ...' is not a card"),
        ("N:AK...", "not four hands"),
    ],
)
def test_faulty_texts(text: str, message: str):
    with pytest.raises(dk.DealError, match=message):
        dk.PartialDeal(text)
    with pytest.raises(dk.ArgumentError, match="vulnerable is 0 to 3"):
        dk.PartialDeal(LESSON, vulnerable=4)


def test_what_a_partial_deal_is():
    deal = dk.PartialDeal(LESSON, dealer=2, vulnerable=3, board=7)
    assert deal.count_known("north") == 13 == deal.count_known(2) and deal.count_known("east") == 0
    assert not deal.is_whole and not deal.is_ending and deal.played == 0
    assert eval(repr(deal), {"PartialDeal": dk.PartialDeal}) == deal  # noqa: S307
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert deal != dk.PartialDeal(LESSON) and list(deal) == ["north", "south"] and len(deal) == 2
    with pytest.raises(AttributeError, match="frozen"):
        deal.board = 3
    with pytest.raises(KeyError):
        deal["east"]
    html = deal._repr_html_()
    assert (
        "Board 7" in html and "AKQJ" in html and "AKxx" in html and "points" not in html.split("<article")[1]
    )


def test_a_diagram_says_what_is_unknown():
    deal = dk.PartialDeal("N:AK..Q. - - .xx..", board=1)
    lines = [line.rstrip() for line in deal.diagram(symbols=False).splitlines()]
    assert [line.strip() for line in lines[:4]] == ["Board 1     S AK?", "H ?", "D Q?", "C ?"]
    assert [line.split("  ")[0] for line in lines[4:8]] == ["S ?", "H xx", "D ?", "C ?"]
    whole = dk.PartialDeal("N:AKQJT98765432... - - -").diagram(symbols=False)
    assert [line.strip() for line in whole.splitlines()[:4]] == ["S AKQJT98765432", "H -", "D -", "C -"]


def test_an_ending_has_nothing_to_deal():
    deal = dk.PartialDeal("N:AK... QJ... T9... 87...")
    assert deal.is_ending and deal.played.bit_count() == 44 and "♥ -" in deal.diagram()
    with pytest.raises(dk.ArgumentError, match="this is an ending"):
        deal.complete(1)


# ---------------------------------------------------------------- completion
def remove_cards(hands: list[int], n_removed: int, rng: np.random.Generator) -> list[int]:
    """Return hands without some cards."""
    hands = list(hands)
    for bit in rng.choice(BITS, n_removed, replace=False).tolist():
        hands = [hand & ~bit for hand in hands]
    return hands


def list_layouts(hands: list[int]) -> list[tuple[int, ...]]:
    """Return all deals that have the known cards: seat by seat every choice of the missing cards."""
    layouts = [((), FULL_DECK & ~(hands[0] | hands[1] | hands[2] | hands[3]))]
    for hand in hands:
        layouts = [
            ((*dealt, hand | sum(chosen)), rest & ~sum(chosen))
            for dealt, rest in layouts
            for chosen in combinations([bit for bit in BITS if rest & bit], 13 - hand.bit_count())
        ]
    return [dealt for dealt, _ in layouts]


def test_random_partial_deals_against_all_layouts(rng: np.random.Generator):
    for number, deal in enumerate(dk.deal(1000, seed=3)):
        hands = remove_cards(deal.hands, int(rng.integers(1, 6)), rng)
        partial = dk.PartialDeal(hands)
        layouts = list_layouts(hands)
        assert Predeal.from_mapping(partial).n_deals == len(layouts) and deal.hands in layouts
        assert dk.PartialDeal(partial.pbn) == partial
        if number < 40:
            assert set(map(tuple, partial.complete(5, seed=number).hands.tolist())) <= set(layouts)


def count_points(hand: int) -> int:
    """Return the points of a hand by its bits, 13 to a suit from the deuce up."""
    return sum(4 - place for suit in range(4) for place in range(4) if hand >> (16 * suit + 12 - place) & 1)


def count_cards(hand: int, suit: int) -> int:
    """Return the cards of a hand in a suit, spades 0."""
    return (hand >> 16 * (3 - suit) & 0x1FFF).bit_count()


@pytest.mark.parametrize("n_partial", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_conditions_on_random_partial_deals_against_all_layouts(n_partial: int, rng: np.random.Generator):
    n_possible = 0
    for number, deal in enumerate(dk.deal(n_partial, seed=11)):
        partial = dk.PartialDeal(remove_cards(deal.hands, int(rng.integers(3, 8)), rng))
        # A condition on the points of a seat and the length of a suit of another one, that this deal nearly meets.
        seat, other, suit = (int(rng.integers(4)) for _ in range(3))
        points = count_points(deal.hands[seat]) + int(rng.integers(-1, 2))
        length = count_cards(deal.hands[other], suit) + int(rng.integers(-1, 2))
        name = ("spades", "hearts", "diamonds", "clubs")[suit]
        given = f"hcp({SEATS[seat]}) >= {points} and {name}({SEATS[other]}) <= {length}"
        # Every layout, with points and cards counted by hand.
        layouts = list_layouts(list(partial.hands))
        fitting = {
            layout
            for layout in layouts
            if count_points(layout[seat]) >= points and count_cards(layout[other], suit) <= length
        }
        exact = dk.probability(given, predeal=partial)
        assert Fraction(exact.value).limit_denominator(10**9) == Fraction(len(fitting), len(layouts)), (
            partial,
            given,
        )
        if fitting and number < 40:
            n_possible += 1
            found = partial.complete(20, given=given, seed=number).hands.tolist()
            assert len(found) == 20 and set(map(tuple, found)) <= fitting
    assert n_possible > 15


@pytest.mark.parametrize("given", [None, "spades(east) >= 2"])
def test_completions_are_uniform(given: str | None):
    # Two deals differ in the places of six cards, three of them east's and three west's: 20 layouts.
    known = "N:AJT9.QJ32.K2.432 2.K54.A543.AK 8765.AT9.QJT.QJT 43.876.987.98"
    partial = dk.PartialDeal(known)
    assert [partial.count_known(seat) for seat in range(4)] == [13, 10, 13, 10]
    layouts = list_layouts(list(partial.hands))
    assert len(layouts) == comb(6, 3)
    if given is not None:
        is_met = dk.Deals(np.array(layouts, np.uint64)).eval(given)
        layouts = [layout for layout, met in zip(layouts, is_met, strict=True) if met]
        # Of the six cards two are spades, king and queen: east has at least one of them.
        assert len(layouts) == comb(6, 3) - comb(4, 3)
    counts = Counter(map(tuple, partial.complete(8000, given=given, seed=1).hands.tolist()))
    assert set(counts) == set(layouts)
    assert chisquare([counts[layout] for layout in layouts]).pvalue > 1e-4


def test_small_cards_are_uniform():
    # South has three of the spades below the ten that north does not have: C(6, 3) choices.
    partial = dk.PartialDeal("N:AKQJT92.AK.AK.AK - xxx... -")
    spades = np.uint64(0x1FFF << 48)
    counts = Counter((partial.complete(6000, seed=2).hands[:, 2] & spades).tolist())
    assert len(counts) == comb(6, 3) and all(word.bit_count() == 3 for word in counts)
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_it_is_a_predeal():
    partial = dk.PartialDeal(LESSON)
    expected = dk.deal(20, seed=4, predeal={"north": "AKQJ.T98.5432.32", "south": "765.AKxx.xx.xxxx"})
    assert dk.deal(20, seed=4, predeal=partial).equals(expected)
    options = dk.RunOptions(produce=50, seed=1, predeal=partial, statistics=False)
    result = dk.run_script("action average hcp(east)", options)
    assert result.produced == 50
    again = eval(result.call, {"dk": dk, "dealerkit": dk, "PartialDeal": dk.PartialDeal})  # noqa: S307
    assert again["hcp(east)"].mean.value == result["hcp(east)"].mean.value


# A call of each public function with the argument `predeal`, for the hands that it is about.
TAKERS = {
    "RunOptions": lambda known: (
        dk.run_script(
            "action average hcp(east)", dk.RunOptions(produce=40, seed=1, predeal=known, statistics=False)
        )["hcp(east)"].mean
    ),
    "all_deals": lambda known: len(dk.all_deals(known)),
    "contracts": lambda known: (
        dk.contracts("hcp(east) >= 9", ["3S by north", "4S by north"], predeal=known, seed=1, produce=8).frame
    ),
    "deal": lambda known: dk.deal(20, seed=4, predeal=known).to_pbn(),
    "distribution": lambda known: dk.distribution("hcp(east)", predeal=known).to_text(),
    "estimate": lambda known: dk.estimate("hcp(east)", predeal=known, seed=1).value,
    "explain": lambda known: str(dk.explain("hcp(east) >= 10", predeal=known)),
    "lead": lambda known: (
        dk.lead("T98.765.AKQJ.AKQ", "3S", declarer="S", predeal=known, seed=1, produce=8).frame
    ),
    "practice": lambda known: dk.practice("1S", 4, predeal=known, seed=1).deals.to_pbn(),
    "probability": lambda known: dk.probability("hcp(east) >= 10", predeal=known),
    "sweep": lambda known: (
        dk.sweep(
            "condition hcp(east) >= $low action average hcp(east)", low=[8, 9], predeal=known, produce=20
        ).frame
    ),
}


def test_all_takers_of_a_predeal_are_known():
    public = {name: getattr(dk, name) for name in dk.__all__}
    found = {
        name
        for name, value in public.items()
        if callable(value)
        and not (isinstance(value, type) and issubclass(value, Exception))
        and "predeal" in inspect.signature(value).parameters
    }
    assert found == set(TAKERS)


@pytest.mark.parametrize("name", TAKERS)
def test_a_partial_deal_is_accepted_where_a_predeal_is(name: str):
    text = "N:AKQJ2.A98.543.32 - 765.Kxxx.xx.xxxx -"
    if name == "all_deals":  # six unknown cards, three of them east's
        text = "N:AJT9.QJ32.K2.432 2.K54.A543.AK 8765.AT9.QJT.QJT 43.876.987.98"
    partial = dk.PartialDeal(text, dealer=0)
    expected, found = TAKERS[name](dict(partial)), TAKERS[name](partial)
    if hasattr(found, "equals"):
        assert found.equals(expected)
    else:
        assert found == expected


def test_impossible_cards():
    with pytest.raises(dk.PredealError, match="small spades"):
        dk.PartialDeal("N:98765432... - xx... -").complete(1)


def test_details_are_those_of_the_partial_deal():
    deals = dk.PartialDeal(LESSON, dealer=3, board=9).complete(3, seed=1)
    assert deals.dealer.tolist() == [3] * 3 and deals.board.tolist() == [9] * 3 and deals.vulnerable is None
