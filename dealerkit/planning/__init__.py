"""From a checked script to a plan: which deals a run samples, and in which order it evaluates the clauses."""

from __future__ import annotations

from dealerkit.planning.plan import DEFAULT_PRODUCE, PLAN_VERSION, Limits, Plan, make_plan, resolve_limits

__all__ = ["DEFAULT_PRODUCE", "PLAN_VERSION", "Limits", "Plan", "make_plan", "resolve_limits"]
