"""What a study estimates: an expression, its true values, and the trick model's predictions of them.

Every number of tricks in the expression is an operation of the compiled graph. For true values it is looked
up or solved. For a prediction, the operation is given each number that the model thinks possible in turn, and
the expression is evaluated for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import CompiledScript
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.trick_thresholds import MAX_THRESHOLDS, SOLVER_COST_NS
from dealerkit.compiler.value_range import find_value_range
from dealerkit.counting.exact import find_exact_range
from dealerkit.doubledummy.journal import Journal
from dealerkit.errors import EvaluationError
from dealerkit.statistics.rare_values import ValueRange
from dealerkit.studies.estimate.two_phase import PredictedValues
from dealerkit.studies.solved_stratum import locate_error

N_TRICK_COUNTS = 14
N_QUANTILES = 12  # for each of several declarers or strains
TRICKS_NS, THRESHOLD_NS = 1.5e7, 2.5e6  # cost of a number of tricks, and of a test against a threshold

Model = Callable[[np.ndarray, int, int], np.ndarray]  # probabilities of at least k tricks, [n, 14]


def predict_chances(hands: np.ndarray, strain: int, declarer: int) -> np.ndarray:
    """Return the trick model's probabilities of at least 0 to 13 tricks, float32 [n, 14]."""
    from dealerkit.doubledummy.trick_model.predictions import predict

    return predict(hands, strain, declarer).at_least


@dataclass(frozen=True, eq=False)
class Part:
    """One number for each deal: the value of an expression, perhaps mixed with that for other tricks.

    Attributes
    ----------
    slot : int
    shifted : int or None
        The expression with one trick more or one fewer.
    share : float
        Share of the deals in which the shifted expression counts.
    """

    slot: int
    shifted: int | None = None
    share: float = 0.0


