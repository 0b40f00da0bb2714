"""Exact probabilities: against enumerations, which are made here, and against plain dealing."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, Deals, ScriptError, distribution, probability
from dealerkit.compiler.compilation import compile_condition
from dealerkit.compiler.evaluation import BatchColumns, apply_clauses
from dealerkit.counting import exact, suit_splits
from dealerkit.dealing import Predeal
from dealerkit.dealing.uniform import deal_range
from dealerkit.simulation.probability import count_values

HANDS = comb(52, 13)
SHAPES = [shape for shape in itertools.product(range(14), repeat=4) if sum(shape) == 13]


def hands_of_shape(shape: tuple[int, ...]) -> int:
    return math.prod(comb(13, length) for length in shape)


def honours(weights: tuple[int, ...], cards: int) -> dict[int, Fraction]:
    """Return the probability of each number of points in a number of random cards."""
    counts: Counter[int] = Counter({0: 0})
    chosen = [(0, 0, 1)]  # cards, points, ways
    for weight in weights:
        chosen = [(n + k, p + k * weight, w * comb(4, k)) for n, p, w in chosen for k in range(5)]
    for n, points, ways in chosen:
        if n <= cards:
            counts[points] += ways * comb(52 - 4 * len(weights), cards - n)
    return {points: Fraction(ways, comb(52, cards)) for points, ways in counts.items() if ways}


def as_fractions(expression: str, **named: object) -> dict[float, Fraction]:
    found = count_values(expression, **named)  # type: ignore[arg-type]
    assert found.exact, found.reason
    return {
        value: Fraction(count, found.total)
        for value, count in zip(found.values.tolist(), found.counts, strict=True)
    }


# ------------------------------------------------------------ enumerations
def test_points_of_a_hand():  # E1, E2, E3
    expected = honours((4, 3, 2, 1), 13)
    assert as_fractions("hcp(north)") == expected
    assert float(expected[10]) == pytest.approx(0.094051, abs=5e-7)
    mean = sum(points * part for points, part in expected.items())
    variance = sum(points**2 * part for points, part in expected.items()) - mean**2
    frame = distribution("hcp(east)")
    assert frame.attrs["mean"] == mean == 10
    assert frame.attrs["sd"] == pytest.approx(float(variance) ** 0.5, rel=1e-12)
    assert frame.attrs["sd"] == pytest.approx(4.13023, abs=5e-6)
    for low, high in ((12, 14), (15, 17)):
        found = probability(f"hcp(south) >= {low} and hcp(south) <= {high}")
        assert found.exact and found.fraction == sum(expected[points] for points in range(low, high + 1))


def test_points_of_a_pair():  # E4
    expected = honours((4, 3, 2, 1), 26)
    assert as_fractions("hcp(north) + hcp(south)") == expected
    assert probability("hcp(west) >= 25 - hcp(east)").fraction == sum(
        part for points, part in expected.items() if points >= 25
    )


def test_shapes():  # E5, E6
    counts: Counter[str] = Counter()
    for shape in SHAPES:
        counts["".join(map(str, sorted(shape, reverse=True)))] += hands_of_shape(shape)
    assert len(counts) == 39
    for shape in ("4432", "5332", "7321", "5440"):
        found = probability(f"shape(west, any {shape})")
        assert found.fraction == Fraction(counts[shape], HANDS)
    balanced = Fraction(sum(counts[shape] for shape in ("4333", "4432", "5332")), HANDS)
    assert probability("shape(north, any 4333 + any 4432 + any 5332)").fraction == balanced
    assert float(balanced) == pytest.approx(0.476042, abs=5e-7)


@pytest.mark.parametrize("missing", range(2, 9))
def test_suit_breaks(missing):  # E7
    """East has each number of the spades that north and south do not have."""
    spades = "AKQJT98765432"[: 13 - missing]
    north, south = spades[: len(spades) // 2], spades[len(spades) // 2 :]
    red = "AKQJT98765432"
    hands = {
        "north": f"{north}.{red[: 13 - len(north)]}..",
        "south": f"{south}..{red[: 13 - len(south)]}.",
    }
    found = as_fractions("spades(east)", predeal=hands)
    assert found == {
        east: Fraction(comb(missing, east) * comb(26 - missing, 13 - east), comb(26, 13))
        for east in range(missing + 1)
    }


def test_suit_breaks_given_as_a_condition():
    hands = {"north": "AKQ2.K32.K32.432", "south": "543.A54.A654.A65"}
    three = probability("spades(east) == 3", predeal=hands)
    assert three.fraction == Fraction(comb(6, 3) * comb(20, 10), comb(26, 13))
    fits = probability("spades(east) == 3", given="spades(north) == 5 and spades(south) == 2")
    assert fits.fraction == three.fraction  # six spades are out all the same
    # East's seven hearts make it more likely that west has the jack.
    long = probability("hascard(west, JS)", predeal=hands, given="hearts(east) == 7").fraction
    assert long == Fraction(13, 13 + 6)


def test_controls():  # E8
    assert as_fractions("controls(south)") == honours((2, 1), 13)


def losers_of(length: int) -> Counter[int]:
    """Return the number of holdings of a length by their losers: the top cards that are missing."""
    counts: Counter[int] = Counter()
    for tops in itertools.product((0, 1), repeat=3):
        spots = length - sum(tops)
        if 0 <= spots <= 10:
            counts[sum(not top for top in tops[:length])] += comb(10, spots)
    return counts


def test_losers():  # E9
    counts: Counter[int] = Counter()
    for shape in SHAPES:
        for suits in itertools.product(*(losers_of(length).items() for length in shape)):
            counts[sum(lost for lost, _ in suits)] += math.prod(ways for _, ways in suits)
    expected = {lost: Fraction(ways, HANDS) for lost, ways in counts.items() if ways}
    assert as_fractions("losers(north)") == expected
    assert float(expected[7]) == pytest.approx(0.22993, abs=5e-6)


def test_fits():  # E10, E11
    best: Counter[int] = Counter()
    trumps: Counter[int] = Counter()
    for shape in itertools.product(range(14), repeat=4):
        if sum(shape) == 26:
            best[max(shape)] += hands_of_shape(shape)
            trumps[max(shape) + 13 - min(shape)] += hands_of_shape(shape)
    sides = comb(52, 26)
    assert as_fractions("fit(NS)") == {fit: Fraction(ways, sides) for fit, ways in best.items()}
    assert as_fractions("fit(NS) + fit(EW)") == {both: Fraction(ways, sides) for both, ways in trumps.items()}
    longest = " + ".join(f"({suit}(north) + {suit}(south) >= 9)" for suit in ("spades", "hearts"))
    assert probability(f"{longest} == 2").exact


def test_yarborough():  # E12
    nines = Fraction(comb(32, 13), HANDS)
    assert probability("top5(north) == 0").fraction == nines
    assert float(1 / nines) == pytest.approx(1828.04, abs=0.005)


def test_particular_cards():
    assert probability("hascard(north, AS) and hascard(south, KS)").fraction == Fraction(13 * 13, 52 * 51)
    assert probability("hascard(north, AS)", given="hascard(north, KS)").fraction == Fraction(12, 51)
    cards = "hascard(north, AS) and hascard(east, AS)"
    assert probability(cards).fraction == 0
    any_ace = probability("aces(west) >= 1 and aces(east) >= 1 and aces(north) >= 1 and aces(south) >= 1")
    ways = 24 * math.factorial(48) // math.factorial(12) ** 4
    assert any_ace.fraction == Fraction(ways, Predeal().n_deals)


def test_lengths_of_all_hands():
    """Some hand has twelve or more spades or hearts; at most two hands can."""
    condition = " or ".join(
        f"{suit}({seat}) >= 12"
        for suit in ("spades", "hearts")
        for seat in ("north", "east", "south", "west")
    )

    long = (12, 13)

    def both(spades: int, hearts: int) -> int:
        """Return the number of deals in which one hand has these spades and another hand these hearts."""
        ways = 0
        for short in range(14 - spades):  # hearts of the first hand
            first = comb(13, spades) * comb(13, short) * comb(26, 13 - spades - short)
            ways += first * comb(13 - short, hearts) * comb(26 + short, 13 - hearts)
        return ways * comb(26, 13)

    one = sum(comb(13, k) * comb(39, 13 - k) for k in long) * comb(39, 13) * comb(26, 13)
    two = sum(both(spades, hearts) for spades in long for hearts in long)
    assert probability(condition).fraction == Fraction(8 * one - 12 * two, Predeal().n_deals)


# ------------------------------------------------------------ plain dealing
BALANCED = "any 4333 + any 4432 + any 5332"
CONDITIONS = (
    f"shape(north, {BALANCED}) and hcp(north) >= 15 and hcp(north) <= 17",
    "hcp(north) >= 12 and hcp(south) >= 12",
    "hcp(north) >= 15 and hcp(south) <= 7 and spades(south) >= 5",
    "hcp(north) > hcp(south) + 4",
    "hcp(north) + hcp(south) >= 25 and fit(NS) >= 8",
    "hcp(north) + hcp(south) >= 20 and (spades(north) + spades(south) >= 8 or hearts(north) + hearts(south) >= 8)",
    "losers(north) + losers(south) <= 14",
    "ltc(north) < 6.5 and hcp(north) <= 12",
    "spades(north) > spades(east) and hearts(south) >= 3",
    "spades(north) >= 5 ? hcp(north) >= 10 : hcp(north) >= 13",
    "hcp(north, spades) >= 5 and top3(south, hearts) >= 2",
    "hcp(north) * 2 + spades(north) * 3 >= 35",
    "not (hcp(north) >= 11 or shape(north, xxxx - 6xxx - x6xx)) or controls(east) > 4",
    "max(spades(north), hearts(north)) >= 5 and min(clubs(north), diamonds(north)) <= 2",
    "hcp(west) / 4 == 3 or hcp(west) % 7 == 2",
    "hcp(north) >= 13 and hcp(east) >= 8 and spades(south) >= 4",
    "quality(north, spades) >= 3.5 and controls(north) >= 3",
    "c13(north) >= 20 and hascard(east, AS)",
    "spades(north) >= 5 and hearts(east) >= 5 and diamonds(south) >= 4 and clubs(west) >= 3",
    "(spades(north) >= 6 and hcp(north) <= 10) or (spades(south) >= 6 and hcp(south) <= 10)",
)
PREDEALT = (
    ("hcp(south) >= 8", {"north": "SAKQxx,H5"}),
    ("spades(east) >= 3", {"north": {"spades": 7}, "west": "HAxx"}),
    ("hcp(west) + hcp(east) >= 20 and hearts(west) >= 4", {"south": ["SAK", {"hearts": 2}]}),
)


def dealt(condition: str, predeal: dict | None, deals: int, seed: int) -> int:
    """Return how many of the plain deals of a seed meet a condition."""
    compiled = compile_condition(condition, predeal=predeal)
    slots = compiled.clauses
    seats = compiled.graph.find_seats(slots)
    met = 0
    for first in range(0, deals, 1 << 16):
        hands = deal_range(seed, first, 1 << 16, seats, compiled.program.predeal)
        met += len(apply_clauses(BatchColumns(compiled.graph, Deals(hands, check=False)), slots))
    return met


@pytest.mark.parametrize(
    ("condition", "predeal"), [*((condition, None) for condition in CONDITIONS), *PREDEALT]
)
def test_plain_dealing_agrees(condition, predeal):
    found = probability(condition, predeal=predeal)
    assert found.exact and found.fraction is not None
    deals = 16 << 16  # a million
    met = dealt(condition, predeal, deals, seed=20)
    deviation = math.sqrt(deals * found.value * (1 - found.value))
    assert found.value * deals > 500, "too rare for this test"
    assert abs(met - deals * found.value) < 4.2 * deviation


@pytest.mark.parametrize(
    ("condition", "predeal"),
    [
        ("spades(north) == 5", None),
        ("spades(north) >= 5 and hearts(south) <= 2", None),
        ("spades(north) > spades(east)", {"north": "HAK,D5", "west": "SQ"}),
        ("hcp(south, clubs) > 3 and hcp(north) > 12", {"south": "DAKQ"}),
        ("hascard(west, AS) or clubs(east) > 5", {"east": {"hearts": 3}, "south": "HAKxx"}),
        ("spades(north) + spades(south) >= 8 and spades(east) > spades(west)", {"west": "DAK,H2"}),
    ],
)
def test_seats_that_matter_in_some_suits_only(condition, predeal):
    """A clause that every deal meets changes nothing, but makes the count depend on all suits of all seats."""
    for seats in (("north",), ("south",), ("north", "east", "west")):
        suits = ("spades", "hearts", "diamonds", "clubs")
        more = " and ".join(f"{suit}({seat}) >= 0" for seat in seats for suit in suits)
        twin = probability(f"({condition}) and {more}", predeal=predeal)
        assert twin.exact
        assert twin.fraction == probability(condition, predeal=predeal).fraction


def test_a_given_condition_is_a_quotient():
    both = probability("hcp(north) >= 15 and fit(NS, spades) >= 8").fraction
    given = probability("fit(NS, spades) >= 8").fraction
    assert probability("hcp(north) >= 15", given="fit(NS, spades) >= 8").fraction == both / given


def test_a_distribution_adds_up():
    found = as_fractions("hcp(north) - hcp(south)", given="spades(north) == 4")
    assert sum(found.values()) == 1
    more = probability("hcp(north) > hcp(south)", given="spades(north) == 4").fraction
    assert sum(part for value, part in found.items() if value > 0) == more


def test_tables_of_points_and_parameters():
    aces = "pointcount 1 0 0 0 0 0 0 0 0 0 0 0 0\nhcp($0) == 4"
    assert probability(aces, params=["east"]).fraction == Fraction(comb(48, 9), HANDS)
    tens = probability("half = 0.5 * tens(north)\nhalf + aces(north) >= 4.5").fraction
    ways = {
        (four, k): comb(4, four) * comb(4, k) * comb(44, 13 - four - k) for four in range(5) for k in range(5)
    }
    assert tens == sum(Fraction(n, HANDS) for (four, k), n in ways.items() if 2 * four + k >= 9)


# ------------------------------------------------------------ estimates
def test_what_is_not_counted_is_estimated():
    found = probability("cccc(north) >= 12 and hcp(north) >= 12", deals=200_000)
    assert not found.exact and found.fraction is None and found.n == 200_000
    assert found.lo < found.value < found.hi
    again = probability("cccc(north) >= 12 and hcp(north) >= 12", deals=200_000)
    assert again == found
    # rnd(1) is 0, but makes an estimate of what can be counted without it.
    twin = probability("hcp(north) + rnd(1) >= 15", deals=400_000)
    counted = probability("hcp(north) >= 15")
    assert not twin.exact and abs(twin.value - counted.value) < 4 * twin.se


def test_too_many_states_are_estimated(monkeypatch):
    condition = "hcp(north) >= 13 and hcp(south) >= 8"
    counted = probability(condition)
    monkeypatch.setattr(exact, "MAX_PAIRS", 1000)
    exact.cached_counts.clear()  # the result of the count above
    found = probability(condition)
    assert counted.exact and not found.exact
    assert abs(found.value - counted.value) < 4 * found.se


def test_a_table_from_dealt_deals():
    frame = distribution("spades(north) * rnd(1) + spades(north)", deals=100_000)
    assert not frame.attrs["exact"] and frame.attrs["n"] == 100_000 == frame["count"].sum()
    five = probability("spades(north) == 5").value
    assert frame.lo[5] - 0.005 < five < frame.hi[5] + 0.005
    assert frame.fraction.isna().all() and frame.cumulative.iloc[-1] == pytest.approx(1)


# ------------------------------------------------------------ too much to count
NEARLY_ALL = {"north": "SAK72,HQJ5,DT84,CK93", "east": "SQ5,HAT98,DAJ3,CQJ76"}
SIXTEEN = (
    "controls(south) > 3 or tens(east) > 1 or losers(east) > 8 or controls(east) > 4 or hearts(east) > 4 "
    "or milton(north) > 13 or spades(north) > 4 or c13(south) > 13 or losers(west) > 10 or c13(east) > 18 "
    "or tens(south) > 2 or controls(west) > 3 or milton(east) > 14 or hcp(south) > 10 or losers(north) > 8 "
    "or hcp(north) > 13"
)
LONG_OR_4441 = " or ".join(
    f"spades({s}) > 7 or hearts({s}) > 7 or diamonds({s}) > 7 or clubs({s}) > 7 or shape({s}, any 4441)"
    for s in ("north", "east", "south", "west")
)


@pytest.mark.parametrize(("condition", "predeal"), [(SIXTEEN, NEARLY_ALL), (LONG_OR_4441, {})])
def test_clauses_whose_values_fit_no_code_are_estimated(condition, predeal):
    """Few ways to share out the cards are no help if the values of a clause together exceed 64 bits."""
    found = probability(condition, predeal=predeal, deals=20_000)
    dealt = dk.deal(50_000, seed=3, predeal=predeal).eval(condition) != 0
    assert not found.exact
    assert abs(found.value - dealt.mean()) < 5 * math.hypot(found.se, dealt.std() / math.sqrt(len(dealt)))
    assert "counted" not in str(dk.explain(f"condition {condition}", predeal=predeal))


# ------------------------------------------------------------ mistakes
def test_mistakes():
    with pytest.raises(ArgumentError, match="no deal satisfies the given condition"):
        probability("hcp(north) > 3", given="spades(north) > 7 and hearts(north) > 7")
    with pytest.raises(ArgumentError, match="no deal satisfies the given condition"):
        count_values("hcp(north)", given="spades(north) > 7 and hearts(north) > 7")
    with pytest.raises(ArgumentError, match="two different definitions"):
        probability("x = hcp(north)\nx > 3", given="x = hcp(south)\nx > 3")
    with pytest.raises(ScriptError, match="has a probability"):
        probability("condition hcp(north) > 3 action printall")
    with pytest.raises(ArgumentError, match="expression is missing"):
        probability("x = 3")
    with pytest.raises(ArgumentError, match="deals is 0; it must be 1 or more"):
        probability("cccc(north) > 3", deals=0)


def test_certain_and_impossible():
    assert probability("1 == 1").fraction == 1
    assert probability("hcp(north) > 37").fraction == 0
    assert probability("spades(north) + spades(east) + spades(south) + spades(west) == 13").fraction == 1
    assert as_fractions("hcp(north) + hcp(east) + hcp(south) + hcp(west)") == {40: 1}


def test_a_wrong_weight_is_seen(monkeypatch):
    """The comparison with enumeration is sharp: one way too many in one suit shows."""
    right = probability("hcp(north) == 4").fraction
    divide_group = suit_splits.divide_group

    def wrong(group: list[int], n_parts: int) -> tuple[np.ndarray, np.ndarray]:
        held, ways = divide_group(group, n_parts)
        ways[-1] += 1
        return held, ways

    monkeypatch.setattr(suit_splits, "divide_group", wrong)
    assert probability("hcp(north) == 4").fraction != right == honours((4, 3, 2, 1), 13)[4]


# 50 points of two hands, where the pack has 40: no deal, whatever the other clauses are.
FIFTY = "hcp(north) >= 30 and hcp(south) >= 20"


@pytest.mark.parametrize("third", ["cccc(east) > 3", "dds(north, spades) > 6"])
def test_clauses_that_exclude_each_other_are_exactly_zero(third):
    estimate = dk.probability(f"{FIFTY} and {third}")
    assert estimate.exact and estimate.fraction == 0
    given = dk.probability(f"hcp(south) >= 20 and {third}", given="hcp(north) >= 30")
    assert given.exact and given.fraction == 0
    for call in (dk.probability, dk.distribution):
        with pytest.raises(dk.ArgumentError, match="no deal satisfies the given condition"):
            call("spades(north) > 4", given=f"{FIFTY} and {third}")


def test_clauses_that_are_possible_are_estimated():
    pair = "hcp(north) >= 17 and hcp(south) >= 17"  # such hands have more than 3 by the Four Cs
    estimate = dk.probability(f"{pair} and cccc(north) > 3", deals=100_000)
    assert not estimate.exact and estimate.lo <= dk.probability(pair).value <= estimate.hi
