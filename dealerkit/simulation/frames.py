"""Produced deals as a DataFrame, and as files that grow during a run: CSV, Parquet, folders of Parquet files.

The parts of a folder, which is one data set, are in the order of the deals, and so are their names. Workers
write their parts under random names; a part gets its number when the result of its task is used. So a task
that runs twice adds no rows.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from dealerkit import __version__
from dealerkit.appearance.wording import number_names, quote_formula
from dealerkit.cards.arrow import arrow_type
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.errors import ArgumentError, EvaluationError, FileError, describe_system_error, quote
from dealerkit.planning import Plan
from dealerkit.runtime.files import CountedFile, name_in_errors, replace_file, replace_folder

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

GROUP_ROWS = 1 << 17  # rows of a row group, which are in memory together
PART_ROWS = 1 << 22  # largest number of rows of a part, about 100 MB
SENT_ROWS = 1 << 14  # fewer rows of a task are sent instead, so that parts do not become too small
MARK = b"dealerkit"  # key of the metadata of a part
_PART_NAME = re.compile(r"part-[0-9]{8}\.parquet")
_NEW, _TASKS = "new", "tasks"  # folders for complete parts, and for parts that workers write


def frame_columns(plan: Plan) -> dict[str, int]:
    """Return column names and slots: the variables of the script, then the expressions of its actions.

    If different expressions have the same name, the later ones get a number after it, like their reports.
    """
    columns = dict(plan.variable_slots)
    slots = {name: {slot} for name, slot in columns.items()}  # by the name in the script
    pairs = [pair for action in plan.actions for pair in action.columns]
    for (name, slot), numbered in zip(pairs, number_names(name for name, _ in pairs), strict=True):
        if slot in slots.setdefault(name, set()):
            continue
        slots[name].add(slot)
        taken = ["deal", *columns]
        # The number of the report, or the next free one if an earlier column already has this name
        columns[number_names([*taken, name if numbered in taken else numbered])[-1]] = slot
    return columns


def build_produced_frame(plan: Plan, deals: Deals, values: Callable[[int], np.ndarray]) -> pd.DataFrame:
    """Return the deals with the values of `frame_columns`; the types depend only on the plan.

    Parameters
    ----------
    plan : Plan
    deals : Deals
    values : callable
        ``values(slot)`` returns an ndarray [n].

    Raises
    ------
    EvaluationError
        A variable has no value for a deal, because the script only uses it under a guard.
    """
    import pandas as pd

    from dealerkit.cards.array import DealArray

    data: dict[str, Any] = {"deal": DealArray(deals, copy=False)}
    for name, slot in frame_columns(plan).items():
        try:
            column = values(slot)
        except EvaluationError as error:
            raise type(error)(
                f"the variable {name!r} has no value for one of the produced deals ({error.message}); "
                "put the guard into its definition, so that the frame can contain it",
                error.row,
            ) from None
        kind = column.dtype if column.dtype == bool else plan.graph.operations[slot].range.smallest_dtype()
        data[name] = column.astype(kind)
    return pd.DataFrame(data, copy=False)


class KeptColumns:
    """The values of operations for the kept deals of one or several runs.

    Parameters
    ----------
    plan : Plan
    deals : Deals
    numbers : ndarray of int64 [n]
        Numbers of the deals on the stream of their run.
    runs : sequence of (int, int)
        Seed and number of kept deals of each run, which has its own board numbers and `rnd` values.
    random_values : mapping of int to ndarray of int64 [n]
        Known values, by slot.
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


