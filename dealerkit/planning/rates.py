"""Estimate acceptance rates from pilot deals or from pilot candidates.

Pilot deals have a seed of their own, so the rates of a script are always the same and independent of the
deals of every run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.errors import EvaluationError
from dealerkit.statistics import Estimate, proportion

if TYPE_CHECKING:
    from dealerkit.dealing.conditional.sampler import Sampler

SEED = int.from_bytes(b"dealerkit pilot", "big")  # a seed that no run uses
N_PILOT_DEALS = 65_536  # number of pilot deals that are evaluated at once
N_PLANNING_DEALS = 8_192  # number of pilot deals for the choice of a plan
N_PILOT_CANDIDATES = 65_536
MAX_CLAUSE_NS = 2e9  # nanoseconds for one clause; an expensive one is evaluated on fewer deals,
MIN_DEALS = 100  # but on at least 100
EARLIER_CLAUSE = "a clause before it"  # beginning of an error that is about another clause


class PilotBatch(NamedTuple):
    """Pilot deals that are processed together; the first has the number `first`."""

    graph: OperationGraph
    deals: Deals
    first: int

    def columns(self, rows: np.ndarray) -> BatchColumns:
        """Return new columns for some rows; columns with the values of many clauses would fill the memory."""
        deals = self.deals if len(rows) == len(self.deals) else self.deals[rows]
        return BatchColumns(self.graph, deals, SEED & 0xFFFFFFFF, self.first + rows)


@dataclass
class Tally:
    """How many deals a clause was evaluated on, and how many of them passed; or why it has no rate."""

    n_deals: int = 0
    n_passed: int = 0
    error: str = ""

    def add(self, batch: PilotBatch, rows: np.ndarray, slot: int, max_deals: int) -> np.ndarray | None:
        """Evaluate a clause on rows of a batch, and return the rows that pass.

        In all batches together, at most `max_deals` rows are evaluated. The result is None if the clause has
        no value on one of them.
        """
        if self.error:
            return None
        rows = rows[: max(max_deals - self.n_deals, 0)]
        try:
            passed = rows[batch.columns(rows).truth(slot)]
        except EvaluationError as reason:
            self.error = reason.message
            return None
        self.n_deals += len(rows)
        self.n_passed += len(passed)
        return passed

    @property
    def share(self) -> float:
        """The share of deals that passed, 0 if there are none."""
        return self.n_passed / max(self.n_deals, 1)

    @property
    def rate(self) -> Estimate | None:
        """The share of deals that passed, with a Wilson interval; None if the clause has no rate."""
        return None if self.error else proportion(self.n_passed, self.n_deals)


@dataclass(frozen=True)
class Rates:
    """The tallies of all clauses on the same pilot deals."""

    n_deals: int
    alone: tuple[Tally, ...]  # tallies of each clause on all pilot deals
    given: tuple[Tally, ...]  # tallies of each clause on the deals that passed all clauses before it

    @property
    def probability(self) -> Estimate | None:
        """The acceptance rate; None if a clause has no rate."""
        if any(tally.error for tally in self.given):
            return None
        n_accepted = self.n_deals
        for tally in self.given:
            if tally.n_deals < n_accepted:  # an expensive clause was evaluated on fewer deals
                return _multiply([proportion(tally.n_passed, tally.n_deals) for tally in self.given])
            n_accepted = tally.n_passed
        return proportion(n_accepted, self.n_deals)


def estimate_rates(
    graph: OperationGraph, slots: Sequence[int], n_deals: int, predeal: Predeal | None = None
) -> Rates:
    """Return the rates of clauses on `n_deals` pilot deals; `slots` are in the order of evaluation."""
    alone, given = tuple(Tally() for _ in slots), tuple(Tally() for _ in slots)
    limits = [_limit_deals(graph, slot, MAX_CLAUSE_NS) for slot in slots]
    seats = graph.find_seats(slots) or 1
    for first in range(0, n_deals, N_PILOT_DEALS):
        count = min(N_PILOT_DEALS, n_deals - first)
        deals = Deals(deal_range(SEED, first, count, seats, predeal), check=False)
        batch, all_rows = PilotBatch(graph, deals, first), np.arange(count)
        rows: np.ndarray | None = all_rows
        for slot, limit, tally_alone, tally_given in zip(slots, limits, alone, given, strict=True):
            tally_alone.add(batch, all_rows, slot, limit)
            if rows is not None:
                rows = tally_given.add(batch, rows, slot, limit)
            else:
                tally_given.error = tally_given.error or f"{EARLIER_CLAUSE} has no value for some deal"
    return Rates(n_deals, alone, given)


def estimate_candidate_rate(graph: OperationGraph, slots: Sequence[int], sampler: Sampler) -> Estimate | None:
    """Return the share of a sampler's candidates that are accepted, from pilot candidates.

    `slots` are the clauses that are evaluated on the candidates, in order; the sampler has at least one
    candidate. The estimate has a Wilson interval. It is None if a clause has no value for some deal.
    """
    from dealerkit.dealing.conditional.sampler import sample_range  # short runs do not need to import it

    hands, numbers = sample_range(sampler, SEED, 0, N_PILOT_CANDIDATES)
    batch, rows = PilotBatch(graph, Deals(hands, check=False), 0), np.arange(len(numbers))
    tallies = [Tally(N_PILOT_CANDIDATES, len(numbers))]
    for slot in slots:
        tallies.append(Tally())
        passed = tallies[-1].add(batch, rows, slot, _limit_deals(graph, slot, MAX_CLAUSE_NS / 4))
        if passed is None:
            return None
        rows = passed
    return Rates(N_PILOT_CANDIDATES, (), tuple(tallies)).probability


def _limit_deals(graph: OperationGraph, slot: int, budget_ns: float) -> int:
    """Return how many deals a clause can be evaluated on within its budget, at least `MIN_DEALS`."""
    return max(MIN_DEALS, int(budget_ns / max(graph.operations[slot].cost_ns, 1e-3)))


def invert_rate(rate: Estimate) -> Estimate:
    """Return the number of deals dealt for each produced deal, given the share that is produced."""
    value = math.inf if rate.value == 0 else 1 / rate.value
    if rate.exact:
        return Estimate.exactly(1 / rate.fraction if rate.fraction else value, confidence=rate.confidence)
    return Estimate(
        value,
        math.nan if rate.value == 0 else rate.se / rate.value**2,
        1 / rate.hi,
        math.inf if rate.lo == 0 else 1 / rate.lo,
        rate.n,
        rate.confidence,
    )


def _multiply(rates: Sequence[Estimate]) -> Estimate:
    """Return the product of successive rates; the variances of their logarithms add up."""
    value = math.prod(rate.value for rate in rates)
    n, confidence = min(rate.n for rate in rates), rates[0].confidence
    hi = math.prod(rate.hi for rate in rates)
    if not value > 0:  # no deal passed a clause, or the clauses before it
        return Estimate(value, math.nan, 0.0, min(hi, 1.0), n, confidence)
    up = math.hypot(*(math.log(rate.hi / rate.value) for rate in rates))
    down = math.hypot(*(math.log(rate.value / rate.lo) for rate in rates))
    se = value * math.hypot(*(rate.se / rate.value for rate in rates))
    return Estimate(value, se, value * math.exp(-down), min(value * math.exp(up), 1.0), n, confidence)
