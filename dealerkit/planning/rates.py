"""Acceptance rates from pilot deals: each clause alone, and of the deals that passed those before.

The pilot deals from a seed of its own that never changes, so a script is told the
same rates each time, and not those of any run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.errors import EvaluationError
from dealerkit.statistics import Estimate, proportion

if TYPE_CHECKING:
    from dealerkit.dealing.conditional.protocol import Sampler

SEED = int.from_bytes(b"dealerkit pilot", "big")  # nobody's run
ROWS = 65_536  # asked at once
PATIENCE = 2e9  # nanoseconds that one clause may take; a dear one is asked of fewer deals
BEFORE = "a clause before it"
FEWEST = 100  # deals that even the dearest clause is asked of
CANDIDATES = 65_536  # of a conditional sampler that are tried


@dataclass(frozen=True)
class Block:
    """Pilot deals with the number of the first."""

    graph: OperationGraph
    deals: Deals
    first: int

    def columns(self, rows: np.ndarray) -> BatchColumns:
        """Columns of some rows, which know nothing yet: thousands of clauses must fit the memory."""
        deals = self.deals if len(rows) == len(self.deals) else self.deals[rows]
        return BatchColumns(self.graph, deals, SEED & 0xFFFFFFFF, self.first + rows)


@dataclass
class Tally:
    """How often a clause was asked and passed; `error` says why it has no rate."""

    asked: int = 0
    passed: int = 0
    error: str = ""

    def add(self, block: Block, rows: np.ndarray, slot: int, most: int) -> np.ndarray | None:
        """Ask these rows, up to `most` in all; those that pass, or None where one has no answer."""
        if self.error:
            return None
        rows = rows[: max(most - self.asked, 0)]
        try:
            passed = rows[block.columns(rows).truth(slot)]
        except EvaluationError as reason:
            self.error = reason.message
            return None
        self.asked += len(rows)
        self.passed += len(passed)
        return passed

    @property
    def rate(self) -> Estimate | None:
        """The share that passed, with Wilson's interval."""
        return None if self.error else proportion(self.passed, self.asked)


@dataclass(frozen=True)
class Rates:
    """What the pilot found.

    Parameters
    ----------
    deals : int
    alone, given : tuple of Tally
        For each clause: of all pilot deals; of those that the clauses before it let through.
    """

    deals: int
    alone: tuple[Tally, ...]
    given: tuple[Tally, ...]

    @property
    def probability(self) -> Estimate | None:
        """Of acceptance; None where a clause has no rate."""
        if any(tally.error for tally in self.given):
            return None
        reached = self.deals
        for tally in self.given:
            if tally.asked < reached:
                return _product([proportion(one.passed, one.asked) for one in self.given])
            reached = tally.passed
        return proportion(reached, self.deals)


def ask(graph: OperationGraph, slots: Sequence[int], deals: int, predeal: Predeal | None = None) -> Rates:
    """Ask pilot deals.

    Parameters
    ----------
    graph : OperationGraph
    slots : sequence of int
        The clauses in the order of asking.
    deals : int >= 1
    predeal : Predeal, optional

    Returns
    -------
    Rates
    """
    alone, given = tuple(Tally() for _ in slots), tuple(Tally() for _ in slots)
    most = [max(FEWEST, int(PATIENCE / max(graph.operations[slot].cost_ns, 1e-3))) for slot in slots]
    seats = graph.find_seats(tuple(slots)) or 1
    for first in range(0, deals, ROWS):
        count = min(ROWS, deals - first)
        hands = deal_range(SEED, first, count, seats, predeal)
        block, every = Block(graph, Deals(hands, check=False), first), np.arange(count)
        left: np.ndarray | None = every
        for slot, limit, by_itself, after in zip(slots, most, alone, given, strict=True):
            by_itself.add(block, every, slot, limit)
            if left is not None:
                left = after.add(block, left, slot, limit)
            else:
                after.error = after.error or f"{BEFORE} has no value for some deal"
    return Rates(deals, alone, given)


def ask_candidates(graph: OperationGraph, slots: Sequence[int], plan: Sampler) -> Estimate | None:
    """The share of a conditional sampler's candidates that are accepted, from pilot candidates.

    Parameters
    ----------
    graph : OperationGraph
    slots : sequence of int
        The clauses that are asked of the deals, in their order.
    plan : HandSetSampler or Mixture
        One with at least one candidate.

    Returns
    -------
    Estimate or None
        With Wilson's interval; None where a clause has no value for some deal.
    """
    from dealerkit.dealing.conditional.sampler import sample_range  # a short run does without its import

    hands, numbers = sample_range(plan, SEED, 0, CANDIDATES)
    block, left = Block(graph, Deals(hands, check=False), 0), np.arange(len(numbers))
    tallies = [Tally(CANDIDATES, len(numbers))]
    for slot in slots:
        tallies.append(Tally())
        most = max(FEWEST, int(PATIENCE / 4 / max(graph.operations[slot].cost_ns, 1e-3)))
        passed = tallies[-1].add(block, left, slot, most)
        if passed is None:
            return None
        left = passed
    return Rates(CANDIDATES, (), tuple(tallies)).probability


def inverse(rate: Estimate) -> Estimate:
    """Deals for each produced one, from the share that is produced."""
    value = math.inf if rate.value == 0 else 1 / rate.value
    if rate.exact:
        return Estimate.exactly(1 / rate.fraction if rate.fraction else value, level=rate.level)
    return Estimate(
        value,
        math.nan if rate.value == 0 else rate.se / rate.value**2,
        1 / rate.hi,
        math.inf if rate.lo == 0 else 1 / rate.lo,
        rate.n,
        rate.level,
    )


def _product(rates: Sequence[Estimate]) -> Estimate:
    """A product of chances estimated one after the other; the squares of their errors' logarithms add up."""
    value = math.prod(rate.value for rate in rates)
    n, level = min(rate.n for rate in rates), rates[0].level
    hi = math.prod(rate.hi for rate in rates)
    if not value > 0:  # a clause let nothing through, or was never asked
        return Estimate(value, math.nan, 0.0, min(hi, 1.0), n, level)
    up = math.hypot(*(math.log(rate.hi / rate.value) for rate in rates))
    down = math.hypot(*(math.log(rate.value / rate.lo) for rate in rates))
    se = value * math.hypot(*(rate.se / rate.value for rate in rates))
    return Estimate(value, se, value * math.exp(-down), min(value * math.exp(up), 1.0), n, level)
