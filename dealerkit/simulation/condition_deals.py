"""Deals that meet a condition, for estimates: dealt plainly, or conditionally if it is rare."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import CompiledScript
from dealerkit.compiler.evaluation import BatchColumns, apply_clauses
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.errors import EvaluationError
from dealerkit.language import nodes
from dealerkit.planning.choice import choose_plan
from dealerkit.planning.plain_plan import needs_solver, order_clauses
from dealerkit.planning.plan import Limits, Plan, Sampling
from dealerkit.planning.rates import MAX_CLAUSE_NS, MIN_DEALS, N_PILOT_DEALS
from dealerkit.statistics import Estimate, proportion

MAX_SHARE = Fraction(1, 20)  # of deals that are candidates, for a condition that counts as rare


@dataclass(frozen=True, eq=False)
class ConditionDeals:
    """The deals that meet some clauses, by number: of plain deals, or of the candidates of a sampler.

    Attributes
    ----------
    compiled : CompiledScript
    slots : tuple of int
        The clauses, in the order in which they are evaluated.
    used : tuple of int
        Slots that are evaluated on the deals, these included.
    seed : int
    sampling : Sampling or None
        None: plain deals.
    """

    compiled: CompiledScript
    slots: tuple[int, ...]
    used: tuple[int, ...]
    seed: int
    sampling: Sampling | None = None

    @classmethod
    def choose(
        cls, compiled: CompiledScript, slots: Sequence[int], used: Sequence[int], seed: int, n_deals: int
    ) -> ConditionDeals:
        """Return the deals that meet clauses: candidates if at most a twentieth of all deals are candidates.

        `n_deals` are to be found. The choice depends on the condition and this number only.
        """
        plain = cls(compiled, tuple(slots), (*slots, *used), seed)
        if not slots:
            return plain
        graph = compiled.graph
        parts = (graph.operations[slot].node for slot in slots)
        condition = nodes.And(tuple(node for node in parts if node is not None))
        clauses = order_clauses(graph, slots)
        n_solver = len(list(takewhile(lambda slot: needs_solver(graph, slot), reversed(clauses))))
        # tables of samplers are kept by the condition, and this one may be of two texts
        program = replace(compiled.program, condition=condition)
        plan = Plan(program, graph, clauses, (), n_solver)
        plan = choose_plan(plan, "auto", Limits(None, n_deals), program.predeal)
        if plan.sampling is None or plan.sampling.share > MAX_SHARE:
            return plain
        return replace(plain, slots=plan.clauses, sampling=plan.sampling)

    @property
    def share(self) -> Fraction:
        """The probability that a deal is a candidate."""
        return Fraction(1) if self.sampling is None else self.sampling.share

    @property
    def accepts_all(self) -> bool:
        """Whether each candidate meets all clauses."""
        is_sampled = self.sampling is None or self.sampling.sampler.accepts_all
        return is_sampled and not self.slots

    def limit(self, n_deals: int) -> int:
        """Return the number of deals to evaluate: fewer than `n_deals` if a clause is expensive."""
        cost = max((self.compiled.graph.operations[slot].cost_ns for slot in self.used), default=0.0)
        return min(n_deals, max(MIN_DEALS, int(MAX_CLAUSE_NS / max(cost, 1e-3))))

    def columns(self, first: int, size: int, seats: int = 0) -> BatchColumns:
        """Return the columns of those of `size` candidates that meet the clauses.

        `seats` is a bit set of seats to deal besides those that the slots depend on.

        Raises
        ------
        EvaluationError
            A clause has no value for a deal; the message has the deal.
        """
        hands, numbers = self._deal(first, size, self.compiled.graph.find_seats(self.used) | seats or 1)
        deals = Deals(hands, check=False)
        columns = BatchColumns(self.compiled.graph, deals, self.seed & 0xFFFFFFFF, numbers)
        return apply_clauses(columns, self.slots)

    def locate_error(self, error: EvaluationError, first: int, size: int) -> EvaluationError:
        """Return an error of these candidates, or of values on their columns, with the deal."""
        hands, _ = self._deal(first, size, 0b1111)
        (deal,) = Deals(hands[error.row : error.row + 1], check=False).to_pbn()
        return type(error)(f"{error.message}, as in the deal {deal}", error.row)

    def _deal(self, first: int, size: int, seats: int) -> tuple[np.ndarray, np.ndarray]:
        """Return hands [n, 4] and their numbers [n] of `size` candidates, without those it rejects itself."""
        if self.sampling is None:
            predeal = self.compiled.program.predeal
            return deal_range(self.seed, first, size, seats, predeal), first + np.arange(size)
        from dealerkit.dealing.conditional.sampler import sample_range  # the import takes 0.1 s

        return sample_range(self.sampling.sampler, self.seed, first, size, seats)

    def batches(self, n_candidates: int) -> Iterator[tuple[int, int]]:
        """Yield the first candidate and the number of candidates of each batch."""
        for first in range(0, n_candidates, N_PILOT_DEALS):
            yield first, min(N_PILOT_DEALS, n_candidates - first)

    def estimate_rate(self, n_deals: int, confidence: float) -> Estimate:
        """Return the probability that a deal meets the clauses, from at most `n_deals` candidates.

        It is exact if all candidates meet them, or there are none.
        """
        share = self.share
        if not share or self.accepts_all:
            return Estimate.exactly(share, confidence=confidence)
        n_accepted, n_candidates = 0, self.limit(n_deals)
        for first, size in self.batches(n_candidates):
            try:
                n_accepted += len(self.columns(first, size))
            except EvaluationError as error:
                raise self.locate_error(error, first, size) from None
        return scale(proportion(n_accepted, n_candidates, confidence), share)


def scale(rate: Estimate, factor: Fraction | float) -> Estimate:
    """Return the estimate times an exact number."""
    if rate.fraction is not None and isinstance(factor, Fraction):
        return Estimate.exactly(rate.fraction * factor, rate.n, rate.confidence)
    scaled = {name: getattr(rate, name) * float(factor) for name in ("value", "se", "lo", "hi")}
    return replace(rate, **scaled)


def divide(part: Estimate, whole: Estimate) -> Estimate:
    """Return the quotient of independent estimates, a share: the squares of the errors' logarithms add up.

    `whole` is above 0. Without a deal in the part, the interval ends at the quotient of its upper end and the
    lower end of the whole.
    """
    if whole.fraction is not None:
        return scale(part, 1 / whole.fraction)
    value = part.value / whole.value
    if not value > 0:
        return replace(part, value=value, se=math.nan, lo=0.0, hi=min(part.hi / whole.lo, 1.0), exact=False)
    down = math.hypot(math.log(part.value / part.lo), math.log(whole.hi / whole.value))
    up = math.hypot(math.log(part.hi / part.value), math.log(whole.value / whole.lo))
    return Estimate(
        min(value, 1.0),
        value * math.hypot(part.se / part.value, whole.se / whole.value),
        value * math.exp(-down),
        min(value * math.exp(up), 1.0),
        min(part.n, whole.n) or max(part.n, whole.n),
        part.confidence,
    )
