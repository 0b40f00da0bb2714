"""Produced deals as a DataFrame, and as a file that grows during the run."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.errors import ArgumentError, EvaluationError
from dealerkit.files import CountedFile, name_in_errors, replace_file
from dealerkit.planning import Plan
from dealerkit.wording import number_names

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


class FrameFile:
    """A .csv or .parquet file of produced deals; it appears under its name when it is complete.

    Parameters
    ----------
    path : str or os.PathLike
    plan : Plan
        Its variables and actions define the columns.

    Raises
    ------
    ArgumentError
        The path ends otherwise, or pyarrow is missing for Parquet.
    FileError
        The file cannot be written.

    Notes
    -----
    CSV holds deals as PBN text. Parquet holds them as four integers, which other programs read as
    a list and dealerkit as deals.
    """

    def __init__(self, path: str | os.PathLike, plan: Plan) -> None:
        if not isinstance(path, str | os.PathLike):
            raise ArgumentError(f"frame is {path!r:.60}; it is the name of a file")
        self.path, self._plan = Path(path), plan
        if self.path.suffix not in (".csv", ".parquet"):
            raise ArgumentError(f"{path}: write a frame to a file that ends in .csv or .parquet")
        if self.path.suffix == ".parquet":
            try:
                import pyarrow  # noqa: F401
            except ImportError:
                raise ArgumentError(f"{path}: Parquet needs pyarrow; install dealerkit[parquet]") from None
        with contextlib.ExitStack() as stack:
            temporary = stack.enter_context(replace_file(path))
            with name_in_errors(path):
                self._stream = stack.enter_context(CountedFile(temporary))
            self._stack = stack.pop_all()
        self._parquet: Any = None
        self._has_rows = False

    def add(self, deals: Deals, values: Callable[[int], np.ndarray]) -> None:
        """Add deals, with the values of expressions as for `build_produced_frame`."""
        frame = build_produced_frame(self._plan, deals, values)
        with name_in_errors(self.path):
            if self.path.suffix == ".csv":
                text = frame.astype({"deal": str}).to_csv(header=not self._has_rows, index=False)
                self._stream.write(text.encode())
            else:
                import pyarrow as pa
                import pyarrow.parquet as pq

                # Without pandas' metadata, so that pandas without dealerkit reads the file too.
                table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()
                if self._parquet is None:
                    self._parquet = self._stack.enter_context(pq.ParquetWriter(self._stream, table.schema))
                self._parquet.write_table(table)
        self._has_rows = True

    def __enter__(self) -> FrameFile:
        return self

    def __exit__(self, *error: Any) -> None:
        if not self._has_rows and error[0] is None:
            no_deals = Deals(np.empty((0, 4), np.uint64), check=False)
            self.add(no_deals, BatchColumns(self._plan.graph, no_deals, boards=np.empty(0, np.int64)).array)
        with name_in_errors(self.path):
            self._stack.__exit__(*error)
