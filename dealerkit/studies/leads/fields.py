"""The data of a study of opening leads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS
from dealerkit.studies.contracts.declared import DeclaredContract
from dealerkit.studies.leads.candidates import Lead
from dealerkit.studies.leads.gains import LeadGains
from dealerkit.studies.provenance import Cost, Provenance


@dataclass(frozen=True, eq=False, repr=False)
class LeadData:
    """What a `LeadStudy` knows, with its attributes."""

    hand: str
    leader: int
    declared: DeclaredContract
    vulnerable: bool
    scoring: str
    leads: tuple[Lead, ...]
    gains: LeadGains
    deals: Deals
    tricks: np.ndarray
    beaten: np.ndarray
    given: str | None
    provenance: Provenance
    reason: str

    @property
    def n(self) -> int:
        """Number of deals."""
        return self.gains.n

    @property
    def confidence(self) -> float:
        """Confidence level of the intervals."""
        return self.gains.confidence

    @property
    def cost(self) -> Cost:
        """Deals, solves and seconds that the study took."""
        return self.provenance.cost

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices of the leads, the best first: by the mean gain over all others."""
        return tuple(self.gains.find_order(self.scoring).tolist())

    @property
    def best(self) -> Lead:
        """The lead that is first on these deals."""
        return self.leads[self.order[0]]

    @cached_property
    def possibly_best(self) -> tuple[Lead, ...]:
        """The leads that may be the best, the first one first: they cannot be distinguished from the
        best.

        With the confidence of the study the best lead is among them.
        """
        possible = self.gains.find_possibly_best(self.scoring)
        return tuple(self.leads[i] for i in self.order if possible[i])

    @property
    def title(self) -> str:
        """The hand and the contract, in one line."""
        return f"{SEATS[self.leader].capitalize()} leads from {self.hand} against {self.declared}"
