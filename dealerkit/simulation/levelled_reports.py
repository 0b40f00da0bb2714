"""Reports of a levelled run: natural shares of the hand types, means at natural frequencies, weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dealerkit.actions import Action, AverageReport, Report, TypeReport
from dealerkit.actions.hand_types import TypeCounter
from dealerkit.appearance.wording import join_words
from dealerkit.cards.deals import Deals
from dealerkit.errors import IncompleteWarning, warn_caller
from dealerkit.simulation.levelled_source import Levelling
from dealerkit.statistics import Estimate
from dealerkit.statistics.intervals import share_interval
from dealerkit.statistics.strata import stratified_mean


def complete_reports(
    levelling: Levelling, reports: Sequence[Report], actions: Sequence[Action], confidence: float
) -> None:
    """Add the natural shares of the types, and the means at natural frequencies, to the reports of a run.

    The mean of the levelled deals becomes one over strata too, since the number of deals of each type is set.

    Warns
    -----
    IncompleteWarning
        A type has no deal, so that means at natural frequencies are unknown.
    """
    report = next(report for report in reports if isinstance(report, TypeReport))
    counter = next(action for action in actions if isinstance(action, TypeCounter) and action.is_levelled)
    report.natural = normalise_rates(levelling.rates, confidence)
    report.outside = normalise_rates((*levelling.rates, levelling.outside), confidence)[-1]
    averages = [item for item in reports if isinstance(item, AverageReport)]
    sizes = [Estimate.exactly(Fraction(int(count))) for count in report.counts]
    for average, moments in zip(averages, counter.moments, strict=True):
        average.mean = stratified_mean(moments, sizes, confidence, average.values, average.truth)
        average.natural = stratified_mean(moments, levelling.rates, confidence, average.values, average.truth)
    if report.n and not report.counts.all():
        message = _describe_missing_types(report, levelling.shares)
        warn_caller(message, IncompleteWarning)


def _describe_missing_types(report: TypeReport, shares: Sequence[Fraction]) -> str:
    """Return the message about types without a deal, and how many deals give each type at least one."""
    names = [f'"{name}"' for name, count in zip(report.names, report.counts, strict=True) if not count]
    n_needed = math.ceil(1 / min(shares))
    remedy = f"produce at least {n_needed:,} deals" if report.n < n_needed else "raise the generate limit"
    return (
        f"no deal of the hand type{'s' if len(names) > 1 else ''} {join_words(names)} is among the "
        f"{report.n:,} produced, so that means at natural frequencies are unknown; {remedy}"
    )


def attach_weights(deals: Deals, types: np.ndarray, reports: Sequence[Report]) -> Deals:
    """Return levelled deals with their weights: the natural share of their type by its levelled share.

    Parameters
    ----------
    deals : Deals
    types : ndarray of int8 [n]
        The hand type of each deal.
    reports : sequence of Report
        One of them is the report on the types, with their natural shares.
    """
    report = next(report for report in reports if isinstance(report, TypeReport))
    assert report.weights is not None
    return deals.replace(weight=report.weights[types])


def normalise_rates(rates: Sequence[Estimate], confidence: float) -> tuple[Estimate, ...]:
    """Return the shares that independent rates have of their sum; exact where all rates are exact."""
    total = sum(rate.value for rate in rates)
    if all(rate.fraction is not None for rate in rates):
        whole = sum((rate.fraction or Fraction(0) for rate in rates), Fraction(0))
        return tuple(
            Estimate.exactly((rate.fraction or Fraction(0)) / whole, confidence=confidence) for rate in rates
        )
    variance = sum(rate.se**2 for rate in rates)
    shares = []
    for rate in rates:
        share = rate.value / total
        se = math.sqrt((1 - 2 * share) * rate.se**2 + share**2 * variance) / total
        n = sum(other.n for other in rates)
        if se > 0 and 0 < share < 1:
            lo, hi = (float(end) for end in share_interval(share, share * (1 - share) / se**2, confidence))
        else:  # a type that was never seen, or the only one
            others = sum(other.hi for other in rates) - rate.hi
            lo, hi = min(rate.lo / ((rate.lo + others) or 1.0), share), max(min(rate.hi / total, 1.0), share)
        shares.append(Estimate(share, se, lo, hi, n, confidence))
    return tuple(shares)
