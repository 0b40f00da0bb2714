"""Every plan gives the same distribution: conditional and staged deals against plain ones, condition by condition."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.stats import chi2

import dealerkit as dk
from dealerkit import registry
from dealerkit.dealing.conditional import hand_tables as handtables
from dealerkit.dealing.conditional import joint_lengths
from dealerkit.dealing.conditional import sampler as conditional
from dealerkit.dealing.conditional import seat_sampler as conditional_seats
from dealerkit.planning import sampling

DEALS = 12_000  # of each plan, while plain dealing finds them among so many:
DEALT = 3_000_000
LEVEL = 1e-6  # least p-value of a condition, after Bonferroni over its tables
BALANCED = "any 4333 + any 4432 + any 5332"

# name: (condition, predeal, whether it can be sampled)
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
    # what must keep its place
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


def deals_of(
    condition: str, predeal: dict, plan: str, seed: int, most: int = DEALS
) -> tuple[np.ndarray, str]:
    """Hands of the produced deals, and the name of the plan that was taken."""
    limits = {"generate": DEALT} if plan == "plain" else {}
    result = dk.run(
        f"condition {condition} action", produce=most, seed=seed, predeal=predeal, plan=plan, keep="all",
        threads=1, **limits,
    )  # fmt: skip
    return result.deals.hands, result.plan.name


def tables(hands: np.ndarray) -> list[np.ndarray]:
    """Counts: owner of each card; lengths and points of each seat; both for pairs of seats."""
    found = []
    points = np.zeros(hands.shape, dtype=np.int64)
    lengths = np.empty((4, *hands.shape), dtype=np.int64)
    for suit in range(4):
        lanes = (hands >> np.uint64(48 - 16 * suit)).astype(np.int64) & 8191
        lengths[suit] = np.bitwise_count(lanes)
        for rank in range(13):
            found.append((lanes >> rank & 1).sum(axis=0))
            points += max(0, rank - 8) * (lanes >> rank & 1)
        found += [np.bincount(lengths[suit, :, seat], minlength=14) for seat in range(4)]
        found += [
            np.bincount(14 * lengths[suit, :, a] + lengths[suit, :, b], minlength=196) for a, b in JOINT
        ]
    found += [np.bincount(points[:, seat], minlength=38) for seat in range(4)]
    found += [np.bincount(38 * points[:, a] + points[:, b], minlength=38**2) for a, b in JOINT]
    for seat in range(4):  # shape with points, spades with hearts, hearts with diamonds
        shape = np.sort(lengths[:, :, seat], axis=0)
        kind = (14 * shape[3] + shape[2]) * 14 + shape[1]
        found.append(np.bincount(10 * kind + points[:, seat] // 4, minlength=27_440))
        for suit in (0, 1):
            found.append(np.bincount(14 * lengths[suit, :, seat] + lengths[suit + 1, :, seat], minlength=196))
    return found


def p_value(one: np.ndarray, other: np.ndarray) -> float:
    """Of two tables of counts from one distribution (chi-square, rare cells together)."""
    common = one + other >= 20
    pairs = [
        (one[common], other[common]),
        (one[~common].sum(keepdims=True), other[~common].sum(keepdims=True)),
    ]
    a, b = (np.concatenate(part).astype(float) for part in zip(*pairs, strict=True))
    a, b = a[a + b > 0], b[a + b > 0]
    if len(a) < 2:
        return 1.0
    one_size, other_size = a.sum(), b.sum()
    expected = (a + b) * one_size / (one_size + other_size)
    statistic = ((a - expected) ** 2 / expected).sum() * (one_size + other_size) / other_size
    return float(chi2.sf(statistic, len(a) - 1))


def agreement(one: np.ndarray, other: np.ndarray) -> float:
    """The least p-value of all tables of two samples of deals, times their number."""
    found = [p_value(a, b) for a, b in zip(tables(one), tables(other), strict=True)]
    return min(found) * len(found)


@pytest.mark.parametrize("name", CONDITIONS)
def test_all_plans_deal_the_same_distribution(name: str) -> None:
    condition, predeal = CONDITIONS[name]
    plain, plan = deals_of(condition, predeal, "plain", seed=11)
    assert plan == "plain" and len(plain) > 2_000
    # plain deals are those of the stream that meet the condition, whatever was left undealt
    some = dk.run("action", generate=20_000, seed=11, predeal=predeal, keep="all", threads=1).deals
    if "rnd" not in condition:
        met = some.where(condition).hands
        assert np.array_equal(plain[: len(met)], met[: len(plain)])
    staged, _ = deals_of(condition, predeal, "staged", seed=11, most=len(plain))
    assert np.array_equal(staged, plain)
    drawn, plan = deals_of(condition, predeal, "conditional", seed=12, most=DEALS)
    assert plan == "conditional"
    if "rnd" not in condition:
        assert len(dk.Deals(drawn).where(condition)) == len(drawn) == DEALS
    assert agreement(plain, drawn) > LEVEL


def test_there_are_enough_conditions() -> None:
    assert len(CONDITIONS) >= 30


@pytest.mark.parametrize("name", ["balanced 20-22", "partners", "three"])
def test_a_wrong_weight_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same comparison, with half of the classes of lengths drawn half as often again as they should."""
    condition, predeal = CONDITIONS[name]
    plain, _ = deals_of(condition, predeal, "plain", seed=11)
    right = joint_lengths.multiply_counts

    def wrong(ways: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        upper, lower = right(ways)
        heavy = np.arange(len(lower)) < len(lower) // 2
        half = np.uint64(1)
        return upper + (upper >> half) * heavy, lower + (lower >> half) * (heavy & (upper == 0))

    assert agreement(plain, deals_of(condition, predeal, "conditional", seed=12)[0]) > LEVEL
    monkeypatch.setattr(sampling, "cached_samplings", OrderedDict())
    monkeypatch.setattr(joint_lengths, "multiply_counts", wrong)
    assert agreement(plain, deals_of(condition, predeal, "conditional", seed=12)[0]) < LEVEL


def test_a_wrong_hand_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """And with half of the holdings of each class in the place of the others, which are as long and as strong."""
    condition, predeal = CONDITIONS["balanced 20-22"]
    plain, _ = deals_of(condition, predeal, "plain", seed=11)
    right = conditional.build_first_tables

    def wrong(*arguments: object) -> tuple:
        first = right(*arguments)  # type: ignore[arg-type]
        entries, _, members = first[2]
        for entry in np.unique(entries[:, 2]).tolist():
            start, count = entry >> 16, entry & 0xFFFF
            members[start + (count + 1) // 2 : start + count] = members[start : start + count // 2]
        return first

    monkeypatch.setattr(sampling, "cached_samplings", OrderedDict())
    monkeypatch.setattr(conditional_seats, "build_first_tables", wrong)
    assert agreement(plain, deals_of(condition, predeal, "conditional", seed=12)[0]) < LEVEL


def test_a_hand_with_too_large_a_table_is_not_sampled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """North's demands are the rarest, but only south's table is small enough."""
    condition = "hcp(north) >= 24 and controls(north) <= 7 and hcp(south) <= 9 and hearts(south) >= 6"

    def drawn() -> dk.Result:
        monkeypatch.setattr(sampling, "cached_samplings", OrderedDict())
        return dk.run(f"condition {condition} action", produce=200, seed=1, plan="conditional")

    assert drawn().plan.sampling.sampler.seats[0][0] == 0
    monkeypatch.setattr(handtables, "MAX_STATES", 10_000)
    few = drawn()
    assert few.plan.sampling.sampler.seats[0][0] == 2
    assert len(few.deals.where(condition)) == 200


def test_equal_samples_have_even_p_values() -> None:
    """The comparison itself: p-values of two plain samples are spread evenly, so that small ones mean something."""
    hands = dk.deal(80_000, seed=5).hands
    found = np.concatenate(
        [
            [
                p_value(a, b)
                for a, b in zip(
                    tables(hands[k : k + 2_000]), tables(hands[k + 2_000 : k + 4_000]), strict=True
                )
            ]
            for k in range(0, 80_000, 4_000)
        ]
    )
    assert found.min() * len(found) > LEVEL
    assert np.mean(found < 0.5) == pytest.approx(0.5, abs=0.06)
