"""Conditions with `or`, sampled branch by branch: against plain dealing and against enumeration."""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binom, chi2

import dealerkit as dk
from dealerkit import UnsatisfiableWarning, registry
from dealerkit.dealing.conditional.mixture import Mixture

LEVEL = 1e-6
DEALS = 10_000
DEALT = 3_000_000
HANDS = comb(52, 13)
# name: (condition, predeal)
CONDITIONS: dict[str, tuple[str, dict]] = {
    "points of partners": ("hcp(north) >= 20 or hcp(south) >= 20", {}),
    "overlapping": (
        "(hcp(north) >= 15 and spades(north) >= 5 or hcp(south) >= 14 and hearts(south) >= 4 or spades(north) >= 6)"
        " and hcp(east) <= 9 and hcp(north) >= 9",
        {},
    ),
    "three seats": ("spades(north) >= 7 or hearts(east) >= 7 or diamonds(south) >= 7", {}),
    "sides": ("hcp(north) + hcp(south) >= 31 or spades(east) + spades(west) >= 10", {}),
    "one side": ("hcp(north) + hcp(south) >= 31 or fit(NS, spades) >= 11", {}),
    "side and seat": ("hearts(north) + hearts(south) >= 10 or hcp(west) >= 19", {}),
    "filter in a branch": ("hcp(north) >= 17 and cccc(south) >= 9 or hcp(south) >= 19", {}),
    "filter beside": ("(hcp(north) >= 18 or hcp(south) >= 18) and cccc(west) >= 9.5", {}),
    "equal branches": ("(hcp(west) >= 19 or hcp(west) >= 21 or hcp(east) >= 19) and hcp(west) >= 3", {}),
    "predeal": ("hcp(north) >= 20 or hcp(south) >= 17", {"north": "SAK,D2", "west": "HA"}),
    "predealt lengths": ("hcp(north) >= 18 or hcp(east) >= 18", {"south": {"spades": 4}, "east": {"hearts": 5}}),
    "random after it": ("(hcp(north) >= 18 or hcp(south) >= 18) and rnd(10) < 6", {}),
    "eight branches": (
        " or ".join(
            f"hcp({seat}) >= 17 and {suit}({seat}) >= 6"
            for seat in ("north", "south", "east", "west")
            for suit in ("spades", "hearts")
        ),
        {},
    ),
    "two ors": (
        "(spades(north) >= 6 or spades(south) >= 7) and (hearts(east) >= 6 or hearts(west) >= 6 or hcp(west) >= 17)",
        {},
    ),
    "two ors that overlap": (
        "(spades(north) >= 6 or spades(north) >= 5 and hcp(south) >= 14) and (hearts(north) >= 5 or hearts(east) >= 5)",
        {"west": "SA,HK"},
    ),
    "two ors that bar each other": (
        "(spades(north) >= 8 or hearts(north) >= 6 and hcp(east) > 9) and (spades(east) >= 6 or hearts(west) >= 5)",
        {},
    ),
    "impossible branch": ("(hcp(north) >= 18 and hcp(south) > 8) or (hcp(south) >= 38 and hcp(west) > 2)", {}),
}  # fmt: skip
SINGLE = {"one side"}  # one set expresses the whole or


def agreement(first: np.ndarray, second: np.ndarray) -> float:
    """Return the least p-value, times their number, of chi-squares of cards, lengths and points of two samples."""
    p_values = []
    for a, b in zip(count_tables(first), count_tables(second), strict=True):
        rare = a + b < 20
        a, b = (np.append(part[~rare], part[rare].sum()).astype(float) for part in (a, b))
        a, b = a[a + b > 0], b[a + b > 0]
        if len(a) > 1:
            root = np.sqrt(b.sum() / a.sum())
            p_values.append(chi2.sf((((root * a - b / root) ** 2) / (a + b)).sum(), len(a) - 1))
    return float(min(p_values) * len(p_values))


def count_tables(hands: np.ndarray) -> list[np.ndarray]:
    lanes = np.stack([(hands >> np.uint64(shift)).astype(np.int64) & 8191 for shift in (48, 32, 16, 0)])
    lengths = np.bitwise_count(lanes).astype(np.int64)
    points = sum(weight * (lanes >> 8 + weight & 1) for weight in (1, 2, 3, 4)).sum(axis=0)  # type: ignore[union-attr]
    counts = [(lanes[suit] >> rank & 1).sum(axis=0) for suit in range(4) for rank in range(13)]
    for a, b in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        counts.append(np.bincount(38 * points[:, a] + points[:, b], minlength=38**2))
        counts.append(np.bincount(14 * points[:, a] + lengths[0, :, b], minlength=38 * 14))
        for suit in range(4):
            counts.append(np.bincount(14 * lengths[suit, :, a] + lengths[suit, :, b], minlength=196))
    return counts


