"""Files of produced deals that grow during the run, and folders of Parquet files, which are one data set.

The parts are in the order of the deals, and so are their names. Workers write theirs under random names;
they get their number when the results of their tasks are used. So a task that runs twice adds no rows.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit import __version__
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.errors import ArgumentError, FileError
from dealerkit.files import CountedFile, name_in_errors, replace_file, replace_folder
from dealerkit.planning import Plan
from dealerkit.simulation.frames import build_produced_frame, frame_columns
from dealerkit.simulation.parquet_rows import (
    MARK,
    ParquetRows,
    PartFolder,
    PartWriter,
    build_table,
    load_rows,
)

if TYPE_CHECKING:
    import pyarrow as pa

_PART_NAME = re.compile(r"part-[0-9]{8}\.parquet")
_NEW, _TASKS = "new", "tasks"  # folders for complete parts, and for those that workers write


def open_frame(path: str | os.PathLike, plan: Plan) -> FrameFile | FrameFolder:
    """Open the file or the folder to which a run writes its produced deals.

    Raises
    ------
    ArgumentError
        The path ends in an unknown way, or pyarrow is missing for Parquet.
    FileError
        The file or folder cannot be written.
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"frame is {path!r:.60}; it is the name of a file or a folder")
    suffix = Path(path).suffix
    is_folder = suffix != ".csv" and (not suffix or _ends_as_folder(path) or os.path.isdir(path))
    if not is_folder and (suffix not in (".csv", ".parquet") or _ends_as_folder(path)):
        raise ArgumentError(
            f"{path}: write a frame to a file that ends in .csv or .parquet, or to a folder "
            "for Parquet files, whose name ends in /"
        )
    if suffix != ".csv":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise ArgumentError(f"{path}: Parquet needs pyarrow; install dealerkit[parquet]") from None
    return FrameFolder(path, plan) if is_folder else FrameFile(path, plan)


def _ends_as_folder(path: str | os.PathLike) -> bool:
    return os.fspath(path).endswith(("/", os.sep))


class FrameFile:
    """A .csv or .parquet file of produced deals; it appears under its name when it is complete.

    Parameters
    ----------
    path : str or os.PathLike
    plan : Plan
        Its variables and actions define the columns.

    Raises
    ------
    FileError
        The file cannot be written.

    Notes
    -----
    CSV holds deals as PBN text. Parquet holds them as four integers, which other programs read as
    a list and dealerkit as deals.
    """

    part_folder = None  # workers do not write it

    def __init__(self, path: str | os.PathLike, plan: Plan) -> None:
        self.path, self._plan = Path(path), plan
        with contextlib.ExitStack() as stack:
            temporary = stack.enter_context(replace_file(path))
            with name_in_errors(path):
                self._stream = stack.enter_context(CountedFile(temporary))
            self._rows = ParquetRows(self._stream) if self.path.suffix == ".parquet" else None
            if self._rows is not None:
                stack.callback(self._rows.close)
            self._stack = stack.pop_all()
        self._has_rows = False

    def add(self, deals: Deals, values: Callable[[int], np.ndarray]) -> None:
        """Add deals, with the values of expressions as for `build_produced_frame`."""
        if self._rows is not None:
            table = build_table(self._plan, deals, values)
            with name_in_errors(self.path):
                self._rows.add(table)
        else:
            frame = build_produced_frame(self._plan, deals, values)
            text = frame.astype({"deal": str}).to_csv(header=not self._has_rows, index=False)
            with name_in_errors(self.path):
                self._stream.write(text.encode())
        self._has_rows = True

    def __enter__(self) -> FrameFile:
        return self

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            if not self._has_rows:
                self.add(*no_rows(self._plan))
            if self._rows is not None:
                with name_in_errors(self.path):
                    self._rows.finish()
        with name_in_errors(self.path):
            self._stack.__exit__(*error)


def no_rows(plan: Plan) -> tuple[Deals, Callable[[int], np.ndarray]]:
    """Return no deals and their values, for a frame that has its columns only."""
    no_deals = Deals(np.empty((0, 4), np.uint64), check=False)
    return no_deals, BatchColumns(plan.graph, no_deals, boards=np.empty(0, np.int64)).array


class FrameFolder:
    """A folder of Parquet files of produced deals; it appears under its name when it is complete.

    Parameters
    ----------
    path : str or os.PathLike
    plan : Plan
        Its variables and actions define the columns.

    Raises
    ------
    FileError
        The folder cannot be written, or has files that are no parts of such a data set.

    Attributes
    ----------
    part_folder : PartFolder or None
        Where workers write parts; None if a column depends on the number of the board, which they do not
        know.
    """

    def __init__(self, path: str | os.PathLike, plan: Plan) -> None:
        self.path, self._plan, self._n_parts = path, plan, 0
        mark = json.dumps({"version": __version__}).encode()
        with contextlib.ExitStack() as stack:
            self._folder = stack.enter_context(replace_folder(path, _NEW, _check_parts))
            with name_in_errors(path):
                (self._folder / _TASKS).mkdir()
            self._writer = PartWriter(PartFolder(str(self._folder / _NEW), mark, str(path)), self._name_part)
            stack.callback(self._writer.close)
            self._stack = stack.pop_all()
        has_boards = plan.graph.has_kind(list(frame_columns(plan).values()), "board")
        self.part_folder = None if has_boards else PartFolder(str(self._folder / _TASKS), mark, str(path))

    def _name_part(self) -> str:
        self._n_parts += 1
        return f"part-{self._n_parts - 1:08}.parquet"

    def add(self, deals: Deals, values: Callable[[int], np.ndarray]) -> None:
        """Add deals, with the values of expressions as for `build_produced_frame`."""
        if len(deals):
            self._add_table(build_table(self._plan, deals, values))

    def _add_table(self, table: pa.Table) -> None:
        with name_in_errors(self.path):
            self._writer.add(table)

    def add_items(self, items: Iterable[str | bytes]) -> None:
        """Add the rows of a task, as `TaskParts.items`."""
        for item in items:
            if isinstance(item, bytes):
                self._add_table(load_rows(item))
                continue
            with name_in_errors(self.path):
                self._writer.finish()
                part = self._folder / _TASKS / item
                if not part.exists():
                    raise FileError(
                        f"{self.path}: a worker has written a part that is not there; give a folder on a "
                        "disk that all workers and this program have under the same path"
                    )
                os.rename(part, self._folder / _NEW / self._name_part())

    def __enter__(self) -> FrameFolder:
        return self

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            if not self._n_parts:
                self._add_table(build_table(self._plan, *no_rows(self._plan)))
            with name_in_errors(self.path):
                self._writer.finish()
        self._stack.__exit__(*error)


def _check_parts(path: Path) -> None:
    """Raise FileError unless a folder has nothing but parts of a data set that a run has written."""
    names = sorted(os.listdir(path))
    others = [name for name in names if not _PART_NAME.fullmatch(name)]
    if not others and names and not _has_mark(path / names[0]):
        others = names
    if others:
        raise FileError(
            f"{path}: the folder has files that no run has written, such as {others[0]}; give a new or "
            "empty one"
        )


def _has_mark(path: Path) -> bool:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return MARK in (pq.read_schema(path).metadata or {})
    except (OSError, pa.ArrowException):
        return False
