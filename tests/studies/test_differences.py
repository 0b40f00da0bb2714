"""Differences deal by deal, against scipy's test for paired values."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit import ArgumentError, difference, imps, score


def test_differences_deal_by_deal(rng):
    stats = pytest.importorskip("scipy.stats")
    tricks = rng.integers(7, 12, 60)
    game, partscore = (score(contract, tricks, vulnerable=True) for contract in ("4S", "3S"))
    for measure, values in {
        "points": game - partscore,
        "imps": np.array([imps(int(a - b)) for a, b in zip(game, partscore, strict=True)]),
        "matchpoints": (1 + np.sign(game - partscore)) / 2,
    }.items():
        found = difference(game, partscore, measure)
        interval = stats.ttest_1samp(values, 0).confidence_interval(0.95)
        assert found.value == pytest.approx(values.mean()) and found.n == 60
        assert (found.lo, found.hi) == pytest.approx(tuple(interval))
    assert difference(game, 140).value == pytest.approx(imps(game - 140).mean())
    assert difference([50], np.array([50], np.uint8)).value == 0


def test_differences_of_deals_that_depend_on_each_other():
    # Each deal three times is the same information as each deal once.
    once = np.array([420, -50, 420, 170, -100])
    plain = difference(once, 140)
    thrice = difference(np.repeat(once, 3), 140, clusters=np.repeat(np.arange(5), 3))
    assert (thrice.value, thrice.lo, thrice.hi) == pytest.approx((plain.value, plain.lo, plain.hi))
    weighted = difference(once, 140, weights=[2, 1, 1, 0, 1])
    assert weighted.value == pytest.approx(imps(np.array([420, 420, -50, 420, -100]) - 140).mean())


def test_invalid_arguments_of_differences():
    with pytest.raises(ArgumentError, match="did you mean 'imps'"):
        difference([50], [50], "imp")
    with pytest.raises(ArgumentError, match="no scores"):
        difference([], [])
    with pytest.raises(ArgumentError, match="weights are all 0"):
        difference([50, 90], [50, 50], weights=[0, 0])
    with pytest.raises(ArgumentError, match="same deals"):
        difference(np.zeros(3), np.zeros(4))
    with pytest.raises(ArgumentError, match="theirs has the value"):
        difference([50.0], [np.nan])
