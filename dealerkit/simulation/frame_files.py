"""Files of produced deals that grow during the run, and folders of Parquet files, which are one data set.

The parts are in the order of the deals, and so are their names. Workers write theirs under random names;
they get their number when the results of their tasks are used. So a task that runs twice adds no rows.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit import __version__
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.errors import ArgumentError, FileError
from dealerkit.planning import Plan
from dealerkit.simulation.frames import build_produced_frame, frame_columns
from dealerkit.simulation.parquet_rows import (
    ParquetRows,
    PartFolder,
    PartWriter,
    build_table,
    load_rows,
    read_mark,
)
from dealerkit.system.files import CountedFile, name_in_errors, replace_file, replace_folder

if TYPE_CHECKING:
    import pyarrow as pa

_PART_NAME = re.compile(r"part-[0-9]{8}\.parquet")
_NEW, _TASKS = "new", "tasks"  # folders for complete parts, and for those that workers write


def open_frame(
    path: str | os.PathLike, plan: Plan, checkpoint: str | os.PathLike | None = None
) -> FrameFile | FrameFolder:
    """Open the file or the folder to which a run writes its produced deals; only a folder can be continued.

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
    if is_folder:
        return FrameFolder(path, plan, checkpoint)
    if checkpoint is not None:
        raise ArgumentError(
            f"checkpoint= is not possible with the frame {path}, which is one file; write the frame to a "
            'folder, as frame="deals/"'
        )
    return FrameFile(path, plan)


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
    checkpoint : str or os.PathLike, optional
        With one, the parts remain if the run is killed, and its next start continues after `restore`.

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

    def __init__(
        self, path: str | os.PathLike, plan: Plan, checkpoint: str | os.PathLike | None = None
    ) -> None:
        self.path, self._plan, self._n_parts = path, plan, 0
        self._is_synced = checkpoint is not None
        key = "" if checkpoint is None else hashlib.sha256(os.path.realpath(checkpoint).encode()).hexdigest()
        with contextlib.ExitStack() as stack:
            self._folder = stack.enter_context(replace_folder(path, _NEW, _check_parts, key[:16]))
            with name_in_errors(path):
                shutil.rmtree(self._folder / _TASKS, ignore_errors=True)
                (self._folder / _TASKS).mkdir()
            stack.callback(lambda: self._writer.close())
            self._stack = stack.pop_all()
        self._set_token(os.urandom(8).hex() if self._is_synced else "")

    def _set_token(self, token: str) -> None:
        """Mark the parts with a text that tells them from those of other runs."""
        self._token = token
        self._mark = json.dumps({"version": __version__, "run": token}).encode()
        new, tasks = (
            PartFolder(str(self._folder / name), self._mark, str(self.path), self._is_synced)
            for name in (_NEW, _TASKS)
        )
        self._writer = PartWriter(new, self._name_part)
        has_boards = self._plan.graph.has_kind(list(frame_columns(self._plan).values()), "board")
        self.part_folder = None if has_boards else tasks

    def describe(self) -> dict[str, Any]:
        """Complete the present part; return what `restore` takes, as values that JSON has."""
        with name_in_errors(self.path):
            self._writer.finish()
        return {"run": self._token, "n_parts": self._n_parts}

    def restore(self, state: dict[str, Any] | None) -> None:
        """Continue with the parts of a run that was killed or interrupted; None: begin.

        Raises
        ------
        FileError
            Some of its parts are missing.
        """
        if state is not None:
            self._set_token(str(state["run"]))
        n_parts = 0 if state is None else int(state["n_parts"])
        names = [self._name_part() for _ in range(n_parts)]
        with name_in_errors(self.path):
            new = self._folder / _NEW
            for name in set(os.listdir(new)) - set(names):
                os.unlink(new / name)
            for name in names:
                if read_mark(new / name) == self._mark:
                    continue
                (new / name).unlink(missing_ok=True)
                part = Path(self.path, name)  # of a run that was interrupted, or is complete
                if read_mark(part) != self._mark:
                    raise FileError(
                        f"{self.path}: the part {name} that the checkpoint needs is missing; delete the "
                        "checkpoint to begin again"
                    )
                try:
                    os.link(part, new / name)
                except OSError:  # a file system without links
                    shutil.copyfile(part, new / name)

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
    if not others and names and not read_mark(path / names[0]):
        others = names
    if others:
        raise FileError(
            f"{path}: the folder has files that no run has written, such as {others[0]}; give a new or "
            "empty one"
        )
