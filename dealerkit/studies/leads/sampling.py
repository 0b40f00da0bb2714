"""Deals with the leader's hand, solved for all leads until the comparison is precise enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dealerkit.appearance.wording import format_duration
from dealerkit.cards.deals import Deals
from dealerkit.doubledummy.journal import Journal
from dealerkit.doubledummy.leads import solve_leads
from dealerkit.scoring import Contract
from dealerkit.statistics.stopping import choose_next_size
from dealerkit.studies.estimate.population import Population
from dealerkit.studies.leads.candidates import Lead
from dealerkit.studies.leads.gains import LeadGains
from dealerkit.studies.limits import INTERRUPT, state_cost
from dealerkit.system.process import interrupt_at_termination

FIRST = 96  # deals before the precision is looked at
CHUNK = 48  # deals solved between two looks at the time and for an interrupt
N_TRICKS = 240  # deals whose tricks are solved if only the chance to beat the contract is compared


@dataclass(frozen=True)
class LeadLimits:
    """When a study of leads ends.

    Attributes
    ----------
    precision : float or None
        Half-width of the intervals of the gains of the best lead; None: only the number of deals counts.
    produce : int or None
        Number of deals.
    max_seconds : float or None
    """

    precision: float | None = None
    produce: int | None = None
    max_seconds: float | None = None


@dataclass(eq=False)
class LeadSampler:
    """Solved deals of a study, while it proceeds.

    Parameters
    ----------
    population : Population
        Deals, each with the hand of the leader.
    contract : Contract
    declarer : int
    leads : sequence of Lead
    gains : LeadGains
        Without deals.
    measure : str
        To which the precision belongs.
    limits : LeadLimits
    threads : int or None
    progress : callable or None
        ``progress(done, total)``, deals.
    journal : Journal
        Of the checkpoint.
    """

    population: Population
    contract: Contract
    declarer: int
    leads: Sequence[Lead]
    gains: LeadGains
    measure: str
    limits: LeadLimits
    threads: int | None
    progress: Callable[[int, int], Any] | None
    journal: Journal = field(default_factory=Journal)
    reason: str = ""
    hands: list[np.ndarray] = field(default_factory=list)
    tricks: list[np.ndarray] = field(default_factory=list)
    beaten: list[np.ndarray] = field(default_factory=list)

    def run(self) -> None:
        """Solve deals until the study is precise enough, or a limit is reached."""
        try:
            with interrupt_at_termination():
                self._proceed()
        except KeyboardInterrupt:
            self.journal.close()
            if self.gains.n < 2:
                raise
            self.reason = INTERRUPT

    def _proceed(self) -> None:
        precision, produce = self.limits.precision, self.limits.produce
        if precision is None:
            self._solve_until(produce or 0)
            return
        self._solve_until(FIRST)
        is_first = True
        while not self.reason and not self.gains.is_precise(self.measure, precision):
            needed = self.gains.find_needed(self.measure, precision)
            if is_first:
                if self.limits.max_seconds is None:
                    state_cost(needed - self.gains.n, self._seconds_per_deal(), "max_seconds=")
                is_first = False
            self._solve_until(choose_next_size(self.gains.n, needed))

    def _solve_until(self, n: int) -> None:
        """Solve deals until there are `n`, or a limit is reached."""
        while self.gains.n < n and not self.reason:
            deals = self.population.draw(min(CHUNK, n - self.gains.n))
            if not len(deals):
                self.reason = "there are no more deals"
                return
            self._solve(deals)
            if self.progress is not None:
                self.progress(self.gains.n, n)
            seconds = self.limits.max_seconds
            if seconds is not None and self.journal.is_over(seconds) and self.gains.n < n:
                self.reason = f"{format_duration(1e9 * seconds)} were the limit"

    def _solve(self, deals: Deals) -> None:
        """Solve tricks, or where these are known of enough deals only what beats the contract."""
        only_beats = self.measure == "beats" and self.gains.n_tricks >= N_TRICKS
        declarers = np.full(len(deals), self.declarer)

        def solve() -> np.ndarray:
            cards = solve_leads(deals.hands, self.contract, declarers, only_beats, threads=self.threads)
            return np.stack([cards[:, lead.suit, lead.rank] for lead in self.leads], axis=1)

        solved = self.journal.step(solve, deals.hands)
        self.hands.append(deals.hands)
        if only_beats:
            self.gains.add_beats(solved > 0)
            self.beaten.append(solved > 0)
        else:
            self.gains.add(solved)
            self.tricks.append(solved)
            self.beaten.append(solved >= self.gains.tables.needed)

    def _seconds_per_deal(self) -> float:
        """Return the time of a deal; where only what beats the contract is solved, a quarter."""
        seconds = self.journal.elapsed / self.gains.n
        return seconds / 4 if self.measure == "beats" else seconds
