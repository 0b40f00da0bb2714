"""Studies of opening leads: which card to lead from a hand, on deals that fit the auction."""

from __future__ import annotations

from dealerkit.studies.leads.result import LeadStudy
from dealerkit.studies.leads.study import lead

__all__ = [
    "LeadStudy",
    "lead",
]
