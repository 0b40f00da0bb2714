"""`stream_results`: results of many files, read one after another in constant memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import format_csv, limit_repr
from dealerkit.arguments import Params
from dealerkit.errors import ArgumentError, FileError, SkippedWarning, warn_caller
from dealerkit.runtime.files import write_atomically
from dealerkit.runtime.progress import long_work, track_items
from dealerkit.tournaments.reading import build_results, check_rules, list_files, read_file
from dealerkit.tournaments.report import ResultsReport
from dealerkit.tournaments.rules import EventScoring
from dealerkit.tournaments.tournament import TournamentResults

if TYPE_CHECKING:
    import pandas as pd

NUMBERS = ("session_id", "deal_id", "field")  # columns whose numbers begin at 0 in each file
SUFFIXES = (".csv", ".parquet")
GROUP_ROWS = 16_384  # results in memory before they are written to Parquet


@limit_repr
@dataclass(frozen=True, eq=False)
class ResultsStream:
    r"""Results of tournaments in many files, read one after another: `dealerkit.stream_results` returns it.

    Iterating reads the files, each as `TournamentResults`. Files without results are skipped; files with
    equal content are skipped with a warning. A player without a number has the same id in all files, by name.
    Other numbers begin at 0 in each file, so a deal in two files counts as two.

    Parameters
    ----------
    files : tuple of Path
    scoring : EventScoring or None
        The rules; None takes those that each file names.
    options : dict
        Other rules of `EventScoring`.

    Examples
    --------
    >>> import dealerkit as dk, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for evening, tricks in (("monday", 10), ("tuesday", 9)):
    ...         text = f"board,ns,ew,contract,declarer,tricks\n1,1,2,4S,N,{tricks}\n1,3,4,3NT,S,9\n"
    ...         _ = pathlib.Path(folder, f"{evening}.csv").write_text(text, encoding="utf-8")
    ...     stream = dk.stream_results(folder, "matchpoints")
    ...     print(stream, [read.results.mp_ns.tolist() for read in stream])
    <ResultsStream: 2 files> [[2.0, 0.0], [0.0, 2.0]]
    """

    files: tuple[Path, ...]
    scoring: EventScoring | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def __iter__(self) -> Iterator[TournamentResults]:
        ids: dict[str, str] = {}
        known: dict[bytes, Path] = {}  # by the digest of their content
        has_results = False
        for path in track_items(self.files, len(self.files), "files"):
            content = read_file(path)
            digest = hashlib.sha256(path.read_bytes()).digest()
            if digest in known:
                text = f"{path} has the same content as {known[digest]}; it is skipped"
                warn_caller(text, SkippedWarning)
            elif content.tables:
                known[digest] = path
                has_results = True
                yield build_results([content], self.scoring, self.options, ids)
        if not has_results:
            names = ", ".join(map(str, self.files[:3]))
            raise FileError(
                f"{names}: there are no results of tables in {format_count(len(self.files), 'file')}"
            )

    def __repr__(self) -> str:
        return f"<ResultsStream: {format_count(len(self.files), 'file')}>"

    @long_work
    def write(self, path: str | os.PathLike, *names: str, params: Params = (), **expressions: str) -> int:
        """Write all results as one table, CSV or Parquet by the suffix of the file, and return their number.

        Parameters
        ----------
        path : str or os.PathLike
            Ends with ``.csv`` or ``.parquet``; the file appears only when it is complete.
        *names, params, **expressions
            Measures of the deals as columns, as for `TournamentResults.evaluate`.

        Returns
        -------
        int
            Number of rows. The columns are those of `TournamentResults.results`; `session_id`, `deal_id` and
            `field` are counted over all files.

        Raises
        ------
        ArgumentError
            The suffix is another one, the files have no cards for the measures, or pyarrow, which Parquet
            needs, is not installed.
        FileError
            A file cannot be read, or the table cannot be written.
        """
        suffix = check_suffix(path)
        first, n_rows = dict.fromkeys(NUMBERS, 0), 0
        with write_atomically(path) as temporary, open(temporary, "wb") as file:
            rows = (_CsvRows if suffix == ".csv" else _ParquetRows)(file)
            for read in self:
                if names or expressions:
                    read = read.evaluate(*names, params=params, **expressions)
                frame = read.results.assign(**{name: read.results[name] + first[name] for name in NUMBERS})
                rows.add(frame)
                n_rows += len(frame)
                first = {name: int(frame[name].max()) + 1 for name in NUMBERS}
            rows.finish()
        return n_rows

    @long_work
    def compare_tricks(self, confidence: float = 0.95, threads: int | None = None) -> ResultsReport:
        """Return actual minus double-dummy tricks over all files, as `TournamentResults.compare_tricks`.

        Each file is solved when it is read. Solved tricks are kept in the store, so an interrupted call
        continues from there. Files without cards are skipped.

        Parameters
        ----------
        confidence : float in (0, 1)
        threads : int, optional
            Number of threads of the solver.

        Raises
        ------
        ArgumentError
            No file has results with contract, declarer, tricks and known cards.
        """
        from dealerkit.tournaments.dd_reports import TrickDifferences
        from dealerkit.tournaments.solving import Situations

        found = TrickDifferences()
        for read in self:
            if len(Situations(read).rows):
                found.update(read.solve(threads=threads))
        return found.report(confidence)

    @long_work
    def players(self, confidence: float = 0.95) -> ResultsReport:
        """Return boards and means of all players over all files, as `TournamentResults.players`.

        Only a few sums are kept for each player.

        Parameters
        ----------
        confidence : float in (0, 1)

        Raises
        ------
        ArgumentError
            No file names players, the results are not scored in a field, or they are in several units.
        """
        from dealerkit.tournaments.players import PlayerMeans

        found = PlayerMeans()
        for read in self:
            found.update(read)
        return found.report(confidence)


def stream_results(
    source: str | os.PathLike | Iterable[str | os.PathLike],
    scoring: str | EventScoring | None = None,
    **options: Any,
) -> ResultsStream:
    """Return the results of many files, which are read one after another when they are needed.

    `dealerkit.results` needs about two kilobytes per result; a stream needs the memory of its largest file,
    whatever the number of files.

    Parameters
    ----------
    source : str, os.PathLike, or several of them
        Files or folders, as for `dealerkit.results`.
    scoring : str or EventScoring, optional
        By default the scoring that each file names.
    **options
        Other rules of `EventScoring`.

    Returns
    -------
    ResultsStream

    Raises
    ------
    FileError
        A folder has no file of results.
    ArgumentError
        The scoring or a rule is unknown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stream_results(folder)
    Traceback (most recent call last):
    dealerkit.errors.FileError: ... there is no file that ends with .pbn, .lin, .xml, .csv in this folder
    """
    return ResultsStream(tuple(list_files(source)), check_rules(scoring, options), options)


# ---------------------------------------------------------------- tables


def check_suffix(path: str | os.PathLike) -> str:
    """Return the suffix of a table's file, .csv or .parquet.

    Raises
    ------
    ArgumentError
        The suffix is another one, or pyarrow, which Parquet needs, is not installed.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ArgumentError(f"{path}: the name of a table of results must end with .csv or .parquet")
    if suffix == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise ArgumentError(
                f"{path}: Parquet needs pyarrow; run pip install 'dealerkit[parquet]'"
            ) from None
    return suffix


