"""Plans against enumeration; numbers of deals under limits, with threads, and of unsatisfiable conditions."""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from scipy.stats import binom, chi2

import dealerkit as dk
from dealerkit.cards import RANKS
from dealerkit.dealing.conditional import binomial
from dealerkit.dealing.conditional.sampler import sample_range

LEVEL = 1e-6
PLANS = ("plain", "staged", "conditional")
BALANCED = "any 4333 + any 4432 + any 5332"
B = f"condition shape(north, {BALANCED}) and hcp(north) >= 20 and hcp(north) <= 22 "
NOTRUMP = f"shape(east, {BALANCED}) and hcp(east) >= 15 and hcp(east) <= 17"
STAYMAN = f"""
d = diamonds(east) + diamonds(west)
h = hearts(east) + hearts(west)
s = spades(east) + spades(west)
fit_d = shape(east, xxxx - 4xxx - x4xx - 5xxx - x5xx) and d >= 8
fit_h = shape(east, x4xx) and h >= 8
fit_s = shape(east, 4xxx - x4xx) and s >= 8
fit_M = shape(east, 5xxx + x5xx) and (h >= 9 or s >= 9)
condition {NOTRUMP} and shape(west, 3451 + 4351) and hcp(west) <= 7
action average "fit" fit_d or fit_h or fit_s or fit_M
"""


def p_value(counts: np.ndarray, chances: np.ndarray) -> float:
    """Return the p-value of counts with these probabilities (chi-square, cells with few expected pooled)."""
    counts, expected = np.asarray(counts, float), np.asarray(chances, float) * np.sum(counts)
    assert not counts[expected == 0].any()
    rare = expected < 10
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    counts, expected = counts[expected > 0], expected[expected > 0]
    return float(chi2.sf(((counts - expected) ** 2 / expected).sum(), len(counts) - 1))


def count_points() -> tuple[np.ndarray, np.ndarray]:
    """Return the number of ways of the points of north and south together, [38, 38], and their sum.

    Aces, kings, queens and jacks are given to north, south and the others in every way.
    """
    ways: dict[tuple[int, int, int, int], int] = {(0, 0, 0, 0): 1}
    for points in (4, 3, 2, 1):
        following: dict[tuple[int, int, int, int], int] = {}
        for (p, n, q, m), count in ways.items():
            for a, b in product(range(5), repeat=2):
                if a + b <= 4:
                    key = (p + points * a, n + a, q + points * b, m + b)
                    following[key] = following.get(key, 0) + count * comb(4, a) * comb(4 - a, b)
        ways = following
    table = np.zeros((38, 38), dtype=object)
    for (p, n, q, m), count in ways.items():
        if n <= 13 and m <= 13:
            table[p, q] += count * comb(36, 13 - n) * comb(36 - (13 - n), 13 - m)
    return table, table.sum()


POINTS, ALL = count_points()


# ---------------------------------------------------------------- against enumeration
def test_points_of_partners_are_those_of_an_enumeration() -> None:
    expected = POINTS.copy()
    expected[:15] = 0
    expected[18:] = 0
    expected[:, :8] = 0
    script = "condition hcp(north) >= 15 and hcp(north) <= 17 and hcp(south) >= 8 action"
    for plan in PLANS:
        deals = dk.run(script, produce=40_000, seed=3, plan=plan, keep="all", threads=1).deals
        observed = np.bincount(38 * deals.eval("hcp(north)") + deals.eval("hcp(south)"), minlength=38 * 38)
        assert p_value(observed, (expected / expected.sum()).astype(float).ravel()) > LEVEL


def test_shapes_are_those_of_an_enumeration() -> None:
    """Lengths of two hands of three: products of binomial coefficients."""
    ways: dict[tuple[int, ...], int] = {}
    shapes = [(s, h, d, 13 - s - h - d) for s, h, d in product(range(14), repeat=3) if s + h + d <= 13]
    norths = [shape for shape in shapes if shape[0] >= 5 and shape[1] >= 4]
    for north in norths:
        for east in shapes:
            rest = [13 - a for a in north]
            if east[2] == 6 and east[3] <= 1 and all(b <= a for a, b in zip(rest, east, strict=True)):
                count = 1
                for a, free, b in zip(north, rest, east, strict=True):
                    count *= comb(13, a) * comb(free, b)
                ways[north + east] = count
    script = "condition spades(north) >= 5 and hearts(north) >= 4 and diamonds(east) == 6 and clubs(east) <= 1 action"
    result = dk.run(script, produce=60_000, seed=4, plan="conditional", keep="all", threads=1)
    columns = [
        result.deals.eval(f"{suit}({seat})")
        for seat in ("north", "east")
        for suit in ("spades", "hearts", "diamonds", "clubs")
    ]
    place = {lengths: k for k, lengths in enumerate(ways)}
    observed = np.bincount(
        [place[lengths] for lengths in zip(*(c.tolist() for c in columns), strict=True)], minlength=len(ways)
    )
    chances = np.array([count / sum(ways.values()) for count in ways.values()])
    assert p_value(observed, chances) > LEVEL
    assert result.probability.value == pytest.approx(sum(ways.values()) / (comb(52, 13) * comb(39, 13)))


