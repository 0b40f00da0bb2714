"""How often 15 equally good evaluators seem to differ: some interval of 105 pairs excludes 0 in 5 of 100 samples."""

from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.studies.sides import choose_strains, find_side_tricks
from tests.support.equal_evaluators import draw_evaluators

EVALUATORS = 15


def differs(pairs, name=""):
    low, high = (pairs[f"{name}_{end}" if name else end] for end in ("lo", "hi"))
    return bool(((low > 0) | (high < 0)).any())


def count_findings(size, trials, better=0.0, evaluators=EVALUATORS, **options):
    """Return in how many samples some pair differs, by each kind of figure, and the first is excluded as best."""
    deals, random, counts = dk.solved_sample(), np.random.default_rng(size), Counter()
    tricks = find_side_tricks(deals, choose_strains(deals, "best major"))
    for seed in range(trials):
        chosen = random.choice(len(deals), size, replace=False)
        measures = draw_evaluators(tricks[chosen], random, evaluators, better)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of rare decisions in few deals
            trial = dk.compare(measures, sample=deals[chosen], seed=seed, replicates=200, **options)
        counts["R2"] += differs(trial.pairs)
        counts["excluded"] += not trial.best.possible.iloc[0]
        if options:
            counts["gain"] += differs(trial.decision.pairs)
            counts["AUC"] += differs(trial.predictions.pairs, "AUC")
            counts["brier"] += differs(trial.predictions.pairs, "brier")
    return counts


def most_of(trials, share=0.05):
    """Return the number of findings that is exceeded once in a thousand repeats of the test."""
    stats = pytest.importorskip("scipy.stats")
    return stats.binom.ppf(0.999, trials, share)


@pytest.mark.slow
@pytest.mark.parametrize("size", [60, 200, 1000])
def test_equal_evaluators(size):
    counts = count_findings(size, 150)
    # Without the correction for many pairs some pair differs in 85 of 100 samples.
    assert max(counts.values()) <= most_of(150), counts


@pytest.mark.slow
def test_the_best_is_not_excluded():
    counts = count_findings(400, 100, better=0.5)
    assert counts["excluded"] <= most_of(100)
    assert counts["R2"] > 20  # differences that exist are found


def test_five_equal_guides():
    counts = count_findings(60, 8, evaluators=5, decision=("4M", "3M"), vulnerable=True, events=["game"])
    assert max(counts.values()) <= most_of(8), counts


@pytest.mark.slow
@pytest.mark.parametrize("size", [60, 240, 400, 1500])
def test_equal_guides_and_equal_probabilities(size):
    counts = count_findings(size, 100, decision=("4M", "3M"), vulnerable=True, events=["game"])
    assert max(counts.values()) <= most_of(100), counts
