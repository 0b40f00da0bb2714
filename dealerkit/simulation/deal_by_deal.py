"""The one loop over deals: for scripts whose random numbers come from the deals' own stream.

On a classic stream `rnd` draws from the generator that shuffles, at the moment it
is evaluated; and ``rnd(0)`` of DealerV2 in a condition counts what was produced
before. So each deal is dealt, asked and acted on before the next.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from dealerkit.actions import Produced
from dealerkit.cards.deals import Deals
from dealerkit.compiler.interpreter import Reference
from dealerkit.compiler.randomness import bounded
from dealerkit.dealing.classic.source import ClassicSource
from dealerkit.dealing.source import ALL_SEATS, Source
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.errors import EvaluationError
from dealerkit.planning import Limits, Plan
from dealerkit.simulation.batches import Chunk

DEEP = 12_000  # frames: variables of variables, a thousand deep, with a few frames to each
BATCH = 256  # deals gathered before the actions see them


def is_sequential(plan: Plan, source: Source) -> bool:
    """Must this run go deal by deal?"""
    return plan.board or (plan.random and isinstance(source, ClassicSource))


def sequential_chunks(plan: Plan, source: Source, seed: int, limits: Limits) -> Iterator[Chunk]:
    """As `loop.chunks`, one deal at a time."""
    # calls among Python functions take no room on the machine's stack; other threads may be at it too
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEP))
    program = plan.program
    number, draws = 0, 0

    def keyed(limit: int) -> int:
        nonlocal draws
        draws += 1
        return int(bounded(seed, np.array([number]), draws, np.array([limit]))[0])

    draw = source.rnd if isinstance(source, ClassicSource) else keyed
    evaluator = Reference(program.script.rules, program.definitions, program.points, draw, program.opener)
    slots = [
        (slot, node)
        for action in plan.actions
        for slot, node in zip(action.slots, action.expressions, strict=True)
    ]
    rows: list[Deals] = []
    values: list[list[int | float]] = []
    numbers: list[int] = []
    produced = 0
    ledger = Ledger()  # of the deals since the last flush

    def flush() -> Chunk:
        nonlocal rows, values, numbers, ledger
        columns: dict[int, list[np.ndarray]] = {}
        for place, (slot, _) in enumerate(slots):
            columns.setdefault(slot, []).append(np.array([row[place] for row in values]))
        # An expression that draws may stand in two actions under one slot: each sees its own values.
        uses = {slot: iter(arrays * 4) for slot, arrays in columns.items()}
        boards = program.start_board + np.arange(produced - len(rows), produced)
        deals = Deals.concatenate(rows) if rows else Deals(np.empty((0, 4), np.uint64), check=False)
        seen = Produced(deals, boards, lambda slot: next(uses[slot]))
        chunk = Chunk(number, seen, np.array(numbers), [], ledger)
        rows, values, numbers, ledger = [], [], [], Ledger()
        return chunk

    while limits.generate is None or number < limits.generate:
        if limits.produce is not None and produced >= limits.produce:
            break
        deal = source.batch(number, 1, ALL_SEATS)()
        assert isinstance(deal, Deals)  # a conditional plan never goes deal by deal
        draws = 0
        evaluator.produced = produced
        try:
            with open_ledger() as asked:
                accepted = program.condition is None or bool(evaluator.value(program.condition, deal))
                if source.needs_feedback:
                    source.mark_accepted(0 if accepted else None)
                if accepted:
                    produced += 1
                    evaluator.produced = produced + program.start_board - 1
                    values.append([evaluator.value(node, deal) for _, node in slots])
        except EvaluationError as error:
            raise type(error)(f"{error.message} (deal {number + 1:,} of the run)", error.row) from None
        number += 1
        ledger += asked
        if accepted:
            rows.append(deal)
            numbers.append(number - 1)
            if len(rows) == BATCH:
                yield flush()
    yield flush()
