"""Rows of produced deals for Parquet: a file in row groups, and the parts of a data set."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from dealerkit.cards.arrow import arrow_type
from dealerkit.cards.deals import Deals
from dealerkit.errors import FileError
from dealerkit.planning import Plan
from dealerkit.simulation.frames import build_produced_frame

if TYPE_CHECKING:
    import pyarrow as pa

GROUP_ROWS = 1 << 17  # of a row group: so many rows are in memory
PART_ROWS = 1 << 22  # at most of a part, about 100 MB
SENT_ROWS = 1 << 14  # fewer rows of a task are sent, so that parts do not become too small
MARK = b"dealerkit"  # key of the metadata of a part


class ParquetRows:
    """A Parquet file that is written in row groups of equal size, from tables of any size.

    Parameters
    ----------
    stream : file object
    mark : bytes
        Metadata of the file under the key `MARK`; empty: none.

    Attributes
    ----------
    n_rows : int
        So far.
    """

    def __init__(self, stream: BinaryIO, mark: bytes = b"") -> None:
        self._stream, self._mark, self.n_rows = stream, mark, 0
        self._tables: list[pa.Table] = []
        self._n_waiting = 0
        self._writer: Any = None

    def add(self, table: pa.Table) -> None:
        """Add rows; the first table, which may be empty, has the names and types of the columns."""
        if self._tables and not len(table):
            return
        self._tables.append(table)
        self.n_rows += len(table)
        self._n_waiting += len(table)
        if self._n_waiting >= GROUP_ROWS:
            self._write_groups(self._n_waiting // GROUP_ROWS * GROUP_ROWS)

    def finish(self) -> None:
        """Write the last rows and the end of the file."""
        if self._tables:
            self._write_groups(self._n_waiting)
        self.close()

    def close(self) -> None:
        """Close the file; without `finish` it lacks its last rows."""
        if self._writer is not None:
            self._writer.close()

    def _write_groups(self, n_rows: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.concat_tables(self._tables)
        if self._writer is None:
            schema = table.schema.with_metadata({MARK: self._mark} if self._mark else None)
            # Deals do not repeat, so a dictionary of them costs six times the time, and a half more space.
            columns = [name for name in schema.names if name != "deal"]
            self._writer = pq.ParquetWriter(self._stream, schema, use_dictionary=columns, compression="zstd")
        self._writer.write_table(table.slice(0, n_rows), row_group_size=GROUP_ROWS)
        self._tables = [table.slice(n_rows).combine_chunks()]
        self._n_waiting -= n_rows


def build_table(plan: Plan, deals: Deals, values: Callable[[int], np.ndarray]) -> pa.Table:
    """Return the frame of produced deals as a table of Arrow.

    It is without pandas' metadata, so that pandas without dealerkit reads the file too.
    """
    import pyarrow as pa

    frame = build_produced_frame(plan, deals, values)
    return pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()


@dataclass(frozen=True)
class PartFolder:
    """Where parts are written: the folder, which all workers have, and what each part has as its mark.

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
        """Add rows; a part that is full is completed."""
        if self._rows is None:
            self._stream = open(Path(self._folder.path, self._find_name()), "xb")  # noqa: SIM115
            self._rows = ParquetRows(self._stream, self._folder.mark)
        self._rows.add(table)
        if self._rows.n_rows >= PART_ROWS:
            self.finish()

    def finish(self) -> None:
        """Complete the present part."""
        if self._rows is None or self._stream is None:
            return
        self._rows.finish()
        if self._folder.is_synced:
            self._stream.flush()
            os.fsync(self._stream.fileno())
        self.close()

    def close(self) -> None:
        """Close the present part; without `finish` it is damaged."""
        rows, stream = self._rows, self._stream
        self._rows = self._stream = None
        if rows is not None and stream is not None:
            try:
                rows.close()
            finally:
                stream.close()


class TaskParts:
    """The produced deals of a task: parts, or few rows that are sent.

    Attributes
    ----------
    items : list of (str or bytes)
        Names of the parts, and rows as bytes for `load_rows`, in order; complete when the block ends.
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
        name = f"{os.urandom(16).hex()}.parquet"  # of another attempt at the same task too
        self.items.append(name)
        return name

    @contextlib.contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as reason:
            raise FileError(
                f"{self._folder.target}: a worker on {platform.node()} cannot write there "
                f"({reason.strerror or reason}); the folder must be on a disk that all workers and this "
                "program have under the same path"
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
    """Return the rows of `dump_rows`."""
    import pyarrow as pa

    arrow_type()  # it is known from now on
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()


def read_mark(path: Path) -> bytes:
    """Return the mark of a part; empty where there is none, or no complete part."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return (pq.read_schema(path).metadata or {}).get(MARK, b"")
    except (OSError, pa.ArrowException):
        return b""
