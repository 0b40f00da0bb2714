"""The loop over single deals, for scripts whose random numbers come from the stream of the deals.

On a classic stream `rnd` takes the next number of the generator that shuffles; and ``rnd(0)`` of
DealerV2 in a condition is the number of deals produced before. So each deal is dealt, evaluated and
used by the actions before the next is dealt.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Generator

import numpy as np

from dealerkit.actions import ProducedDeals
from dealerkit.cards.deals import Deals
from dealerkit.compiler.lazy_columns import LazyColumns
from dealerkit.compiler.randomness import keyed_integers
from dealerkit.dealing.classic.streams import ClassicSource
from dealerkit.dealing.source import ALL_SEATS, Source
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.errors import EvaluationError
from dealerkit.planning import Plan
from dealerkit.simulation.job import Job
from dealerkit.simulation.loops import ProducedBatch

RECURSION_LIMIT = 12_000  # a thousand variables, each defined by the one before, with a few frames each
BATCH_DEALS = 256  # produced deals collected before the actions are updated


def is_deal_by_deal(plan: Plan, source: Source) -> bool:
    """Return whether a run must evaluate each deal before it deals the next."""
    return plan.has_board or (plan.has_random and isinstance(source, ClassicSource))


def run_deal_by_deal(job: Job) -> Generator[ProducedBatch]:
    """Yield the produced deals in order, as `loops.run_batches` does."""
    # Calls among Python functions need no machine stack; threads may change the limit at the same time.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    plan, source, limits = job.plan, job.source, job.limits
    program = plan.program
    # The clauses in the order of the text: that of the plan would change the order of the random numbers.
    condition = None if program.condition is None else plan.graph.add_expression(program.condition)
    slots = [slot for action in plan.actions for slot in action.slots]
    number = n_produced = 0
    deals: list[Deals] = []  # produced, like values and numbers, since the last batch
    values: list[list[int | float]] = []
    numbers: list[int] = []
    ledger = Ledger()

    def make_batch() -> ProducedBatch:
        arrays = {slot: np.array([row[position] for row in values]) for position, slot in enumerate(slots)}
        boards = program.start_board + np.arange(n_produced - len(deals), n_produced)
        produced = ProducedDeals(Deals.concatenate(deals), boards, arrays.__getitem__)
        return ProducedBatch(number, produced, np.array(numbers, int), [None] * len(plan.actions), ledger)

    while limits.generate is None or number < limits.generate:
        if limits.produce is not None and n_produced >= limits.produce:
            break
        deal = source.batch(number, 1, ALL_SEATS)()
        assert isinstance(deal, Deals)  # no conditional plan is run deal by deal
        rnd = source.rnd if isinstance(source, ClassicSource) else _keyed_rnd(job.seed, number)
        columns = LazyColumns(plan.graph, deal, rnd, n_produced)
        try:
            with open_ledger() as deal_ledger:
                accepted = condition is None or bool(columns.number(condition))
                if source.needs_feedback:
                    source.mark_accepted(0 if accepted else None)
                if accepted:
                    board = n_produced + program.start_board
                    # The deals have the tricks that the condition needed.
                    columns = LazyColumns(plan.graph, columns.deals, rnd, board)
                    values.append([columns.number(slot) for slot in slots])
        except EvaluationError as error:
            raise type(error)(f"{error.message} (deal {number + 1:,} of the run)", error.row) from None
        ledger += deal_ledger
        if accepted:
            deals.append(deal)
            numbers.append(number)
            n_produced += 1
        number += 1
        if len(deals) == BATCH_DEALS:
            yield make_batch()
            deals, values, numbers, ledger = [], [], [], Ledger()
    yield make_batch()


def _keyed_rnd(seed: int, number: int) -> Callable[[int], int]:
    """Return the function `rnd` of one deal on a stream without a generator to take numbers from."""
    calls = itertools.count(1)
    return lambda limit: int(keyed_integers(seed, np.array([number]), next(calls), np.array([limit]))[0])
