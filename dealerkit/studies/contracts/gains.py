"""Gains of contracts and strategies: over the best of the others, over one of them, or over a field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dealerkit.statistics import Estimate
from dealerkit.statistics.derived import Summary, TwoPhaseSample, estimate_mean, estimate_share
from dealerkit.statistics.simultaneous import bound_with_best
from dealerkit.studies.contracts.outcomes import ContractQuestion

LEAST_SCALE = 1e-6  # of the variance of a gain that no interval shown depends on


def share_error(question: ContractQuestion, confidence: float) -> float:
    """Return the confidence of each comparison with which all together have the given one (Bonferroni)."""
    return 1 - (1 - confidence) / max(len(question.comparisons), 1)


def list_gains(
    question: ContractQuestion, found: Sequence[Estimate], confidence: float
) -> dict[int, Estimate]:
    """Return the gain of each strategy, from those of all comparisons at one vulnerability.

    Where all pairs are compared it is the gain over the best of the others (Edwards and Hsu, see
    `dealerkit.statistics.simultaneous.compare_with_best`).
    """
    together = [replace(estimate, confidence=confidence) for estimate in found]
    if not question.compares_pairs:
        return {each.strategy: gain for each, gain in zip(question.comparisons, together, strict=True)}
    # Both directions of each pair
    gains, low, high, errors = np.zeros((4, len(question.strategies), len(question.strategies)))
    for (k, ((other, _), *_)), gain in zip(question.comparisons, together, strict=True):
        gains[k, other], low[k, other], high[k, other] = gain.value, gain.lo, gain.hi
        gains[other, k], low[other, k], high[other, k] = -gain.value, -gain.hi, -gain.lo
        errors[k, other] = errors[other, k] = gain.se
    best = bound_with_best(gains, errors, low, high)
    return dict(enumerate(best.list_estimates(together[0].n, confidence)))


@dataclass(frozen=True)
class GainMeans:
    """The gains of all comparisons, then the shares of contracts made or beaten, of the columns of a sample.

    The widths by which a study ends are those of the intervals that it shows: those of `list_gains`.

    Parameters
    ----------
    question : ContractQuestion
    confidence : float
        Of the shares, and of the gains together.
    """

    question: ContractQuestion
    confidence: float

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimates, those of gains with `confidence` each."""
        question, means = self.question, sample.estimate()
        n_states = len(question.states)
        n_gains = len(question.comparisons) * n_states
        gains = [estimate_mean(sample, means, column, confidence) for column in range(n_gains)]
        shares = [
            estimate_share(sample, means, column, self.confidence)
            for column in range(n_gains, len(means.means))
        ]
        estimates = (*gains, *shares)
        widths = np.array([(each.hi - each.lo) / 2 for each in estimates])
        if not question.compares_pairs:
            return Summary(means, estimates, tuple(widths.tolist()))
        # A pair counts with the wider of the two intervals shown, if one of the two may be the best.
        shown = widths.copy()
        for state in range(n_states):
            found = list_gains(question, gains[state::n_states], self.confidence)
            for number, (k, ((other, _), *_)) in enumerate(question.comparisons):
                pair = found[k], found[other]
                is_shown = any(gain.hi >= 0 for gain in pair)
                wider = max((gain.hi - gain.lo) / 2 for gain in pair)
                shown[number * n_states + state] = wider if is_shown else 0.0
        # Variances in the same proportion, by which the size of the sample is decided
        scale = np.maximum((shown / np.maximum(widths, 1e-300)) ** 2, LEAST_SCALE)
        scaled = replace(
            means,
            covariance=means.covariance * np.sqrt(np.outer(scale, scale)),
            variance=means.variance * scale,
            residuals=means.residuals * scale,
        )
        return Summary(scaled, estimates, tuple(shown.tolist()))