class Question:
    """Expressions whose means are estimated.

    Parameters
    ----------
    compiled : CompiledScript
    parts : sequence of Part
    seed : int
        Seed for `rnd`.
    model : callable, optional
        ``model(hands, strain, declarer)`` returns probabilities of at least k tricks; by default
        `predict_chances`.
    journal : Journal, optional
        Receives the true values.
    """

    def __init__(
        self,
        compiled: CompiledScript,
        parts: Sequence[Part],
        seed: int = 0,
        model: Model | None = None,
        journal: Journal | None = None,
    ) -> None:
        self._compiled = compiled
        self._graph, self._parts, self._seed = compiled.graph, tuple(parts), seed
        self._model, self._journal = model or predict_chances, journal or Journal()
        self._n_evaluated = 0
        slots = [slot for part in parts for slot in (part.slot, part.shifted) if slot is not None]
        self._graph.group_tricks(slots)
        self._reachable = sorted(self._graph.find_reachable(slots))
        operations = self._graph.operations
        self._tricks = [slot for slot in self._reachable if operations[slot].kind == "tricks"]
        self.needs_solver = any(operations[slot].cost_ns >= SOLVER_COST_NS for slot in self._reachable)
        others = [
            slot
            for slot in self._reachable
            if operations[slot].kind == "call" and operations[slot].detail[0].cost >= SOLVER_COST_NS
        ]
        self.is_predictable = bool(self._tricks) and not others

    @property
    def value_ns(self) -> float:
        """The expected cost of the values of one deal, in nanoseconds."""
        if not self.needs_solver:
            costs = [self._graph.operations[part.slot].cost_ns for part in self._parts]
            return max(1000.0, *costs)
        operations = self._graph.operations
        tests = [operations[slot].detail for slot in self._reachable if operations[slot].kind == "reaches"]
        if not self.is_predictable:
            return 2e8
        numbers = {slot for part in self._parts for slot in self._graph.find_required(part.slot)}
        full = [slot for slot in self._tricks if slot in numbers or slot not in tests]
        return TRICKS_NS * len(full) + THRESHOLD_NS * min(len(tests), MAX_THRESHOLDS * 4)

    @property
    def is_share(self) -> tuple[bool, ...]:
        """Whether all values of each part are between 0 and 1."""
        ranges = [self._graph.operations[part.slot].range for part in self._parts]
        return tuple((limits.low, limits.high) in ((0, 0), (0, 1), (1, 1)) for limits in ranges)

    @property
    def ranges(self) -> tuple[ValueRange, ...]:
        """The possible values of each part, under the given condition if they can be counted."""
        return tuple(map(self._find_range, self._parts))

    def _find_range(self, part: Part) -> ValueRange:
        """Return the possible values of a part."""
        values = find_value_range(self._graph, part.slot)
        compiled = self._compiled
        if part.shifted is not None or not (compiled.given or compiled.program.predeal):
            return values
        limits = find_exact_range(self._graph, part.slot, compiled.given, compiled.program.predeal)
        if limits is None:
            return values
        return ValueRange(max(values.low, limits[0]), min(values.high, limits[1]), values.similar)

    @property
    def tricks(self) -> list[tuple[int, int]]:
        """The (strain, declarer) pairs whose tricks it uses."""
        details = [self._graph.operations[slot].detail for slot in self._tricks]
        return [(strain, seat) for seat, strain in details]

    def value(self, deals: Deals) -> np.ndarray:
        """Return the true values, float64 [n, parts].

        Raises
        ------
        EvaluationError
            An expression has no value for a deal; the message gives the deal.
        """
        numbers = self._n_evaluated + np.arange(len(deals))
        self._n_evaluated += len(deals)
        columns = BatchColumns(self._graph, deals, self._seed & 0xFFFFFFFF, numbers)
        try:
            return self._journal.step(lambda: self._evaluate(columns), deals.hands)
        except EvaluationError as error:
            raise locate_error(error, deals) from None

    def value_of_solved(self, deals: Deals) -> np.ndarray:
        """Return the true values of deals with tables, float64 [n, parts]; checkpoints do not get them."""
        try:
            return self._evaluate(BatchColumns(self._graph, deals, self._seed & 0xFFFFFFFF))
        except EvaluationError as error:
            raise locate_error(error, deals) from None

    def predict(self, deals: Deals) -> PredictedValues:
        """Return the mean and standard deviation of the values under the model's probabilities."""
        n, width = len(deals), len(self._parts)
        base = BatchColumns(self._graph, deals, self._seed & 0xFFFFFFFF)
        mean, square, total = np.zeros((n, width)), np.zeros((n, width)), np.zeros((n, 1))
        try:
            self._evaluate_inputs(base)
            for tricks, weight in self._suppose_tricks(deals):
                columns = base.take(np.arange(n))
                for slot, numbers in zip(self._tricks, tricks, strict=True):
                    columns.set_value(slot, numbers)
                values = self._evaluate(columns)
                mean += weight[:, None] * values
                square += weight[:, None] * values**2
                total += weight[:, None]
        except EvaluationError:  # a number of tricks that may never occur has no value
            return PredictedValues(np.zeros((n, width)), np.ones((n, width)))
        mean, square = mean / total, square / total
        return PredictedValues(mean, np.sqrt(np.maximum(square - mean**2, 0)))

    def _evaluate(self, columns: BatchColumns) -> np.ndarray:
        values = []
        for part in self._parts:
            value = columns.array(part.slot).astype(np.float64)
            if part.shifted is not None:
                value = (1 - part.share) * value + part.share * columns.array(part.shifted)
            values.append(value)
        return np.stack(values, axis=1)

    def _evaluate_inputs(self, columns: BatchColumns) -> None:
        """Evaluate everything in the expressions except tricks, once for all numbers of tricks."""
        operations = self._graph.operations
        for slot in self._reachable:
            operation = operations[slot]
            if operation.cost_ns >= SOLVER_COST_NS:
                for part in operation.inputs:
                    if operations[part].cost_ns < SOLVER_COST_NS and operations[part].kind != "constant":
                        columns.value(part)

    def _suppose_tricks(self, deals: Deals) -> Iterator[tuple[list[Any], np.ndarray]]:
        """Yield numbers of tricks for each operation, and their probability for each deal [n].

        For one operation, these are all numbers. Several operations use the quantiles of one random number:
        those of a side rise together, while those of its opponents fall.
        """
        chances = [
            np.asarray(self._model(deals.hands, strain, seat), np.float64) for strain, seat in self.tricks
        ]
        # One number of tricks: each that may occur, with its probability
        if len(chances) == 1:
            shares = -np.diff(chances[0], axis=1, append=0)
            for number in range(N_TRICK_COUNTS):
                if shares[:, number].max(initial=0) > 1e-6:
                    yield [np.full(len(deals), number, np.int8)], np.maximum(shares[:, number], 0)
            return
        # Several: at each level of probability, high for one side where it is low for the other
        side = self.tricks[0][1] % 2
        for k in range(N_QUANTILES):
            level = (k + 0.5) / N_QUANTILES
            levels = [level if seat % 2 == side else 1 - level for _, seat in self.tricks]
            tricks = [
                np.count_nonzero(chance[:, 1:] > limit, axis=1).astype(np.int8)
                for chance, limit in zip(chances, levels, strict=True)
            ]
            yield tricks, np.full(len(deals), 1 / N_QUANTILES)
