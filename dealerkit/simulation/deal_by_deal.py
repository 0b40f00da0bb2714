"""The loop over single deals, for scripts whose random numbers come from the stream of the deals.

On a classic stream, `rnd` takes the next number of the generator that shuffles; on DealerV2's stream, an
accepted deal changes those that follow; and DealerV2's ``rnd(0)`` in a condition is the number of deals
produced so far. So a kernel deals, evaluates the condition, and draws the random numbers of the actions
before it deals the next.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler import program_codes as codes
from dealerkit.compiler.deal_program import DealProgram, build_program
from dealerkit.compiler.evaluation import BatchColumns, describe_division
from dealerkit.dealing.classic.streams import ClassicSource, Stream, make_empty_hands
from dealerkit.dealing.random_words import keyed_integers
from dealerkit.dealing.source import Source, n_deals_per_shuffle
from dealerkit.doubledummy.ledger import open_ledger
from dealerkit.errors import DivisionByZeroError, EvaluationError
from dealerkit.planning import Plan
from dealerkit.simulation.batches import (
    BATCH_DEALS,
    FIRST_BATCH_DEALS,
    PART_SECONDS,
    BatchResult,
    filter_columns,
    update_actions,
)
from dealerkit.simulation.job import Job
from dealerkit.simulation.loops import Loop, ProducedBatch

MAX_SECONDS = 0.25  # time of a batch with values that no kernel computes, after which progress is shown


def find_program(plan: Plan, source: Source) -> DealProgram | None:
    """Return the program of a run that evaluates each deal before it deals the next; None for other runs."""
    stream = source.stream if isinstance(source, ClassicSource) else None
    sorts = stream is not None and stream.needs_feedback
    is_sequential = (
        plan.has_board
        or (plan.has_random and stream is not None)
        or (sorts and _calls_sorting_function(plan))
    )
    if not is_sequential and not source.needs_feedback:
        return None
    # The clauses in the order of the text, since the order of the plan would change the order of random
    # numbers.
    condition = plan.program.condition
    slot = None if condition is None else plan.graph.add_expression(condition)
    repeats_limits = stream is not None and plan.graph.rules.random_zero == "produced"
    program = build_program(plan.graph, slot, plan.action_slots, sorts, repeats_limits)
    # Without random numbers, batches are dealt ahead and evaluated together if a kernel cannot evaluate them.
    return program if is_sequential or not program.externals else None


def _calls_sorting_function(plan: Plan) -> bool:
    """Return whether a clause may call a function for which DealerV2 sorts the hands."""
    operations = [plan.graph.operations[slot] for slot in plan.graph.find_reachable(plan.clauses)]
    return any(operation.kind == "call" and operation.detail[0].sorts_hands for operation in operations)


def run_deal_by_deal(job: Job, program: DealProgram) -> Generator[ProducedBatch]:
    """Yield the produced deals in order, as `loops.run_batches` does."""
    loop, runner, limit = Loop(job), _Runner(job, program), job.limits.generate
    max_accepted = BATCH_DEALS
    if job.plan.solver_ns and not job.source.is_solved:
        max_accepted = max(8, int(PART_SECONDS * 1e9 / job.plan.solver_ns))
    first, count = 0, FIRST_BATCH_DEALS
    while not loop.done and loop.n_needed != 0 and (limit is None or first < limit):
        with open_ledger() as ledger:
            n_deals = count if limit is None else min(count, limit - first)
            capacity = min(n_deals, max_accepted)
            if loop.n_needed is not None and program.condition is None:
                capacity = min(capacity, loop.n_needed)
            dealt, n_dealt, error = runner.run(first, n_deals, loop.n_produced, capacity)
            columns, clause_error = _meet_condition(job, program, dealt, loop.n_produced)
            columns, actions, action_error = update_actions(job.plan, columns, len(dealt))
        if (value_error := action_error or clause_error) is not None:  # for a deal before that of `error`
            error = value_error
            error.row = int(dealt.numbers[error.row]) - first
        produced = loop.consume(BatchResult(first, n_dealt, columns, actions, error, ledger))
        yield replace(produced, random_values={slot: columns.array(slot) for slot in program.draws})
        first, count = first + n_dealt, min(2 * count, BATCH_DEALS)


def _meet_condition(
    job: Job, program: DealProgram, dealt: BatchColumns, n_produced: int
) -> tuple[BatchColumns, EvaluationError | None]:
    """Return the deals that meet what the kernel has not evaluated of the condition, and the first error."""
    if program.condition is None:
        return dealt, None
    columns, error = filter_columns(dealt, [program.condition], len(dealt))
    columns.number_boards(np.arange(len(columns)) + n_produced + job.program.start_board)
    return columns, error


class _Runner:
    """The kernel with its registers, and the evaluation of what it cannot compute."""

    def __init__(self, job: Job, program: DealProgram) -> None:
        self.job, self.program, self.graph = job, program, job.plan.graph
        source = job.source
        stream = source.stream if isinstance(source, ClassicSource) else Stream()
        self.stream = stream.arrays
        self.integers, self.reals = program.integers.copy(), program.reals.copy()
        self.stamps = np.zeros(len(program.slots), np.int64)
        self.stack = np.zeros(program.n_subroutines + 1, np.int64)
        self.state = np.zeros(codes.N_STATE, np.int64)
        self.state[codes.FIRST_BOARD] = job.program.start_board
        self.state[codes.ZERO_IS_BOARD] = self.graph.rules.random_zero == "produced"
        self.given: Deals | None = None  # the deals of this batch, unless a classic stream deals them
        self.columns: BatchColumns | None = None  # columns of the current deal
        self.column_key = (-1, -1)  # number of the deal and its stamp
        self.tables: dict[int, np.ndarray] = {}  # tricks that were looked up, by the number of the deal
        self.calls = itertools.count(1)

    def run(
        self, first: int, n_deals: int, n_produced: int, capacity: int
    ) -> tuple[BatchColumns, int, EvaluationError | None]:
        """Return the next accepted deals, the number of deals dealt, and the error that ended the batch.

        The batch has at most `n_deals` deals, and ends after `capacity` accepted ones.
        """
        from dealerkit.compiler.program_kernel import run_program

        state, program, source = self.state, self.program, self.job.source
        # Registers and memory for the deals of this batch
        out = make_empty_hands(capacity)
        numbers = np.empty(capacity, np.int64)
        random_values = np.empty((len(program.draws), capacity), np.int64)
        state[[codes.N_DEALT, codes.N_ACCEPTED, codes.INSTRUCTION]] = 0, 0, -1
        state[[codes.MAX_DEALT, codes.MAX_ACCEPTED, codes.FIRST]] = n_deals, capacity, first
        state[codes.N_PRODUCED] = n_produced
        # Deals that no classic stream shuffles are dealt in advance
        self.tables, hands = {}, make_empty_hands(0)
        if not isinstance(source, ClassicSource):
            dealt = source.batch(first, n_deals, source.everything)()
            assert isinstance(dealt, Deals)  # a conditional plan is never run deal by deal
            self.given, hands = dealt, make_empty_hands(len(dealt))
            hands[: len(dealt)] = dealt.hands
        # It returns when it cannot compute a value; the value is set, and it continues
        error, deadline = None, time.perf_counter() + MAX_SECONDS
        while True:
            status, register = run_program(
                program.code, self.integers, self.reals, self.stamps, self.stack, program.tables,
                program.masks, program.draw_registers, state, hands, out, numbers,
                random_values, *self.stream,
            )  # fmt: skip
            if status == codes.COMPLETED:
                break
            slot, row = program.slots[register], int(state[codes.N_DEALT]) - 1
            try:
                if status == codes.DIVIDES_BY_ZERO:
                    raise DivisionByZeroError(describe_division(self.graph.operations[slot]))
                self._set_value(slot, register, out[state[codes.N_ACCEPTED]])
            except EvaluationError as failure:
                error = failure
                error.row = row
                break
            if time.perf_counter() > deadline:
                state[codes.MAX_DEALT] = row + 1
        columns = self._collect(out, numbers, random_values, first)
        return columns, int(state[codes.N_DEALT]), error

    def _collect(
        self, out: np.ndarray, numbers: np.ndarray, random_values: np.ndarray, first: int
    ) -> BatchColumns:
        """Return the columns of the accepted deals, with their board numbers and random numbers."""
        state, source, n = self.state, self.job.source, int(self.state[codes.N_ACCEPTED])
        numbers = numbers[:n].copy()
        if self.given is not None:
            deals = self.given[numbers - first]
        else:
            cluster = numbers // n_deals_per_shuffle(source.swap) if source.swap else None
            deals = Deals(np.asfortranarray(out[:n]), cluster=cluster, check=False)
        if self.tables:
            tables = np.full((n, 5, 4), -1, np.int8) if deals.tables is None else deals.tables.copy()
            for row, number in enumerate(numbers.tolist()):
                tables[row] = self.tables.get(number, tables[row])
            deals = deals.replace(tables=tables)
        boards = np.arange(n) + int(state[codes.N_PRODUCED] + state[codes.FIRST_BOARD])
        columns = BatchColumns(self.graph, deals, self.job.seed, numbers, boards)
        for slot, values in zip(self.program.draws, random_values[:, :n], strict=True):
            columns.set_value(slot, values.copy())
        return columns

    def _set_value(self, slot: int, register: int, hands: np.ndarray) -> None:
        """Set a register to the value of a slot for the current deal."""
        operation = self.graph.operations[slot]
        columns = self._update_columns(hands)
        if operation.kind == "random":
            limit = int(self.integers[self.program.registers[operation.inputs[0]]])
            number = np.array([columns.numbers[0]])
            value: Any = keyed_integers(self.job.seed, number, next(self.calls), np.array([limit]))
        else:
            call = operation.inputs[0] if operation.kind == "output" else slot
            inputs = self.graph.operations[call].inputs
            for part in inputs:  # these may have other values than before, if they depend on random numbers
                columns.set_value(part, self._read(part))
            for part in (call, slot):
                if inputs or not columns.has_value(part):
                    columns.set_value(part, columns.evaluate(self.graph.operations[part]))
            value = columns.value(slot)
            if columns.deals.tables is not None:
                self.tables[self.column_key[0]] = columns.deals.tables[0]
        number = np.asarray(value).reshape(-1)[0].item()
        if operation.range.real:
            self.reals[register] = number
        else:
            self.integers[register] = number

    def _read(self, slot: int) -> np.ndarray:
        """Return the value of a slot from its register as a column of length 1."""
        operation, register = self.graph.operations[slot], self.program.registers[slot]
        if operation.range.real:
            return self.reals[register : register + 1].copy()
        is_truth = operation.kind in ("compare", "not", "and", "or", "reaches", "member")
        return self.integers[register : register + 1].astype(bool if is_truth else operation.range.dtype())

    def _update_columns(self, hands: np.ndarray) -> BatchColumns:
        """Return the columns of the current deal; its actions keep the tricks that its condition needed."""
        state = self.state
        number = int(state[codes.FIRST] + state[codes.N_DEALT]) - 1
        # A deal gets new columns for each stamp, with the tables that it already has
        key = number, int(state[codes.SERIAL])
        if key == self.column_key and self.columns is not None:
            return self.columns
        if number == self.column_key[0] and self.columns is not None:
            deals = self.columns.deals
        elif self.given is not None:
            deals = self.given[[number - state[codes.FIRST]]]
        else:
            deals = Deals(hands[None].copy(), check=False)
        if number != self.column_key[0]:
            self.calls = itertools.count(1)
        self.columns = BatchColumns(
            self.graph, deals, self.job.seed, np.array([number]), state[[codes.BOARD]]
        )
        self.column_key = key
        return self.columns
