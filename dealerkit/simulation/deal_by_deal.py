"""The loop over single deals, for scripts whose random numbers come from the stream of the deals.

On a classic stream `rnd` draws from the generator that shuffles, at the moment it is evaluated; and
``rnd(0)`` of DealerV2 in a condition is the number of deals produced before. So each deal is dealt,
evaluated and used by the actions before the next is dealt.
"""

from __future__ import annotations

import sys
from collections.abc import Generator

import numpy as np

from dealerkit.actions import ProducedDeals
from dealerkit.cards.deals import Deals
from dealerkit.compiler.lazy_columns import LazyColumns
from dealerkit.compiler.randomness import keyed_integers
from dealerkit.dealing.classic.streams import ClassicSource
from dealerkit.dealing.source import ALL_SEATS, Source
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.errors import EvaluationError
from dealerkit.planning import Limits, Plan
from dealerkit.simulation.loops import ProducedBatch

RECURSION_LIMIT = 12_000  # a thousand variables, each defined by the one before, with a few frames each
BATCH_DEALS = 256  # produced deals gathered before the actions are updated


def is_deal_by_deal(plan: Plan, source: Source) -> bool:
    """Return whether a run must evaluate each deal before it deals the next."""
    return plan.has_board or (plan.has_random and isinstance(source, ClassicSource))


def run_deal_by_deal(plan: Plan, source: Source, seed: int, limits: Limits) -> Generator[ProducedBatch]:
    """Yield the produced deals in order, as `loops.run_batches` does."""
    # Calls among Python functions need no machine stack; threads may change the limit at the same time.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    program = plan.program
    number, n_draws = 0, 0

    def draw_keyed(limit: int) -> int:
        nonlocal n_draws
        n_draws += 1
        return int(keyed_integers(seed, np.array([number]), n_draws, np.array([limit]))[0])

    draw = source.rnd if isinstance(source, ClassicSource) else draw_keyed
    # The clauses in the order of the text, not of the plan, which would change the order of the draws.
    condition = None if program.condition is None else plan.graph.add_expression(program.condition)
    slots = [slot for action in plan.actions for slot in action.slots]
    deals: list[Deals] = []
    values: list[list[int | float]] = []
    numbers: list[int] = []
    n_produced = 0
    ledger = Ledger()  # of the deals since the last flush

    def flush() -> ProducedBatch:
        nonlocal deals, values, numbers, ledger
        arrays = {slot: np.array([row[position] for row in values]) for position, slot in enumerate(slots)}
        boards = program.start_board + np.arange(n_produced - len(deals), n_produced)
        batch = Deals.concatenate(deals) if deals else Deals(np.empty((0, 4), np.uint64), check=False)
        produced = ProducedDeals(batch, boards, arrays.__getitem__)
        result = ProducedBatch(number, produced, np.array(numbers), [], ledger)
        deals, values, numbers, ledger = [], [], [], Ledger()
        return result

    while limits.generate is None or number < limits.generate:
        if limits.produce is not None and n_produced >= limits.produce:
            break
        deal = source.batch(number, 1, ALL_SEATS)()
        assert isinstance(deal, Deals)  # no conditional plan is run deal by deal
        n_draws = 0
        columns = LazyColumns(plan.graph, deal, draw, n_produced)
        try:
            with open_ledger() as deal_ledger:
                accepted = condition is None or bool(columns.number(condition))
                if source.needs_feedback:
                    source.mark_accepted(0 if accepted else None)
                if accepted:
                    n_produced += 1
                    board = n_produced + program.start_board - 1
                    columns = LazyColumns(
                        plan.graph, columns.deals, draw, board
                    )  # with the tricks solved above
                    values.append([columns.number(slot) for slot in slots])
        except EvaluationError as error:
            raise type(error)(f"{error.message} (deal {number + 1:,} of the run)", error.row) from None
        number += 1
        ledger += deal_ledger
        if accepted:
            deals.append(deal)
            numbers.append(number - 1)
            if len(deals) == BATCH_DEALS:
                yield flush()
    yield flush()
