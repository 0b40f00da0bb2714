"""Studies: evaluators on trial, and why a pair has its optimal points."""

from __future__ import annotations

from dealerkit.studies.breakdown import opc_breakdown
from dealerkit.studies.comparison import compare
from dealerkit.studies.trial import Trial, TrialWarning

__all__ = ["Trial", "TrialWarning", "compare", "opc_breakdown"]
