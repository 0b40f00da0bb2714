"""Quantiles compared with numpy and with simulated coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dealerkit import ArgumentError
from dealerkit.statistics import Quantiles


@pytest.mark.parametrize("weighted", [False, True])
def test_quantiles_against_numpy(rng, weighted):
    values = rng.integers(0, 30, 1001)
    weights = rng.integers(1, 9, 1001) / 8 if weighted else None
    result = Quantiles()
    for part in np.array_split(np.arange(1001), 5):
        other = Quantiles()
        other.update(values[part], None if weights is None else weights[part])
        result.merge(other)
    for q in (0, 0.01, 0.25, 0.5, 0.9, 0.999, 1):
        expected = np.quantile(values, q, method="inverted_cdf", weights=weights)
        assert result.quantile(q).value == expected


def test_quantiles_in_units():
    result = Quantiles(unit=0.5)
    result.update(np.array([6.5, 7.0, 7.5, 8.0, 8.5]))
    assert [result.quantile(q).value for q in (0.2, 0.5, 1)] == [6.5, 7.5, 8.5]
    with pytest.raises(ArgumentError, match="units 0.5 and 1"):
        result.merge(Quantiles())
    with pytest.raises(ArgumentError, match="finite"):
        result.update(np.array([math.nan]))
    assert math.isnan(Quantiles().quantile(0.5).value)


def test_coverage_of_quantile_intervals(rng):
    runs, level, covered = 1000, 0.9, 0
    for _ in range(runs):
        result = Quantiles(unit=0.001)
        result.update(rng.normal(size=300))
        median = result.quantile(0.5, level)
        covered += median.lo <= 0 <= median.hi
    # The interval ends at values, so its coverage steps by about 0.02 between numbers of values.
    assert abs(covered / runs - level) < 5 * math.sqrt(level * (1 - level) / runs) + 0.02
