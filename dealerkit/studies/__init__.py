"""Studies of evaluators: how well they predict tricks, and the parts of a pair's optimal points."""

from __future__ import annotations

from dealerkit.studies.breakdown import opc_breakdown
from dealerkit.studies.comparison import Trial, TrialWarning, compare

__all__ = ["Trial", "TrialWarning", "compare", "opc_breakdown"]