def run_conditional(condition: str, seed: int, predeal: dict | None = None, **more: object) -> dk.Result:
    more = {"produce": DEALS, "plan": "conditional", "keep": "all", "threads": 1, **more}
    return dk.run_script(
        f"condition {condition} action", dk.RunOptions(seed=seed, predeal=predeal or {}, **more)
    )


@pytest.mark.parametrize("name", CONDITIONS)
def test_branches_deal_the_distribution_of_plain_dealing(name: str) -> None:
    condition, predeal = CONDITIONS[name]
    plain = run_conditional(condition, 21, predeal, plan="plain", generate=DEALT)
    conditional = run_conditional(condition, 22, predeal)
    assert plain.produced > 1500
    assert isinstance(conditional.plan.sampling.sampler, Mixture) == (name not in SINGLE)
    if "rnd" not in condition:
        assert len(conditional.deals.where(condition)) == DEALS
    assert agreement(plain.deals.hands, conditional.deals.hands) > LEVEL
    error = np.hypot(plain.probability.se, conditional.probability.se)
    assert abs(plain.probability.value - conditional.probability.value) < 5 * error


def test_deals_that_meet_several_branches_would_be_too_many_without_the_test(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dealerkit.planning import sampling

    condition, _ = CONDITIONS["overlapping"]
    plain = run_conditional(condition, 21, plan="plain", generate=DEALT)
    monkeypatch.setattr(sampling.FirstBranch, "seats", lambda self, branch: 0)
    assert agreement(plain.deals.hands, run_conditional(condition, 22).deals.hands) < LEVEL


@pytest.mark.parametrize("name", ["predeal", "filter in a branch"])
def test_a_wrong_probability_of_a_branch_is_detected(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison detects that the first branch is sampled a tenth too often."""
    condition, predeal = CONDITIONS[name]
    plain = run_conditional(condition, 21, predeal, plan="plain", generate=DEALT)

    def wrong(self: Mixture) -> tuple[Fraction, ...]:
        return (self.samplers[0].share / self.share * Fraction(11, 10),)

    monkeypatch.setattr(Mixture, "bounds", property(wrong))
    assert agreement(plain.deals.hands, run_conditional(condition, 22, predeal).deals.hands) < LEVEL


def test_two_ors_are_multiplied_out() -> None:
    """The share is four times the probability of six spades here and six hearts there, counted by lengths."""
    deals = sum(
        comb(13, a) * comb(13, h) * comb(26, 13 - a - h) * comb(13 - h, b) * comb(26 + h, 13 - b)
        for a in range(6, 14)
        for h in range(14 - a)
        for b in range(6, 14)
    )
    result = run_conditional(
        "(spades(north) >= 6 or spades(south) >= 6) and (hearts(east) >= 6 or hearts(west) >= 6)", 1
    )
    assert len({branch.slots for branch in result.plan.sampling.branches}) == 4
    assert result.plan.sampling.share == Fraction(4 * deals, HANDS * comb(39, 13))
    assert result.proposed < DEALS * 1.02


def test_share_is_the_sum_of_the_counted_branches() -> None:
    """Ten spades or more with north, or ten hearts or more with east."""
    hands = sum(comb(13, k) * comb(39, 13 - k) for k in range(10, 14))
    result = run_conditional("spades(north) >= 10 or hearts(east) >= 10", 1)
    assert result.plan.sampling.share == Fraction(2 * hands, HANDS)
    assert result.proposed < DEALS * 1.01


def test_an_or_of_one_possible_branch_is_exact() -> None:
    result = run_conditional("hearts(east) >= 10 or hcp(north) >= 38", 1)
    hands = sum(comb(13, k) * comb(39, 13 - k) for k in range(10, 14))
    assert result.proposed == DEALS
    assert result.probability.exact
    assert result.probability.fraction == Fraction(hands, HANDS)


def test_threads_and_processes_change_nothing() -> None:
    condition, _ = CONDITIONS["overlapping"]
    first = run_conditional(condition, 5)
    for threads in (2, 3):
        second = run_conditional(condition, 5, threads=threads)
        assert np.array_equal(first.deals.hands, second.deals.hands)
        assert first.proposed == second.proposed
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert np.array_equal(first.deals.hands, run_conditional(condition, 5, executor=pool).deals.hands)


def test_number_produced_under_a_generate_limit_is_binomial() -> None:
    """The numbers of 300 runs of 3,000 deals agree with the acceptance rate, which is counted exactly."""
    condition = "hcp(north) >= 21 or hcp(south) >= 21"
    chance = dk.probability(condition)
    assert chance.exact
    counts = [
        run_conditional(condition, seed, produce=None, generate=3000, keep=0, statistics=False).produced
        for seed in range(300)
    ]
    values = np.arange(max(counts) + 80)
    expected = 300 * binom.pmf(values, 3000, float(chance.fraction))
    observed = np.bincount(counts, minlength=len(values))
    common = expected >= 8
    a, b = (
        np.append(observed[common], observed[~common].sum()),
        np.append(expected[common], expected[~common].sum()),
    )
    assert chi2.sf(((a - b) ** 2 / b).sum(), len(a) - 1) > LEVEL


def test_branches_that_no_deal_meets() -> None:
    condition = "(hcp(north) >= 38 or hcp(south) >= 39) and hcp(east) < 30"
    with pytest.warns(UnsatisfiableWarning, match="no deal can meet"):
        result = run_conditional(condition, 1)
    assert (result.produced, result.proposed) == (0, 0)
    assert result.plan.is_impossible


def test_a_replaced_function_is_evaluated_in_its_new_form() -> None:
    condition = "(hcp(north) >= 18 and ownsign(south) == 1) or hcp(south) >= 19"
    try:
        for sign in (1, 0):

            @dk.function("ownsign", args=["seat"], low=0, high=1, replace=True)
            def ownsign(deals: dk.Deals, seat: int, sign: int = sign) -> np.ndarray:
                return np.full(len(deals), sign)

            north = run_conditional(condition, 3).deals.where("hcp(north) >= 18 and hcp(south) < 19")
            assert (len(north) > 0) == (sign == 1)
    finally:
        registry.unregister("ownsign")


@pytest.mark.parametrize(
    "condition",
    [
        "hcp(north) >= 18 or rnd(10) == 0",
        "hcp(north) >= 20 or cccc(south) >= 20",
        "hcp(north) >= 20 or hcp(south) >= 5",
        "spades(north) > 0 and hcp(north) / spades(north) > 18 or hcp(south) >= 20",
        " or ".join(f"hascard({seat}, {card}) and hcp({seat}) > 19" for seat in ("north", "east", "south")
                    for card in ("AS", "AH", "AD")),
    ],
)  # fmt: skip
def test_an_or_that_cannot_be_split_is_not_split(condition: str) -> None:
    sampling = run_conditional(condition, 1, produce=10).plan.sampling
    assert sampling is None or not isinstance(sampling.sampler, Mixture)


def test_a_short_run_does_not_split_an_or() -> None:
    assert (
        run_conditional("hcp(north) >= 20 or hcp(south) >= 20", 1, produce=100, plan="auto").plan.name
        == "plain"
    )


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("condition", "produce", "times"),
    [
        ("(hcp(north) >= 18 and hcp(south) >= 10) or (hcp(south) >= 18 and hcp(north) >= 10)", 200_000, 1.4),
        ("hcp(north) >= 22 or hcp(south) >= 22", 50_000, 5.0),
    ],
)
def test_branches_save_more_time_than_they_cost(condition: str, produce: int, times: float) -> None:
    def seconds(plan: str) -> float:
        best = float("inf")
        for _ in range(3):
            before = time.process_time()
            run_conditional(condition, 2, plan=plan, produce=produce, keep=0, statistics=False)
            best = min(best, time.process_time() - before)
        return best

    assert run_conditional(condition, 2, plan="auto", produce=produce, keep=0).plan.name == "conditional"
    assert seconds("plain") > times * seconds("auto")


def test_explain_names_the_branches() -> None:
    explanation = dk.explain("condition hcp(east) < 17 and (hcp(north) >= 22 or hearts(south) >= 9) action")
    text = "\n".join(explanation.dealing)
    assert "one branch of clause 2, and kept if it meets no earlier one" in text
    nine = sum(comb(13, k) * comb(39, 13 - k) for k in range(9, 14))
    assert "For `hearts(south) >= 9`" in text
    assert f"from the {nine:,} hands that the branch allows" in text
    assert explanation.plan.sampling.share < Fraction(1, 100)
