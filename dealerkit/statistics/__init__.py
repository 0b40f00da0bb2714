"""Estimates with intervals, and accumulators of statistics that can be merged.

`Moments`, `Counts` and `Quantiles` accumulate batches of values and can be merged in any order. Values may
have weights (importance sampling, levelling) and cluster numbers (with swapping, the deals of one shuffle are
a cluster, since they are not independent). A cluster may continue in another batch. Therefore the sums of the
first and the last cluster of each batch are stored by number until an estimate is computed.
"""

from __future__ import annotations

from dealerkit.statistics.counts import Counts, ShareTable
from dealerkit.statistics.coverage import Coverage
from dealerkit.statistics.estimates import Estimate, proportion
from dealerkit.statistics.moments import Moments
from dealerkit.statistics.quantiles import Quantiles

__all__ = ["Counts", "Coverage", "Estimate", "Moments", "Quantiles", "ShareTable", "proportion"]
