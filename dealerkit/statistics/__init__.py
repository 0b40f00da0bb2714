"""Estimates with intervals, and accumulators that can be merged.

`Moments`, `Counts` and `Quantiles` take one block of values at a time and can
be merged in any order. Values may carry weights (importance sampling, levelling)
and cluster numbers (deals of one shuffle under swapping, which are not
independent). A cluster may be cut in two by the end of a block: the clusters at
both ends of every update are kept apart by number until a report is asked for.
"""

from __future__ import annotations

from dealerkit.statistics.counts import Counts, ShareTable
from dealerkit.statistics.estimates import Estimate, proportion
from dealerkit.statistics.moments import Moments
from dealerkit.statistics.quantiles import Quantiles

__all__ = ["Counts", "Estimate", "Moments", "Quantiles", "ShareTable", "proportion"]
