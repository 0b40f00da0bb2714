"""Make the plan of a run: which deals it samples, and in which order it evaluates the clauses."""

from __future__ import annotations

from dealerkit.planning.plan import DEFAULT_PRODUCE, PLAN_VERSION, Limits, Plan, make_plan, resolve_limits

__all__ = ["DEFAULT_PRODUCE", "PLAN_VERSION", "Limits", "Plan", "make_plan", "resolve_limits"]