def write_frame(path: str | os.PathLike, frame: pd.DataFrame) -> None:
    """Write a table as CSV or Parquet, by the suffix of the file; see `check_suffix`."""
    suffix = check_suffix(path)
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        rows = (_CsvRows if suffix == ".csv" else _ParquetRows)(file)
        rows.add(frame)
        rows.finish()


class _CsvRows:
    """Rows that are written as CSV, with the names of the columns once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._columns = file, 0

    def add(self, frame: pd.DataFrame) -> None:
        text = format_csv(frame)
        self._file.write((text.partition("\n")[2] if self._columns else text).encode())
        self._columns = len(frame.columns)

    def finish(self) -> None:
        """Do nothing, because all rows are written."""


class _ParquetRows:
    """Rows that are written as Parquet; the first rows determine the types, and categories become texts."""

    def __init__(self, file: BinaryIO) -> None:
        from dealerkit.simulation.frames import ParquetRows

        self._rows, self._schema = ParquetRows(file, group_rows=GROUP_ROWS), None

    def add(self, frame: pd.DataFrame) -> None:
        import pyarrow as pa

        words = [name for name, dtype in frame.dtypes.items() if str(dtype) in ("category", "object")]
        texts = dict.fromkeys(words, "string")
        table = pa.Table.from_pandas(frame.astype(texts), schema=self._schema, preserve_index=False)
        table = table.replace_schema_metadata()
        self._schema = table.schema
        self._rows.add(table)

    def finish(self) -> None:
        """Write the last rows and the end of the file."""
        self._rows.finish()
