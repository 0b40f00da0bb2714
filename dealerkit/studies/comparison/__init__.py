"""Comparison of evaluators: how well they predict tricks and events and guide decisions, with intervals."""

from __future__ import annotations

from dealerkit.studies.comparison.compare import compare
from dealerkit.studies.comparison.trial import Trial, TrialWarning

__all__ = ["Trial", "TrialWarning", "compare"]
