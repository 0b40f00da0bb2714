"""Points for cards and shape, fitted to the tricks of solved deals."""

from __future__ import annotations

from dealerkit.studies.fit_points.result import FittedPoints
from dealerkit.studies.fit_points.study import fit_points

__all__ = [
    "FittedPoints",
    "fit_points",
]
