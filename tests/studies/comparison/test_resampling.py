"""Samples of whole deals with replacement: every deal is equally likely, samples are independent."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit.studies.comparison.side_data import count_resamples


def test_all_deals_are_equally_likely():
    deals, replicates = 40, 3000
    counts = count_resamples(deals, range(replicates), seed=5)
    assert (counts.sum(axis=1) == deals).all()
    chi = ((counts.sum(axis=0) - replicates) ** 2 / replicates).sum()
    assert chi < 75  # 39 degrees of freedom: one in 2,000
    # Binomial of 40 trials: variance 1 - 1/40; sampling error of a variance over 120,000 counts is 0.6 %.
    assert counts.var() == pytest.approx(1 - 1 / deals, rel=0.03)
    np.testing.assert_array_equal(count_resamples(deals, range(7, 9), seed=5), counts[7:9])
    assert (count_resamples(deals, range(1), seed=6) != counts[0]).any()
    # Neighbouring replicates are uncorrelated.
    together = np.corrcoef(counts[:-1].ravel(), counts[1:].ravel())[0, 1]
    assert abs(together) < 0.015
