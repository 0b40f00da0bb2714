"""From a checked script to what will be done, in which order."""

from __future__ import annotations

from dealerkit.planning.plan import PLAN_VERSION, Limits, Plan, make_plan, resolve_limits

__all__ = ["PLAN_VERSION", "Limits", "Plan", "make_plan", "resolve_limits"]
