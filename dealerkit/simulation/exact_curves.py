"""Exact shares beside a frequency: the values that the frequencies of longer runs approach."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np

from dealerkit.actions import FrequencyReport, Report
from dealerkit.actions.axes import Axis
from dealerkit.dealing.predeal import Predeal
from dealerkit.planning.plan import DEAL_NS, Plan

MIN_BUDGET_NS = 2e7  # processor time that the counts for a text may take in all,
RUN_SHARE = 0.05  # or this share of the cost of the run
MAX_CURVES_NS = 2e9  # processor time that the counts for a plot or HTML may take in all


def add_exact_curves(reports: Iterable[Report], plan: Plan, predeal: Predeal, proposed: int) -> None:
    """Set the function of each frequency report of a run that counts its exact shares.

    Nothing is counted yet. A text shows exact shares if the counts of all its frequencies take at most
    about 20 ms, or a twentieth of the cost of the run; plots and HTML if one count takes at most half a
    second and all of them two. Costs are computed from the size of a count, without a clock, so equal runs
    give equal texts.

    Parameters
    ----------
    reports : iterable of Report
    plan : Plan
        The plain plan with all clauses, of a run that deals uniformly and without weights.
    predeal : Predeal
        All predealt cards and lengths.
    proposed : int
        Deals that were dealt.
    """
    frequencies = [report for report in reports if isinstance(report, FrequencyReport)]
    limit = MAX_CURVES_NS / max(len(frequencies), 1)
    for report in frequencies:
        report.text_budget_ns = max(MIN_BUDGET_NS, RUN_SHARE * DEAL_NS * proposed) / len(frequencies)
        report.exact_counter = partial(_count_shares, plan, predeal, report.slot, report.axis, limit)


def _count_shares(
    plan: Plan, predeal: Predeal, slot: int, axis: Axis, limit_ns: float, budget_ns: float | None
) -> np.ndarray | None:
    """Return the exact shares of the rows, float64 [buckets + 2]; None if they take longer to count."""
    from dealerkit.counting.exact import BUDGET_NS, MIN_COUNT_NS, count_cell_shares
    from dealerkit.counting.features import NotAdditive  # a run without a curve does not import these
    from dealerkit.counting.suit_splits import TooManyStates

    limit = min(BUDGET_NS, limit_ns if budget_ns is None else budget_ns)
    if limit < MIN_COUNT_NS:  # with many tables; their sums need not be computed either
        return None
    n_rows = axis.n_buckets + 2
    try:
        shares = count_cell_shares(plan.graph, slot, axis.find_rows, n_rows, plan.clauses, predeal, limit)
    except (NotAdditive, TooManyStates):
        return None
    return shares if shares.any() else None