class ParquetRows:
    """A Parquet file that is written in row groups of equal size, from tables of any size.

    Parameters
    ----------
    stream : file object
    mark : bytes
        Metadata of the file under the key `MARK`; empty: none.
    group_rows : int
        Rows of a row group, which are in memory together.

    Attributes
    ----------
    n_rows : int
        Number of rows so far.
    """

    def __init__(self, stream: BinaryIO, mark: bytes = b"", group_rows: int = GROUP_ROWS) -> None:
        self._stream, self._mark, self._group_rows, self.n_rows = stream, mark, group_rows, 0
        self._tables: list[pa.Table] = []
        self._n_waiting = 0
        self._writer: Any = None

    def add(self, table: pa.Table) -> None:
        """Add rows; the first table, which may be empty, defines the names and types of the columns."""
        if self._tables and not len(table):
            return
        self._tables.append(table)
        self.n_rows += len(table)
        self._n_waiting += len(table)
        if self._n_waiting >= self._group_rows:
            self._write_groups(self._n_waiting // self._group_rows * self._group_rows)

    def finish(self) -> None:
        """Write the last rows and the end of the file."""
        if self._tables:
            self._write_groups(self._n_waiting)
        self.close()

    def close(self) -> None:
        """Close the file; without `finish`, its last rows are missing."""
        if self._writer is not None:
            self._writer.close()

    def _write_groups(self, n_rows: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.concat_tables(self._tables)
        if self._writer is None:
            schema = table.schema.with_metadata({MARK: self._mark} if self._mark else None)
            # Deals do not repeat, so a dictionary of them would take six times as long and 50 % more space.
            columns = [name for name in schema.names if name != "deal"]
            self._writer = pq.ParquetWriter(self._stream, schema, use_dictionary=columns, compression="zstd")
        self._writer.write_table(table.slice(0, n_rows), row_group_size=self._group_rows)
        self._tables = [table.slice(n_rows).combine_chunks()]
        self._n_waiting -= n_rows


def build_table(plan: Plan, deals: Deals, values: Callable[[int], np.ndarray]) -> pa.Table:
    """Return the frame of produced deals as an Arrow table.

    It has no metadata of pandas, so that pandas can read the file without dealerkit too.
    """
    import pyarrow as pa

    frame = build_produced_frame(plan, deals, values)
    return pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()


@dataclass(frozen=True)
class PartFolder:
    """The folder to which parts are written, which all workers share, and the mark of each part.

    `target` is the name of the data set, for messages.
    """

    path: str
    mark: bytes
    target: str
    is_synced: bool = False


class PartWriter:
    """The parts of a data set, written one after another into a folder.

    Parameters
    ----------
    folder : PartFolder
    find_name : callable
        Returns the name of the next part.
    """

    def __init__(self, folder: PartFolder, find_name: Callable[[], str]) -> None:
        self._folder, self._find_name = folder, find_name
        self._rows: ParquetRows | None = None
        self._stream: BinaryIO | None = None

    def add(self, table: pa.Table) -> None:
        """Add rows; a full part is completed."""
        if self._rows is None:
            self._stream = open(Path(self._folder.path, self._find_name()), "xb")  # noqa: SIM115
            self._rows = ParquetRows(self._stream, self._folder.mark)
        self._rows.add(table)
        if self._rows.n_rows >= PART_ROWS:
            self.finish()

    def finish(self) -> None:
        """Complete the current part."""
        if self._rows is None or self._stream is None:
            return
        self._rows.finish()
        if self._folder.is_synced:
            self._stream.flush()
            os.fsync(self._stream.fileno())
        self.close()

    def close(self) -> None:
        """Close the current part; without `finish` it is damaged."""
        rows, stream = self._rows, self._stream
        self._rows = self._stream = None
        if rows is not None and stream is not None:
            try:
                rows.close()
            finally:
                stream.close()


class TaskParts:
    """The produced deals of a task: parts, or a few rows that are sent.

    Attributes
    ----------
    items : list of (str or bytes)
        Names of the parts, and rows as bytes for `load_rows`, in order; complete at the end of the block.
    """

    def __init__(self, folder: PartFolder, plan: Plan) -> None:
        self.items: list[str | bytes] = []
        self._plan, self._folder = plan, folder
        self._writer: PartWriter | None = None
        self._tables: list[pa.Table] = []
        self._n_rows = 0

    def add(self, deals: Deals, values: Callable[[int], np.ndarray]) -> None:
        """Add deals, with the values of expressions as for `build_produced_frame`."""
        if not len(deals):
            return
        table = build_table(self._plan, deals, values)
        self._n_rows += len(table)
        self._tables.append(table)
        if self._n_rows < SENT_ROWS:
            return
        with self._explain_errors():
            if self._writer is None:
                self._writer = PartWriter(self._folder, self._name_part)
            for table in self._tables:
                self._writer.add(table)
        self._tables = []

    def _name_part(self) -> str:
        name = f"{os.urandom(16).hex()}.parquet"  # also differs from that of another attempt at the same task
        self.items.append(name)
        return name

    @contextlib.contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as reason:
            raise FileError(
                f"{self._folder.target}: a worker on {platform.node()} cannot write there "
                f"({describe_system_error(reason)}); use a folder on a disk that all workers and this "
                "program can reach under the same path"
            ) from reason

    def __enter__(self) -> TaskParts:
        return self

    def __exit__(self, *error: Any) -> None:
        if error[0] is None and self._tables:
            self.items.append(dump_rows(self._tables))
        if self._writer is not None:
            with self._explain_errors():
                if error[0] is None:
                    self._writer.finish()
                self._writer.close()


def dump_rows(tables: Sequence[pa.Table]) -> bytes:
    """Return the rows of tables as bytes."""
    import pyarrow as pa

    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, tables[0].schema) as writer:
        writer.write_table(pa.concat_tables(tables).combine_chunks())
    return stream.getvalue().to_pybytes()


def load_rows(data: bytes) -> pa.Table:
    """Return the rows from `dump_rows`."""
    import pyarrow as pa

    arrow_type()  # this registers the type
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()


def read_mark(path: Path) -> bytes:
    """Return the mark of a part; empty if there is none, or the part is not complete."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return (pq.read_schema(path).metadata or {}).get(MARK, b"")
    except (OSError, pa.ArrowException):
        return b""


def open_frame(
    path: str | os.PathLike, plan: Plan, checkpoint: str | os.PathLike | None = None
) -> FrameFile | FrameFolder:
    """Open the file or folder to which a run writes its produced deals; only a folder can be continued.

    Raises
    ------
    ArgumentError
        The suffix is unknown, or pyarrow is missing for Parquet.
    FileError
        The file or folder cannot be written.
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"frame is {quote(path)}; it must be the name of a file or a folder")
    # The format, by the suffix of the name
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
            raise ArgumentError(
                f"{path}: Parquet needs pyarrow; run pip install 'dealerkit[parquet]'"
            ) from None
    # Only a folder has complete parts before the run ends
    if is_folder:
        return FrameFolder(path, plan, checkpoint)
    if checkpoint is not None:
        raise ArgumentError(
            f"checkpoint= cannot be combined with the frame {path}, which is a single file; write the "
            "frame to a "
            'folder, as frame="deals/"'
        )
    return FrameFile(path, plan)