def list_endings() -> tuple[dict[str, str], list[tuple[frozenset[int], ...]]]:
    """Return a predeal of all but eight cards, two for each seat, and the 2,520 ways to deal these."""
    pack = [13 * suit + rank for suit in range(4) for rank in range(13)]
    free = [12, 11, 2, 25, 23, 13, 37, 50]  # a few honours and small cards of every suit
    rest = [card for card in pack if card not in free]
    np.random.default_rng(8).shuffle(rest)
    given = {
        seat: ",".join("SHDC"[card // 13] + RANKS[card % 13] for card in rest[11 * k : 11 * k + 11])
        for k, seat in enumerate(("north", "east", "south", "west"))
    }
    all_deals = []
    for north in combinations(free, 2):
        others = [card for card in free if card not in north]
        for east in combinations(others, 2):
            rest = [card for card in others if card not in east]
            for south in combinations(rest, 2):
                all_deals.append(
                    tuple(map(frozenset, (north, east, south, [c for c in rest if c not in south])))
                )
    return given, all_deals


@pytest.mark.parametrize(
    "condition",
    [
        "hcp(north) >= 14",
        "hcp(north) > hcp(east) and spades(south) >= 6",
        "spades(north) + spades(south) >= 7 and hcp(east) >= 11",
        "(hcp(north) >= 14 and spades(south) >= 6) or (hcp(north) <= 12 and hearts(west) >= 2)",
    ],
)
def test_all_deals_that_meet_a_condition_are_equally_likely(condition: str) -> None:
    """Few cards are free: every deal is enumerated, and all that meet the condition are equally frequent."""
    predeal, all_deals = list_endings()
    cards = 1 << (48 - 16 * (np.arange(52) // 13) + np.arange(52) % 13)
    deal = dk.run_script("action", dk.RunOptions(produce=1, seed=1, predeal=predeal)).deals.hands[0]
    free = sum(int(cards[card]) for hand in all_deals[0] for card in hand)
    kept = [int(hand) & ~free for hand in deal]
    all_hands = [
        [kept[k] | sum(int(cards[card]) for card in hand) for k, hand in enumerate(hands)]
        for hands in all_deals
    ]
    good = dk.Deals(np.array(all_hands, dtype=np.uint64)).where(condition)
    assert 20 < len(good) < len(all_deals) == 2520
    place = {tuple(hand): k for k, hand in enumerate(good.hands.tolist())}
    for plan in PLANS:
        result = dk.run_script(
            f"condition {condition} action", dk.RunOptions(produce=40 * len(good), seed=6, predeal=predeal, plan=plan, keep="all",
            threads=1)
        )  # fmt: skip
        observed = np.bincount(
            [place[tuple(hand)] for hand in result.deals.hands.tolist()], minlength=len(good)
        )
        assert p_value(observed, np.full(len(good), 1 / len(good))) > LEVEL
        chance = Fraction(len(good), len(all_deals))
        if result.probability.exact:
            assert result.probability.fraction == chance
        else:
            assert abs(result.probability.value - chance) <= 5.5 * result.probability.se


# ---------------------------------------------------------------- numbers produced under a limit
COUNTED = "condition hcp(north) >= 14 and hcp(south) >= 9 action average 1"
LIMIT = 200


def count_produced(runs: int) -> np.ndarray:
    """Return the numbers that runs of `LIMIT` deals produce: of candidates that pass the sampler's tests."""
    plan = dk.run(COUNTED, produce=1, seed=1, plan="conditional").plan
    assert not plan.clauses and len(plan.sampling.sampler.seats) == 2
    numbers = []
    for seed in range(runs):
        candidates = binomial.sample_candidate_count(LIMIT, plan.sampling.share, seed)
        numbers.append(len(sample_range(plan.sampling.sampler, seed, 0, candidates, 0)[1]))
    return np.array(numbers)


@pytest.mark.slow
def test_the_number_produced_under_a_limit_is_that_of_plain_dealing() -> None:
    """Ten thousand short runs against the binomial distribution with the enumerated probability."""
    chance = float(Fraction(int(POINTS[14:, 9:].sum()), int(ALL)))
    numbers = count_produced(10_000)
    chances = binom.pmf(np.arange(LIMIT + 1), LIMIT, chance)
    assert p_value(np.bincount(numbers, minlength=LIMIT + 1), chances) > LEVEL
    runs = [
        dk.run(COUNTED, generate=LIMIT, seed=s, plan="conditional", keep=0, threads=1) for s in range(150)
    ]
    assert [run.produced for run in runs] == numbers[:150].tolist()
    plain = [
        dk.run(COUNTED, generate=LIMIT, seed=s, plan="plain", keep=0, threads=1).produced for s in range(150)
    ]
    for sample in (plain, numbers[:150]):
        assert abs(np.mean(sample) - LIMIT * chance) < 5 * np.sqrt(LIMIT * chance / 150)


def test_a_wrong_number_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test detects a tenth too many candidates, and always the expected number of them."""
    chance = float(Fraction(int(POINTS[14:, 9:].sum()), int(ALL)))
    chances = binom.pmf(np.arange(LIMIT + 1), LIMIT, chance)
    right = binomial.sample_candidate_count
    for wrong in (
        lambda limit, share, seed: right(limit, share * 11 / 10, seed),
        lambda limit, share, seed: round(limit * share),
    ):
        monkeypatch.setattr(binomial, "sample_candidate_count", wrong)
        assert p_value(np.bincount(count_produced(1_500), minlength=LIMIT + 1), chances) < LEVEL


# ---------------------------------------------------------------- figures that other programs printed
def test_figures_of_the_old_programs_notes() -> None:
    """1,550,673 deals for 10,000 balanced hands of 20 to 22; 220 Stayman hands in a million, .58 with a fit."""
    balanced = dk.run(B + "action average hcp(north)", produce=1_000, seed=1, plan="conditional", threads=1)
    chance = balanced.probability.value
    assert balanced.probability.exact
    deviation = np.sqrt(10_000 * (1 - chance)) / chance  # of a negative binomial distribution
    assert abs(10_000 / chance - 1_550_673) < 4 * deviation
    plain = dk.run(B + "action average 1", produce=10_000, seed=2, plan="plain", keep=0, threads=1)
    assert abs(plain.generated - 10_000 / chance) < 4 * deviation

    many = dk.run(STAYMAN, produce=100_000, seed=1, keep=0, threads=1)
    assert many.plan.name == "conditional"
    million = 1_000_000 * many.probability.value
    assert abs(million - 220) < 4 * np.sqrt(220)
    fit = many["fit"].mean.value
    assert abs(fit - 0.58) < 0.005 + 4 * np.sqrt(0.58 * 0.42 / 220)
    for plan in PLANS:
        million_deals = dk.run(STAYMAN, generate=1_000_000, seed=3, plan=plan, keep=0, threads=1)
        assert abs(million_deals.produced - million) < 4 * np.sqrt(million)
        assert abs(million_deals["fit"].mean.value - fit) < 4 * np.sqrt(
            fit * (1 - fit) / million_deals.produced
        )


@pytest.mark.parametrize("plan", PLANS)
def test_rnd_is_spread_evenly_under_every_plan(plan: str) -> None:
    """Of rnd(100) the mean is 49.5 and the deviation sqrt((100^2 - 1) / 12) = 28.87, in actions and in clauses."""
    script = "condition hcp(north) >= 15 and spades(east) >= 4 and rnd(100) < 50 action average rnd(100)"
    result = dk.run(script, produce=50_000, seed=5, plan=plan, threads=1)
    assert result.plan.name == plan
    report = result.reports[0]
    assert abs(report.mean.value - 49.5) < 4 * 28.87 / np.sqrt(50_000)
    assert report.sd == pytest.approx(28.87, abs=4 * 28.87 * np.sqrt(0.4 / 50_000))  # its kurtosis is 1.8
    clause_rate = result.probability.value  # of the clause with rnd, half of the others
    without = dk.run(script.replace("and rnd(100) < 50", ""), produce=50_000, seed=6, plan=plan, threads=1)
    assert clause_rate / without.probability.value == pytest.approx(0.5, abs=0.02)


# ---------------------------------------------------------------- the same deals
SCRIPTS = {
    "filter": "condition hcp(north) >= 15 and spades(north) + spades(south) >= 8 and hcp(east) > hcp(west)",
    "guard": "condition hcp(south) >= 12 and hearts(east) >= 3 and spades(north) > 0 and hcp(north) / spades(north) >= 3 and rnd(3) > 0",
}


def assert_equal_runs(first: dk.Result, second: dk.Result) -> None:
    assert first.plan.name == second.plan.name
    assert (first.produced, first.proposed, first.generated) == (
        second.produced,
        second.proposed,
        second.generated,
    )
    assert first.deals.equals(second.deals) and first.numbers.tolist() == second.numbers.tolist()
    assert first.reports[0].frame.equals(second.reports[0].frame)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("limits", [{"produce": 4_321}, {"generate": 123_456}], ids=["produce", "generate"])
def test_threads_change_nothing(plan: str, name: str, limits: dict[str, int]) -> None:
    script = SCRIPTS[name] + ' action frequency "points" (hcp(north), 0, 37), printoneline(rnd(9))'
    if "generate" in limits:
        limits = {**limits, "produce": 10**9}
    runs = [dk.run(script, seed=9, plan=plan, threads=threads, **limits) for threads in (1, 2, 3)]
    assert runs[0].plan.name == plan
    for other in runs[1:]:
        assert_equal_runs(runs[0], other)
        assert runs[0].text.rsplit(";", 1)[0] == other.text.rsplit(";", 1)[0]


@pytest.mark.parametrize("plan", PLANS)
def test_produce_stops_at_its_last_deal(plan: str) -> None:
    """A shorter run is the beginning of a longer one, and its counts end with its last deal."""
    script = SCRIPTS["filter"] + ' action average "points" hcp(south)'
    long = dk.run(script, produce=5_000, seed=2, plan=plan, threads=2)
    for count in (1, 7, 999, 2_048):
        short = dk.run(script, produce=count, seed=2, plan=plan, threads=2)
        assert short.deals.equals(long.deals[:count])
        assert short.proposed == short.numbers[-1] + 1 == long.numbers[count - 1] + 1


@pytest.mark.parametrize("plan", PLANS)
def test_processes_give_what_threads_give(plan: str) -> None:
    script = SCRIPTS["guard"] + ' action frequency "points" (hcp(north), 0, 37)'
    here = dk.run(script, produce=3_000, seed=4, plan=plan, threads=2)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert_equal_runs(here, dk.run(script, produce=3_000, seed=4, plan=plan, threads=2, executor=pool))


@pytest.mark.parametrize("dialect", ["v1", "v2"])
@pytest.mark.parametrize("plan", PLANS)
def test_the_old_dialects_deal_plainly(dialect: str, plan: str) -> None:
    script = "condition hcp(north) >= 20 && spades(north) >= 5\naction average hcp(south)"
    limits = {"produce": 200, "generate": 300_000, "seed": 7, "stream": "uniform"}
    result = dk.run(script, dialect=dialect, plan=plan, **limits)
    assert result.plan.name == "plain"
    assert result.deals.equals(dk.run(script, plan="plain", **limits).deals)


# ---------------------------------------------------------------- unsatisfiable conditions
@pytest.mark.parametrize(
    ("condition", "clause"),
    [
        ("hcp(north) > 37 and hcp(south) > 5", "hcp(north) > 37"),
        ("spades(east) == 5 and aces(west) == 5", "aces(west) == 5"),
        ("hcp(north) >= 30 and top5(north) <= 3", "top5(north) <= 3"),
        ("spades(north) >= 7 and spades(east) >= 7", "spades(north) >= 7 and spades(east) >= 7"),
    ],
)
def test_an_unsatisfiable_condition_is_reported_at_once(condition: str, clause: str) -> None:
    started = time.perf_counter()
    with pytest.warns(dk.UnsatisfiableWarning) as caught:
        result = dk.run(f"condition {condition} action average 1", produce=100, seed=1)
    assert time.perf_counter() - started < 5
    assert result.produced == 0 and result.proposed == 0
    assert clause in str(caught[0].message)
    assert result.probability.exact and result.probability.value == 0
