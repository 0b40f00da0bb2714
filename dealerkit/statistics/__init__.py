"""Estimates with intervals, and accumulators of statistics that can be merged.

`Moments`, `Counts` and `Quantiles` accumulate batches of values and can be merged in any order. Values can
have weights (importance sampling, levelling) and cluster numbers (with swapping, the deals of one shuffle are
a cluster, because they are not independent). A cluster can continue in another batch; therefore the sums of
the first and the last cluster of each batch are stored by cluster number until an estimate is computed.

Modules that only studies need are not imported here: samples in two phases (`two_phase`, `allocation`,
`derived`), regression, and simultaneous intervals.
"""

from __future__ import annotations

from dealerkit.statistics.counts import Counts, ShareTable
from dealerkit.statistics.coverage import Coverage, estimate_stopped_rate
from dealerkit.statistics.estimates import Estimate, Probability, proportion
from dealerkit.statistics.intervals import (
    check_confidence,
    normal_quantile,
    share_interval,
    student_quantile,
    wilson_interval,
)
from dealerkit.statistics.moments import Moments
from dealerkit.statistics.quantiles import Quantiles
from dealerkit.statistics.rare_values import ANY_VALUE, IMPS_RANGE, SHARE_RANGE, RareValues, ValueRange
from dealerkit.statistics.strata import stratified_mean

__all__ = [
    "ANY_VALUE", "Counts", "Coverage", "Estimate", "IMPS_RANGE", "Moments", "Probability", "Quantiles",
    "RareValues", "SHARE_RANGE", "ShareTable", "ValueRange", "check_confidence",
    "estimate_stopped_rate", "normal_quantile", "proportion", "share_interval", "stratified_mean",
    "student_quantile", "wilson_interval",
]  # fmt: skip
