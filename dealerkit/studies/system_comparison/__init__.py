"""A match between two bidding systems on the same deals."""

from __future__ import annotations

from dealerkit.studies.system_comparison.result import SystemComparison
from dealerkit.studies.system_comparison.study import compare_systems

__all__ = ["SystemComparison", "compare_systems"]
