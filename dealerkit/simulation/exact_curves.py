"""The exact curve beside a frequency: what a run of any length would come to."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dealerkit.actions import FrequencyReport, Report
from dealerkit.actions.tables import Axis
from dealerkit.dealing.predeal import Predeal
from dealerkit.planning.plan import DEAL_NS, Plan

AT_ONCE = 2e7  # nanoseconds that a text may wait for its curves,
PART = 0.05  # or this part of what the run took


def add_exact_curves(reports: Iterable[Report], plan: Plan, predeal: Predeal, proposed: int) -> None:
    """Tell the frequencies of a run how their exact shares are found.

    Nothing is counted yet. A text shows them where all of its curves together take no longer than
    about 20 ms, or than a twentieth of the run by the table of costs; pictures and HTML where one takes no
    more than half a second. No clock is asked, so equal runs give equal texts.

    Parameters
    ----------
    reports : iterable of Report
    plan : Plan
        Of a run that deals uniformly, without weights; the plain one, with all its clauses.
    predeal : Predeal
        All that is predealt.
    proposed : int
        Deals that were dealt.
    """
    frequencies = [report for report in reports if isinstance(report, FrequencyReport)]
    for report in frequencies:
        report.at_once = max(AT_ONCE, PART * DEAL_NS * proposed) / len(frequencies)
        report.curve = _Curve(plan, predeal, report.slot, report.axis)


class _Curve:
    def __init__(self, plan: Plan, predeal: Predeal, slot: int, axis: Axis) -> None:
        self.plan, self.predeal, self.slot, self.axis = plan, predeal, slot, axis

    def __call__(self, patience: float | None = None) -> np.ndarray | None:
        """Exact shares of the rows, float64 [buckets + 2]; None where they are not known in time."""
        from dealerkit.counting.budget import BUDGET_NS, count_cells
        from dealerkit.counting.features import NotAdditive  # a run without a curve does without these
        from dealerkit.counting.suit_splits import TooManyStates

        limit = BUDGET_NS if patience is None else min(patience, BUDGET_NS)
        cells = self.axis.buckets + 2
        try:
            found = count_cells(
                self.plan.graph, self.slot, self.axis.cell, cells, self.plan.clauses, self.predeal, limit
            )
        except (NotAdditive, TooManyStates):
            return None
        return found if found.any() else None
