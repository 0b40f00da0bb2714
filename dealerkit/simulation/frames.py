"""Produced deals as a DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.wording import number_names
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.errors import EvaluationError
from dealerkit.planning import Plan

if TYPE_CHECKING:
    import pandas as pd


def frame_columns(plan: Plan) -> dict[str, int]:
    """Return column names and slots: the variables of the script, then the expressions of its actions.

    Of different expressions with one name, the later ones have a number after it, like their reports.
    """
    columns = dict(plan.variable_slots)
    slots = {name: {slot} for name, slot in columns.items()}  # by the name that the script gives
    pairs = [pair for action in plan.actions for pair in action.columns]
    for (name, slot), numbered in zip(pairs, number_names(name for name, _ in pairs), strict=True):
        if slot in slots.setdefault(name, set()):
            continue
        slots[name].add(slot)
        taken = ["deal", *columns]
        # The number of the report, or the next free one if an earlier column has this name already.
        columns[number_names([*taken, name if numbered in taken else numbered])[-1]] = slot
    return columns


def build_produced_frame(plan: Plan, deals: Deals, values: Callable[[int], np.ndarray]) -> pd.DataFrame:
    """Return the deals with the values of `frame_columns`; the types depend on the plan alone.

    Parameters
    ----------
    plan : Plan
    deals : Deals
    values : callable
        ``values(slot)`` returns an ndarray [n].

    Raises
    ------
    EvaluationError
        A variable has no value for a deal, because the script uses it under a guard only.
    """
    import pandas as pd

    from dealerkit.cards.array import DealArray

    data: dict[str, Any] = {"deal": DealArray(deals, copy=False)}
    for name, slot in frame_columns(plan).items():
        try:
            column = values(slot)
        except EvaluationError as error:
            raise type(error)(
                f"the variable {name!r} has no value for some produced deal ({error.message}); "
                "put its guard into its definition to have it in a frame",
                error.row,
            ) from None
        kind = column.dtype if column.dtype == bool else plan.graph.operations[slot].range.smallest_dtype()
        data[name] = column.astype(kind)
    return pd.DataFrame(data, copy=False)


class KeptColumns:
    """The values of operations for the kept deals of one run or several.

    Parameters
    ----------
    plan : Plan
    deals : Deals
    numbers : ndarray of int64 [n]
        Of the deals on the stream of their run.
    runs : sequence of (int, int)
        Seed and number of kept deals of each run, which counts its boards and draws its `rnd`.
    random_values : mapping of int to ndarray of int64 [n]
        Values that are known, by slot.
    """

    def __init__(
        self,
        plan: Plan,
        deals: Deals,
        numbers: np.ndarray,
        runs: Sequence[tuple[int, int]],
        random_values: Mapping[int, np.ndarray],
    ) -> None:
        self._batches, start = [], 0
        for seed, size in runs:
            rows = slice(start, start + size)
            boards = np.arange(size) + plan.program.start_board
            columns = BatchColumns(plan.graph, deals[rows], seed, numbers[rows], boards)
            for slot, values in random_values.items():
                columns.set_value(slot, values[rows])
            self._batches.append(columns)
            start += size

    def evaluate(self, slot: int) -> np.ndarray:
        """Return the values of an operation, ndarray [n]."""
        return np.concatenate([columns.array(slot) for columns in self._batches])
