"""Every plan gives the same distribution: conditional and staged deals against plain ones, condition by condition."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.stats import chi2

import dealerkit as dk
from dealerkit import registry
from dealerkit.dealing.conditional import hand_tables, joint_lengths, preparation, sampler
from dealerkit.planning import sampling

DEALS = 12_000  # produced by each plan,
DEALT = 3_000_000  # unless plain dealing has dealt this many
LEVEL = 1e-6  # least p-value of a condition, after Bonferroni over its tables
BALANCED = "any 4333 + any 4432 + any 5332"

# name: (condition, predeal)
CONDITIONS = {
    # one hand
    "balanced 20-22": (f"shape(north, {BALANCED}) and hcp(north) >= 20 and hcp(north) <= 22", {}),
    "weak two": ("hcp(south) >= 6 and hcp(south) <= 10 and spades(south) == 6 and top3(south, spades) >= 2", {}),
    "michaels": ("hcp(west) >= 8 and hcp(west) <= 16 and shape(west, 55xx)", {}),
    "losers": ("losers(east) <= 5 and hearts(east) >= 5", {}),
    "ltc": ("ltc(north) < 5.5 and hcp(north) <= 13", {}),
    "controls": ("controls(north) >= 6 and hcp(north) <= 15", {}),
    "hascard": ("hascard(west, AS) and hascard(west, KH) and not hascard(west, QD) and hcp(west) < 14", {}),
    "short honours": ("top3(north, clubs) == 2 and clubs(north) <= 3 and diamonds(north) != hearts(north)", {}),
    "shape{}": ("shape{east, 5+s5+hxx} and hcp(east) >= 9", {}),
    "freak": ("shape{south, 7+m(xxx)} and hcp(south) <= 10", {}),
    "yarborough": ("hcp(north) == 0 and tens(north) <= 1", {}),
    "cccc": ("cccc(north) >= 15.2 and spades(north) >= 5 and hcp(north) >= 12", {}),
    "quality": ("quality(east, hearts) >= 3 and hearts(east) == 5", {}),
    "sums of suits": ("hcp(north, spades) + hcp(north, hearts) >= 12 and spades(north) > clubs(north)", {}),
    # partners, opponents
    "partners": ("hcp(north) >= 15 and hearts(south) >= 5 and hcp(south) <= 7", {}),
    "stayman": (f"shape(east, {BALANCED}) and hcp(east) >= 15 and shape(west, 3451 + 4351 + 44xx) and hcp(west) < 9", {}),
    "opponents": ("hcp(north) >= 12 and spades(north) >= 5 and hcp(east) >= 12 and hearts(east) >= 5", {}),
    "fit": ("hcp(north) >= 16 and spades(north) + spades(south) >= 8", {}),
    "slam": ("hcp(north) >= 17 and hcp(north) + hcp(south) >= 31", {}),
    "side": ("hcp(north) + hcp(south) >= 30 and hearts(north) + hearts(south) >= 8", {}),
    "same lengths": ("spades(north) == spades(west) and hcp(north) >= 15 and hcp(west) >= 12", {}),
    "cards of two": (
        "hascard(north, AS) and hascard(south, KS) and not hascard(south, QS) and hascard(east, AH)"
        " and hcp(north) > 11", {},
    ),
    "cards and predeal": ("hascard(south, AC) and hascard(east, KC) and hcp(east) >= 12", {"west": "CQJ", "east": "S2"}),
    "cccc of two": ("cccc(north) + cccc(south) >= 24 and spades(south) >= 5 and hcp(north) > 12", {}),
    # three and four seats
    "three": (
        f"hcp(north) >= 15 and hcp(north) <= 17 and shape(north, {BALANCED}) and hearts(south) == 5"
        " and spades(east) >= 5 and hcp(east) >= 8", {},
    ),
    "three points": ("hcp(north) > 11 and hcp(east) > 8 and hcp(south) > 9 and losers(east) < 8", {}),
    "four": ("spades(north) >= 5 and hearts(east) >= 5 and hcp(south) <= 7 and diamonds(west) >= 4", {}),
    "four lengths": ("spades(north) >= 4 and hearts(east) >= 4 and diamonds(south) >= 4 and clubs(west) >= 4", {}),
    # or-conditions
    "or of shapes": ("hcp(north) >= 10 and (shape(north, 55xx) or shape(north, 5x5x) or shape(north, xx55))", {}),
    "or of hands": ("(hcp(north) >= 20 and spades(north) >= 4) or (hcp(north) <= 3 and spades(north) >= 6)", {}),
    "or of partners": ("(hcp(north) >= 17 and hcp(south) >= 8) or (hcp(north) <= 4 and hcp(south) >= 16)", {}),
    "or of seats": ("hcp(north) >= 19 or hcp(south) >= 19", {}),
    "or and more": ("(hearts(west) >= 6 or spades(west) >= 6) and hcp(west) <= 9 and hcp(north) >= 13", {}),
    # predeal
    "cards": ("hcp(north) >= 16 and hcp(east) >= 10", {"north": "SAK,HQ", "west": "DAQJ"}),
    "lengths": ("hcp(north) >= 13 and hcp(south) >= 10", {"north": {"spades": 5}, "south": {"hearts": 4}}),
    "small cards": ("hcp(south) >= 17", {"south": "SAKxx", "east": "HQTxx"}),
    "whole hand": ("hcp(west) >= 12 and hcp(west) <= 14 and shape(west, 4333 + 44xx)", {"north": "QT76.J83.94.Q952"}),
    # clauses that keep their place
    "guard": ("hcp(south) >= 12 and spades(north) > 0 and hcp(north) / spades(north) >= 4", {}),
    "remainder": ("hcp(north) >= 14 and clubs(north) > 1 and hcp(north) % clubs(north) == 0", {}),
    "rnd": ("hcp(north) >= 18 and rnd(100) < 40 and hcp(south) >= 6", {}),
    "rnd by points": ("hcp(north) >= 12 and rnd(40) < hcp(north)", {}),
    "own function": ("oddcards(north) >= 6 and hcp(north) >= 15 and spades(south) >= 4", {}),
}  # fmt: skip
JOINT = ((0, 2), (1, 3), (0, 1), (2, 3))


@pytest.fixture(scope="module", autouse=True)
def own_function() -> Iterator[None]:
    @dk.function("oddcards", args=["seat"], low=0, high=13, replace=True)
    def oddcards(deals: dk.Deals, seat: int) -> np.ndarray:
        odd = np.uint64(0x0AAA0AAA0AAA0AAA)
        return np.bitwise_count(deals.hands[:, seat] & odd).astype(np.int64)

    yield
    registry.unregister("oddcards")


def run_plan(
    condition: str, predeal: dict, plan: str, seed: int, max_deals: int = DEALS
) -> tuple[np.ndarray, str]:
    """Return the hands of the produced deals, and the name of the plan."""
    limits = {"generate": DEALT} if plan == "plain" else {}
    result = dk.run_script(
        f"condition {condition} action", dk.RunOptions(produce=max_deals, seed=seed, predeal=predeal, plan=plan, keep="all",
        threads=1, **limits)
    )  # fmt: skip
    return result.deals.hands, result.plan.name


def count_tables(hands: np.ndarray) -> list[np.ndarray]:
    """Return counts of the owner of each card, of lengths and points of each seat and of pairs of seats."""
    counts = []
    points = np.zeros(hands.shape, dtype=np.int64)
    lengths = np.empty((4, *hands.shape), dtype=np.int64)
    for suit in range(4):
        lanes = (hands >> np.uint64(48 - 16 * suit)).astype(np.int64) & 8191
        lengths[suit] = np.bitwise_count(lanes)
        for rank in range(13):
            counts.append((lanes >> rank & 1).sum(axis=0))
            points += max(0, rank - 8) * (lanes >> rank & 1)
        counts += [np.bincount(lengths[suit, :, seat], minlength=14) for seat in range(4)]
        counts += [
            np.bincount(14 * lengths[suit, :, a] + lengths[suit, :, b], minlength=196) for a, b in JOINT
        ]
    counts += [np.bincount(points[:, seat], minlength=38) for seat in range(4)]
    counts += [np.bincount(38 * points[:, a] + points[:, b], minlength=38**2) for a, b in JOINT]
    for seat in range(4):  # shape with points, spades with hearts, hearts with diamonds
        shape = np.sort(lengths[:, :, seat], axis=0)
        kind = (14 * shape[3] + shape[2]) * 14 + shape[1]
        counts.append(np.bincount(10 * kind + points[:, seat] // 4, minlength=27_440))
        for suit in (0, 1):
            counts.append(
                np.bincount(14 * lengths[suit, :, seat] + lengths[suit + 1, :, seat], minlength=196)
            )
    return counts


def p_value(first: np.ndarray, second: np.ndarray) -> float:
    """Return the p-value of two tables of counts from the same distribution (chi-square, rare cells pooled)."""
    common = first + second >= 20
    pairs = [
        (first[common], second[common]),
        (first[~common].sum(keepdims=True), second[~common].sum(keepdims=True)),
    ]
    a, b = (np.concatenate(part).astype(float) for part in zip(*pairs, strict=True))
    a, b = a[a + b > 0], b[a + b > 0]
    if len(a) < 2:
        return 1.0
    first_size, second_size = a.sum(), b.sum()
    expected = (a + b) * first_size / (first_size + second_size)
    statistic = ((a - expected) ** 2 / expected).sum() * (first_size + second_size) / second_size
    return float(chi2.sf(statistic, len(a) - 1))


def agreement(first: np.ndarray, second: np.ndarray) -> float:
    """Return the least p-value of all tables of two samples of deals, times their number."""
    p_values = [p_value(a, b) for a, b in zip(count_tables(first), count_tables(second), strict=True)]
    return min(p_values) * len(p_values)


@pytest.mark.parametrize("name", CONDITIONS)
def test_all_plans_deal_the_same_distribution(name: str) -> None:
    condition, predeal = CONDITIONS[name]
    plain, plan = run_plan(condition, predeal, "plain", seed=11)
    assert plan == "plain" and len(plain) > 2_000
    # plain deals are those of the stream that meet the condition, also if some seats are dealt later
    unconditional = dk.run_script(
        "action", dk.RunOptions(generate=20_000, seed=11, predeal=predeal, keep="all", threads=1)
    ).deals
    if "rnd" not in condition:
        expected = unconditional.where(condition).hands
        assert np.array_equal(plain[: len(expected)], expected[: len(plain)])
    staged, _ = run_plan(condition, predeal, "staged", seed=11, max_deals=len(plain))
    assert np.array_equal(staged, plain)
    sampled, plan = run_plan(condition, predeal, "conditional", seed=12, max_deals=DEALS)
    assert plan == "conditional"
    if "rnd" not in condition:
        assert len(dk.Deals(sampled).where(condition)) == len(sampled) == DEALS
    assert agreement(plain, sampled) > LEVEL


def test_there_are_enough_conditions() -> None:
    assert len(CONDITIONS) >= 30


@pytest.mark.parametrize("name", ["balanced 20-22", "partners", "three"])
def test_a_wrong_weight_is_detected(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison detects that half of the classes of lengths are sampled 1.5 times as often as they should."""
    condition, predeal = CONDITIONS[name]
    plain, _ = run_plan(condition, predeal, "plain", seed=11)
    right = joint_lengths.multiply_counts

    def wrong(ways: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        upper, lower = right(ways)
        heavy = np.arange(len(lower)) < len(lower) // 2
        half = np.uint64(1)
        return upper + (upper >> half) * heavy, lower + (lower >> half) * (heavy & (upper == 0))

    assert agreement(plain, run_plan(condition, predeal, "conditional", seed=12)[0]) > LEVEL
    monkeypatch.setattr(sampling, "cached_samplings", OrderedDict())
    monkeypatch.setattr(joint_lengths, "multiply_counts", wrong)
    assert agreement(plain, run_plan(condition, predeal, "conditional", seed=12)[0]) < LEVEL


def test_a_wrong_hand_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison detects that half of the holdings of each class replace equally long and strong ones."""
    condition, predeal = CONDITIONS["balanced 20-22"]
    plain, _ = run_plan(condition, predeal, "plain", seed=11)
    right = sampler.build_first_tables

    def wrong(*arguments: object) -> tuple:
        first = right(*arguments)  # type: ignore[arg-type]
        entries, _, members = first[2]
        for entry in np.unique(entries[:, 2]).tolist():
            start, count = entry >> 16, entry & 0xFFFF
            members[start + (count + 1) // 2 : start + count] = members[start : start + count // 2]
        return first

    monkeypatch.setattr(sampling, "cached_samplings", OrderedDict())
    monkeypatch.setattr(preparation, "build_first_tables", wrong)
    assert agreement(plain, run_plan(condition, predeal, "conditional", seed=12)[0]) < LEVEL


def test_a_hand_with_too_large_a_table_is_not_sampled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """North's hand is the rarest, but only south's table is small enough."""
    condition = "hcp(north) >= 24 and controls(north) <= 7 and hcp(south) <= 9 and hearts(south) >= 6"

    def sampled() -> dk.Result:
        monkeypatch.setattr(sampling, "cached_samplings", OrderedDict())
        return dk.run(f"condition {condition} action", produce=200, seed=1, plan="conditional")

    assert sampled().plan.sampling.sampler.seats[0][0] == 0
    monkeypatch.setattr(hand_tables, "MAX_STATES", 10_000)
    few = sampled()
    assert few.plan.sampling.sampler.seats[0][0] == 2
    assert len(few.deals.where(condition)) == 200


def test_equal_samples_have_uniform_p_values() -> None:
    """p-values of two plain samples are uniform, so that small ones are significant."""
    hands = dk.deal(80_000, seed=5).hands
    p_values = np.concatenate(
        [
            [
                p_value(a, b)
                for a, b in zip(
                    count_tables(hands[k : k + 2_000]),
                    count_tables(hands[k + 2_000 : k + 4_000]),
                    strict=True,
                )
            ]
            for k in range(0, 80_000, 4_000)
        ]
    )
    assert p_values.min() * len(p_values) > LEVEL
    assert np.mean(p_values < 0.5) == pytest.approx(0.5, abs=0.06)
