"""Opening leads and later cards, compared on the same deals."""

from __future__ import annotations

from dealerkit.studies.leads.cards import CardStudy, card
from dealerkit.studies.leads.gains import GainTables, LeadGains
from dealerkit.studies.leads.played import PlayedCards
from dealerkit.studies.leads.result import LeadStudy
from dealerkit.studies.leads.study import lead

__all__ = ["CardStudy", "GainTables", "LeadGains", "LeadStudy", "PlayedCards", "card", "lead"]
