"""Produced deals as DataFrames, and DataFrames as files that grow while a run goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, FileError
from dealerkit.language.frames import narrow
from dealerkit.planning import Plan

if TYPE_CHECKING:
    import pandas as pd


def columns_of(plan: Plan) -> dict[str, int]:
    """Column names and slots: the variables of the script, then the expressions of its actions."""
    columns = {}
    for name in plan.program.definitions:
        slot = plan.formulas.variable(name)
        if slot is not None:
            columns[name] = slot
    for action in plan.actions:
        columns |= action.columns
    return columns


def frame_of(plan: Plan, deals: Deals, values: Callable[[int], np.ndarray]) -> pd.DataFrame:
    """The deals beside the values of `columns_of`; equal types for equal plans, whatever the values.

    Parameters
    ----------
    plan : Plan
    deals : Deals
    values : callable
        ``values(slot)`` gives an ndarray [n].
    """
    import pandas as pd

    from dealerkit.cards.array import DealArray

    data: dict[str, Any] = {"deal": DealArray(deals, copy=False)}
    for name, slot in columns_of(plan).items():
        column = values(slot)
        kind = column.dtype if column.dtype == bool else narrow(plan.formulas.operations[slot].range, False)
        data[name] = column.astype(kind)
    return pd.DataFrame(data, copy=False)


class FrameFile:
    """A .csv or .parquet file that frames are added to; it appears under its name when it is complete.

    Parameters
    ----------
    path : str or os.PathLike

    Raises
    ------
    ArgumentError
        Another ending, or no pyarrow for Parquet.
    FileError
        A folder that cannot be written.

    Notes
    -----
    CSV holds deals as PBN text. Parquet holds them as four integers, which other programs read as
    a list and dealerkit as deals.
    """

    def __init__(self, path: str | os.PathLike) -> None:
        self.path = Path(path)
        if self.path.suffix not in (".csv", ".parquet"):
            raise ArgumentError(f"{path}: write a frame to a file that ends in .csv or .parquet")
        if self.path.suffix == ".parquet":
            try:
                import pyarrow  # noqa: F401
            except ImportError:
                raise ArgumentError(f"{path}: Parquet needs pyarrow; install dealerkit[parquet]") from None
        self._beside = self.path.with_name(f".{self.path.name}.{os.getpid()}{self.path.suffix}")
        self._parquet: Any = None
        self._begun = False
        try:
            self._beside.touch()
        except OSError as reason:
            raise FileError(f"{path}: {reason.strerror or reason}") from reason

    def add(self, frame: pd.DataFrame) -> None:
        """Add rows."""
        try:
            if self.path.suffix == ".csv":
                text = frame.astype({"deal": str})
                text.to_csv(self._beside, mode="a", header=not self._begun, index=False)
            else:
                import pyarrow as pa
                import pyarrow.parquet as pq

                # Without pandas' own notes, so that a pandas that has not seen dealerkit reads it too.
                table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()
                self._parquet = self._parquet or pq.ParquetWriter(self._beside, table.schema)
                self._parquet.write_table(table)
        except OSError as reason:
            raise FileError(f"{self.path}: {reason.strerror or reason}") from reason
        self._begun = True

    def __enter__(self) -> FrameFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._parquet is not None:
            self._parquet.close()
        if kind is None:
            os.replace(self._beside, self.path)
        else:
            self._beside.unlink(missing_ok=True)