def _ends_as_folder(path: str | os.PathLike) -> bool:
    return os.fspath(path).endswith(("/", os.sep))


class FrameFile:
    """A .csv or .parquet file of produced deals; it appears under its name only when it is complete.

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
    CSV stores deals as PBN text. Parquet stores them as four integers, which other programs read as a list
    and dealerkit as deals.
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
            names = False if self._has_rows else [quote_formula(name) for name in frame.columns]
            text = frame.astype({"deal": str}).to_csv(header=names, index=False, lineterminator="\n")
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
    """Return no deals and their values, for a frame that has only its columns."""
    no_deals = Deals(np.empty((0, 4), np.uint64), check=False)
    return no_deals, BatchColumns(plan.graph, no_deals, boards=np.empty(0, np.int64)).array


class FrameFolder:
    """A folder of Parquet files of produced deals; it appears under its name only when it is complete.

    Parameters
    ----------
    path : str or os.PathLike
    plan : Plan
        Its variables and actions define the columns.
    checkpoint : str or os.PathLike, optional
        If given, the parts remain when the run is killed, and the next start continues after `restore`.

    Raises
    ------
    FileError
        The folder cannot be written, or contains files that are not parts of such a data set.

    Attributes
    ----------
    part_folder : PartFolder or None
        Folder to which workers write parts; None if a column depends on the board number, which workers do
        not know.
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
        """Mark the parts with a text that distinguishes them from those of other runs."""
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
        """Complete the current part; return the argument of `restore`, as values that JSON has."""
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
            # Parts after the checkpoint are written again
            new = self._folder / _NEW
            for name in set(os.listdir(new)) - set(names):
                os.unlink(new / name)
            # Parts before it are in the new folder, or were moved to the complete one
            for name in names:
                if read_mark(new / name) == self._mark:
                    continue
                (new / name).unlink(missing_ok=True)
                part = Path(self.path, name)  # if the run was interrupted, or is complete
                if read_mark(part) != self._mark:
                    raise FileError(
                        f"{self.path}: the part {name} that the checkpoint needs is missing; delete the "
                        "checkpoint to begin again"
                    )
                try:
                    os.link(part, new / name)
                except OSError:  # the file system has no links
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
        """Add the rows of a task, in the form of `TaskParts.items`."""
        for item in items:
            if isinstance(item, bytes):
                self._add_table(load_rows(item))
                continue
            with name_in_errors(self.path):
                self._writer.finish()
                part = self._folder / _TASKS / item
                if not part.exists():
                    raise FileError(
                        f"{self.path}: a part that a worker wrote is not there; give a folder on a "
                        "disk that all workers and this program can reach under the same path"
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
    """Raise FileError unless a folder contains only parts of a data set that a run has written."""
    names = sorted(os.listdir(path))
    others = [name for name in names if not _PART_NAME.fullmatch(name)]
    if not others and names and not read_mark(path / names[0]):
        others = names
    if others:
        raise FileError(
            f"{path}: the folder contains files that no run has written, such as {others[0]}; give a new or "
            "empty one"
        )
