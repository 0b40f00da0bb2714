"""Means, shares, quantiles and ratios over populations of deals, estimated as precisely as requested."""

from __future__ import annotations

from dealerkit.studies.estimate.result import EstimateResult
from dealerkit.studies.estimate.study import estimate

__all__ = [
    "EstimateResult",
    "estimate",
]
