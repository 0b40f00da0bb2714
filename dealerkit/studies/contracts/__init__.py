"""Contracts and strategies compared on the same deals, double dummy."""

from __future__ import annotations

from dealerkit.studies.contracts.decision_lists import Strategy, strategy
from dealerkit.studies.contracts.result import ContractStudy
from dealerkit.studies.contracts.study import contracts

__all__ = ["ContractStudy", "Strategy", "contracts", "strategy"]
