"""Files of deals: `read`; `Library`, a source of deals for runs and a table to look at; joined files."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import Given, check_integer, read_given
from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, VULNERABILITIES
from dealerkit.cards.pages import DealPages
from dealerkit.cards.sequence import default_column, next_cluster
from dealerkit.dealing.random_words import LIBRARY, block_key, fill_random_words
from dealerkit.dealing.source import ALL_SEATS, TABLES, Source
from dealerkit.errors import (
    ArgumentError,
    MemoryLimitError,
    Parameter,
    SkippedWarning,
    TermsWarning,
    quote,
    warn_caller,
)
from dealerkit.formats.auctions import count_tricks
from dealerkit.formats.content import BATCH, Content, Records
from dealerkit.formats.format import check_content, check_options, find_format, get_format, write
from dealerkit.formats.partial import PartialDeals, read_partial
from dealerkit.runtime.process import cached_property, memory_bytes
from dealerkit.runtime.progress import long_work, track

if TYPE_CHECKING:
    import pandas as pd

_DEAL_BYTES = 52  # bytes for the hands and the table of a deal
CHUNK = 1 << 20  # random words that are compared together


class Library(DealPages, Source):
    """The deals of a file, or some of them.

    A library can be the source of `dealerkit.run`, which uses its tables instead of solving. Deals of a large
    file are decoded in batches when they are needed. Slices, `where` and `sample` return libraries of some of
    the deals.

    Parameters
    ----------
    content : Content
        What a reader returned; use `dealerkit.read` to make a library.

    Attributes
    ----------
    n_deals : int
    is_solved : bool
        Whether every deal has a complete double-dummy table.

    Examples
    --------
    >>> from dealerkit.formats import pavlicek_deals
    >>> from dealerkit.formats.content import Records
    >>> library = Library(Records(pavlicek_deals(0, 1000), name="first.pbn"))
    >>> library
    <Library: 1,000 deals of first.pbn>
    >>> library.where("hcp(north) >= 20")
    <Library: 11 deals of first.pbn>
    """

    def __init__(self, content: Content) -> None:
        self.content = content
        self._set_rows(range(content.n_deals), 0)
        self.coverage = "all" if content.is_enumeration else "sample"
        self.has_blocks = not content.is_enumeration
        if content.terms is not None:
            # Of this line, not of the caller's, so that it is shown once.
            warnings.warn(content.terms, TermsWarning, stacklevel=1)

    def _set_rows(self, rows: range | np.ndarray, start: int) -> None:
        """Choose deals of the file; `start` is the position of the first one, the last is before it."""
        self._rows, self._start, self._block = rows, start, 0
        self.n_deals, self.deals_anywhere = len(rows), True
        self.is_solved = self.content.is_solved
        credit = f" ({self.content.credit})" if self.content.credit else ""
        self.description = (
            f"{format_count(len(rows), 'deal')} of {self.content.name or 'a library'}{credit}, "
        )
        if self.content.decodes_tables:
            self.everything = ALL_SEATS | TABLES

    def _take(self, rows: range | np.ndarray, start: int = 0) -> Self:
        """Return a library of other deals of the same file."""
        library = type(self).__new__(type(self))
        library.content, library.coverage, library.has_blocks = self.content, self.coverage, self.has_blocks
        library._set_rows(rows, start)
        return library

    def _find_rows(self, numbers: np.ndarray) -> np.ndarray:
        """Return the numbers in the file of deals given by their positions here."""
        if self._start:
            numbers = (numbers + self._start) % len(self._rows)
        if isinstance(self._rows, range):
            return self._rows.start + numbers * self._rows.step
        return self._rows[numbers]

    # ------------------------------------------------------------ source of a run
    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals]:
        if self.content.deals_all_seats:
            seats |= ALL_SEATS  # `complete` relies on it
        return lambda: self._decode(np.arange(first, first + count), seats)

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        if not self.content.decodes_tables:
            return deals
        needs_tables = deals.tables is None and seats & TABLES
        decoded = self._decode(
            numbers, needs_tables | (0 if self.content.deals_all_seats else seats & ALL_SEATS)
        )
        hands = deals.hands if self.content.deals_all_seats else decoded.hands
        return Deals(hands, tables=decoded.tables if needs_tables else deals.tables, check=False)

    def clusters(self, first: int, count: int) -> np.ndarray | None:
        return self._attached("cluster", first, count)

    def weights(self, first: int, count: int) -> np.ndarray | None:
        return self._attached("weight", first, count)

    def _attached(self, name: str, first: int, count: int) -> np.ndarray | None:
        """Return an attached column of some deals; files that are decoded have none."""
        deals = getattr(self.content, "deals", None)
        column = None if deals is None else getattr(deals, name)
        return None if column is None else column[self._find_rows(np.arange(first, first + count))]

    def _decode(self, numbers: np.ndarray, seats: int) -> Deals:
        """Return deals by their positions; `seats` is a bit set of seats and TABLES."""
        return self.content.decode(self._find_rows(numbers), seats & ALL_SEATS, bool(seats & TABLES))

    def from_block(self, seed: int) -> tuple[Self, bool]:
        """Return all deals from a block on, followed by those before it, as DealerV2 reads a library.

        A block has 1,000 records; in files of fewer than 10,000 records it has 100, below 1,000 it has 10,
        and below 100 it has 1.

        Parameters
        ----------
        seed : int
            Number of the block; if there is no such block, the first is used.

        Returns
        -------
        library : Library
        exists : bool
            Whether the file has such a block.
        """
        whole = isinstance(self._rows, range) and self._rows == range(self.content.n_deals)
        n_records = self.content.n_records if whole else len(self)
        size = next(
            (size for limit, size in ((100, 1), (1000, 10), (10_000, 100)) if n_records < limit), 1000
        )
        exists = 0 <= seed < max(1, n_records // size)
        if not exists:
            return self, False
        start = self.content.find_block(seed, size) if whole else seed * size
        library = self._take(self._rows, (self._start + start) % max(1, len(self)))
        library._block = seed
        return library, True

    def count_read(self, n_dealt: int) -> tuple[int, int, int]:
        return n_dealt, int(self._start + n_dealt > len(self)), self._block

    # ------------------------------------------------------------ deals
    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, key: int) -> Deal: ...
    @overload
    def __getitem__(self, key: slice | list | np.ndarray) -> Self: ...
    def __getitem__(self, key: Any) -> Deal | Self:
        if isinstance(key, int | np.integer | None):
            if isinstance(key, bool | None) or not -len(self) <= key < len(self):
                raise IndexError(f"deal {key} of {len(self)}")
            return self._decode(np.array([int(key) % len(self)]), self.everything)[0]
        if isinstance(key, slice) and isinstance(self._rows, range) and not self._start:
            library = self._take(self._rows[key])
        else:
            library = self._take(self._find_rows(np.arange(len(self))[key]))
        if self.coverage == "all" and not (isinstance(key, slice) and len(library) == len(self)):
            library.coverage = "part"
        return library

    def __iter__(self) -> Iterator[Deal]:
        for deals in self.batches():
            yield from deals

    def batches(self, size: int = BATCH) -> Iterator[Deals]:
        """Yield the deals in order, `size` at a time, with their attached columns."""
        starts, n = range(0, len(self), check_integer("size", size, 1)), len(self)
        return track((self._decode(np.arange(i, min(i + size, n)), self.everything) for i in starts), n)

    @property
    def deals(self) -> Deals:
        """All deals with their attached columns, decoded.

        Raises
        ------
        MemoryLimitError
            They would need more than a quarter of the memory.
        """
        n_bytes = _DEAL_BYTES * len(self)
        if not hasattr(self.content, "deals") and n_bytes > memory_bytes() // 4:
            raise MemoryLimitError(
                f"{len(self):,} deals need {n_bytes:,} bytes, more than a quarter of the memory "
                f"({memory_bytes():,}); use a slice, where() or batches()"
            )
        return self._decode(np.arange(len(self)), self.everything)

    @property
    def tables(self) -> np.ndarray | None:
        """Tricks of all deals, int8 [n, 5, 4], by strain (S H D C N) and declarer (N E S W), or None."""
        if not self.content.decodes_tables:
            return self.deals.tables if hasattr(self.content, "deals") else None
        tables = np.empty((len(self), 5, 4), np.int8)
        for first in range(0, len(self), BATCH):
            decoded = self._decode(np.arange(first, min(first + BATCH, len(self))), TABLES)
            assert decoded.tables is not None
            tables[first : first + BATCH] = decoded.tables
        return tables

    @property
    def numbers(self) -> np.ndarray:
        """Numbers of these deals in the file, from 0, int64 [n]."""
        return self._find_rows(np.arange(len(self)))

    @property
    def texts(self) -> dict[str, list]:
        """The text columns of the file: for each name, a text for each deal."""
        if not self.content.texts:
            return {}
        numbers = self.numbers.tolist()
        return {name: [texts[number] for number in numbers] for name, texts in self.content.texts.items()}

    @property
    def terms(self) -> str | None:
        """The terms of use of the data, if there are any."""
        return self.content.terms

    @property
    def unchecked(self) -> tuple[str, ...]:
        """The checks that were impossible when the file was opened."""
        return tuple(self.content.unchecked)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each deal: board, dealer, vulnerable, and the texts of the file; the index is `numbers`.

        Dealer and vulnerability are words, as in CSV and Parquet files: north, east, south, west; none, ns,
        ew, both; missing if unknown. `Library.deals` has them as numbers. `result` is the number of
        declarer's tricks, 0 to 13, missing if unknown or passed out; `result_text` is the text in the file.
        `declarer` is missing if the deal was passed out. The ``^`` with which PBN marks irregular values is
        left out of contract and declarer; `Library.texts` has it.
        """
        import pandas as pd

        numbers = self.numbers
        data: dict[str, Any] = {}
        deals = getattr(self.content, "deals", None)
        for name in ("board", "dealer", "vulnerable"):
            if deals is not None and (column := getattr(deals, name)) is not None:
                known = {"dealer": SEATS, "vulnerable": VULNERABILITIES}.get(name)
                codes = column[numbers]
                data[name] = pd.Categorical.from_codes(codes, list(known)) if known else codes
        texts = self.texts
        data |= texts
        # Tricks as numbers, in addition to their text; a passed-out deal has no declarer.
        empty = [""] * len(numbers)
        contracts, declarers = texts.get("contract", empty), texts.get("declarer", empty)
        if "contract" in texts:
            data["contract"] = [contract.lstrip("^") for contract in contracts]
        if "declarer" in texts:
            seats = [declarer.lstrip("^") or pd.NA for declarer in declarers]
            data["declarer"] = pd.array(seats, dtype="string")
        if "result" in texts:
            said = zip(texts["result"], contracts, declarers, strict=True)
            data["result"] = pd.array([count_tricks(*words) for words in said], dtype="Int8")
            data["result_text"] = texts["result"]
        return pd.DataFrame(data, index=pd.Index(numbers, name="number"))

    def score_table(self, name: str = "ScoreTable") -> pd.DataFrame:
        """Return the rows of a PBN table of all boards, such as the results of each board.

        Parameters
        ----------
        name : str
            ``ScoreTable``, ``TotalScoreTable``, ``InstantScoreTable`` or another table among the tags. The
            tricks of ``OptimumResultTable`` are in `Deals.tables`.

        Returns
        -------
        DataFrame
            `board` and the columns named in the file, in their order; the index is `numbers`. Columns of
            numbers are Int64 or Float64, others are texts; ``-``, ``?`` and empty values are missing. Without
            such a table, the frame is empty. `dealerkit.results` scores and compares such results.

        Warns
        -----
        SkippedWarning
            Rows have more or fewer values than there are columns.
        """
        from dealerkit.formats.pbn_tables import make_frame

        if not isinstance(name, str):
            raise ArgumentError(f"name is {quote(name)}; it must be the name of a table, such as ScoreTable")
        numbers = self.numbers
        deals = getattr(self.content, "deals", None)
        column = None if deals is None else deals.board
        boards = [-1] * len(numbers) if column is None else column[numbers].tolist()
        tags = self.texts.get("tags") or [[]] * len(numbers)
        frame, n_unread = make_frame(name, zip(numbers.tolist(), boards, tags, strict=True))
        if n_unread:
            rows = format_count(n_unread, "row")
            warn_caller(f"{name:.40}: {rows} with more or fewer values than columns skipped", SkippedWarning)
        return frame

    @property
    def skipped(self) -> pd.DataFrame:
        """A row for each board that could not be read: file, line, reason."""
        import pandas as pd

        rows = [(self.content.name, line, reason) for line, reason in self.content.skipped]
        return pd.DataFrame(rows, columns=["file", "line", "reason"])

    # ------------------------------------------------------------ selection
    @long_work
    def where(
        self,
        text: Given,
        dialect: str = "modern",
        opener: int | str | None = None,
        params: Any = (),
        vulnerable: int | str | bool | None = None,
    ) -> Self:
        """Return the deals that meet a condition of the dealer language.

        The condition is evaluated at once, in batches and on all processors. Tricks are those of the tables.
        Arguments and errors are those of `Deals.where`.
        """
        from dealerkit.simulation.prepare import select_numbers

        text = read_given(text)
        numbers = select_numbers(self, text, dialect, params, opener=opener, vulnerable=vulnerable)
        return self._take(self._find_rows(numbers))

    @long_work
    def to_frame(
        self,
        *names: str,
        dialect: str = "modern",
        opener: int | str | None = None,
        params: Any = (),
        vulnerable: int | str | bool | None = None,
        **expressions: str,
    ) -> pd.DataFrame:
        """Return measures of the deals as a table with a row for each deal.

        Deals are decoded in batches and not kept, so there is no column of deals; the index is `numbers`.
        Arguments and errors are those of `Deals.to_frame`.
        """
        from dealerkit.compiler.frames import evaluate_columns

        def read_batch(rows: slice) -> Deals:
            return self._decode(np.arange(*rows.indices(len(self))), self.everything)

        settings = {"opener": opener, "vulnerable": vulnerable}
        frame = evaluate_columns(read_batch, len(self), names, expressions, dialect, params, **settings)
        return frame.set_index(self._make_index())

    def _make_index(self) -> pd.Index:
        import pandas as pd

        if isinstance(self._rows, range) and not self._start:
            return pd.RangeIndex(self._rows.start, self._rows.stop, self._rows.step, name="number")
        return pd.Index(self.numbers, name="number")

    def sample(self, count: int, seed: int | None = None) -> Self:
        """Return a random sample of the deals, without replacement and in random order.

        All deals are equally likely to be in the sample, in every order.

        Parameters
        ----------
        count : int
            Number of deals, at most the number in the library.
        seed : int or None
            Seed; None: a new one. A larger sample with the same seed contains the smaller one.

        Raises
        ------
        ArgumentError
            There are fewer deals.
        """
        count = check_integer("count", count)
        if count > len(self):
            raise ArgumentError(
                f"a sample of {count:,} is larger than the {len(self):,} deals; no deal is taken twice"
            )
        seed = int.from_bytes(os.urandom(4), "little") if seed is None else check_integer("seed", seed)
        library = self._take(self._find_rows(choose_numbers(len(self), count, seed)))
        library.coverage = "sample"
        library.description = (
            f"{format_count(count)} of {self.description.removesuffix(', ')}, sample {seed}, "
        )
        return library

    @long_work
    def write(self, path: str | os.PathLike, format: str | None = None, **options: Any) -> None:
        """Write the deals to a file; see `Deals.write`."""
        write(self, path, format, **options)

    def __repr__(self) -> str:
        deals = format_count(len(self), "solved deal" if self.is_solved else "deal")
        name = f" of {self.content.name:.60}" if self.content.name else ""
        terms = f"; by {self.content.credit}, for non-commercial use" if self.terms else ""
        return f"<Library: {deals}{name}{terms}>"


def choose_numbers(n: int, count: int, seed: int) -> np.ndarray:
    """Return `count` of n numbers in random order: those with the smallest random words, which all differ."""
    key = block_key(seed, 0, LIBRARY)
    chosen, chosen_words = np.empty(0, np.int64), np.empty(0, np.uint64)
    for first in range(0, n, CHUNK):
        numbers = np.arange(first, min(first + CHUNK, n))
        words = np.empty(len(numbers), np.uint64)
        fill_random_words(words, numbers.astype(np.uint64), np.uint64(0), key)
        chosen, chosen_words = np.concatenate([chosen, numbers]), np.concatenate([chosen_words, words])
        if len(chosen) > count:
            smallest = np.argpartition(chosen_words, count - 1)[:count] if count else slice(0)
            chosen, chosen_words = chosen[smallest], chosen_words[smallest]
    return chosen[np.argsort(chosen_words)]


class JoinedDeals:
    """The deals of several libraries one after another, with every column and text that any of them has.

    Missing values are unknown, empty, or weight 1. Deals are decoded in batches when they are needed.

    Parameters
    ----------
    libraries : sequence of Library
    """

    def __init__(self, libraries: Sequence[Library]) -> None:
        self._libraries = tuple(libraries)
        self._samples = [library[:1].deals.attached for library in self._libraries]

    def __len__(self) -> int:
        return sum(map(len, self._libraries))

    @cached_property
    def texts(self) -> dict[str, list]:
        """The text columns: for each name a text for each deal, empty where a file has none."""
        parts = [(library.texts, len(library)) for library in self._libraries]
        joined: dict[str, list] = {name: [] for texts, _ in parts for name in texts}
        for name, values in joined.items():
            empty: Any = [] if name == "tags" else ""
            for texts, n_deals in parts:
                values += texts.get(name, [empty] * n_deals)
        return joined

    def batches(self, size: int = BATCH) -> Iterator[Deals]:
        """Yield the deals in order, at most `size` at a time, all with the same attached columns."""
        names = {name for attached in self._samples for name in attached}
        cluster = 0
        for library in self._libraries:
            start = cluster
            for deals in library.batches(size):
                columns = {
                    name: default_column(name, len(deals), cluster) for name in names - deals.attached.keys()
                }
                if deals.cluster is not None:  # equal numbers in two files mean different shuffles
                    columns["cluster"] = deals.cluster + start
                deals = deals.replace(**columns)
                cluster = max(cluster, next_cluster([deals.cluster]))
                yield deals


@overload
def read(
    path: str | os.PathLike,
    format: str | None = None,
    *,
    distinct: bool = False,
    partial: Literal[False] = False,
    **options: Any,
) -> Library: ...
@overload
def read(
    path: str | os.PathLike, format: str | None = None, *, partial: Literal[True], **options: Any
) -> PartialDeals: ...
@long_work
def read(
    path: str | os.PathLike,
    format: str | None = None,
    *,
    distinct: bool = False,
    partial: bool = False,
    **options: Any,
) -> Library | PartialDeals:
    """Read a file of deals.

    Parameters
    ----------
    path : str or os.PathLike
    format : str or None
        ``pbn``, ``lin``, ``rbn``, ``rbx``, ``handviewer`` (addresses of BBO's hand viewer), ``ben``, ``dds``
        (the lists of deals of DDS), ``oneline`` (dealer's printoneline and printcompact, and other deals on
        one line), ``diagrams`` (its printall), ``compass`` (north on top, west and east at the sides),
        ``csv``, ``bigdeal`` (CSV of 16 suits), ``parquet``, ``zrd`` (Pavlicek's library, or a file of
        DealerV2), ``zdd`` (Pavlicek's tables), ``gib`` (Ginsberg's library.dat), ``dl52`` (DealerV2's 52
        bytes per deal); or, for dealing machines, ``dup``, ``dlm``, ``bri``, ``dge``, ``ber``, ``bhg``,
        ``rzd``, ``cds``. None: recognised by content, then by name.
    distinct : bool
        Keep only the first board of each deal with the same dealer and vulnerability, in files that are read
        into memory: the file of a tournament has a board for each table.
    partial : bool
        Return the boards as `PartialDeal`, with unknown hands and cards, for PBN, LIN, CSV and addresses of
        the hand viewer.
    **options
        Options of a format, as follows.
    first : int
        For a .zdd file with a part of the library: the number of its first deal.
    check : bool
        For .zrd and .zdd files and library.dat: False does not check that tables belong to their deals.
    first_board : int
        For files of dealing machines: the number of the first board.

    Returns
    -------
    Library or PartialDeals
        For large files, only the needed deals are read. PartialDeals with `partial`.

    Raises
    ------
    FileError
        The file cannot be read or is damaged; the message gives the record and the byte.
    ArgumentError
        The format is unknown, or has no such option.

    Warns
    -----
    SkippedWarning
        Some boards could not be read; `Library.skipped` lists them.
    TermsWarning
        The terms of Pavlicek's library, once per session.

    Examples
    --------
    >>> import os, tempfile
    >>> import dealerkit as dk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "club.pbn")
    ...     dk.deal(3, seed=1).number_boards().write(path)
    ...     len(dk.read(path))
    3
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path is {quote(path)}; it must be the name of a file")
    if format is None:
        entry = find_format(Path(path))
    else:
        entry = get_format(format)
        check_content(Path(path), entry)
    options = {name: value for name, value in options.items() if value is not None}
    check_options(entry, options, entry.read_options)
    if partial:
        if distinct:
            raise ArgumentError(
                Parameter("partial"), " returns all boards of a file; leave ", Parameter("distinct"), " out"
            )
        return read_partial(path, entry.name)
    content = entry.read(path, **options)
    if distinct:
        if not isinstance(content, Records):
            raise ArgumentError(
                f"distinct applies to boards, but a file of {entry.name} is a library of deals"
            )
        content = content.drop_repeated()
    if content.skipped:
        warn_caller(describe_skipped(content), SkippedWarning)
    return Library(content)


_N_SHOWN = 3  # number of boards in a summary
_PARTIAL = re.compile("partial deal: |unknown cards: ")


def describe_skipped(content: Content) -> str:
    """Return how many boards of a file were skipped, with the first few lines and reasons.

    >>> content = Content()
    >>> content.name, content.n_deals, content.skipped = "club.pbn", 34, [(9, "no deal"), (88, "SA twice")]
    >>> describe_skipped(content)
    'club.pbn: 2 of 36 boards were skipped: line 9: no deal; line 88: SA twice'
    """
    n_skipped = len(content.skipped)
    n_boards = content.n_deals + n_skipped + content.n_repeated
    boards = format_count(n_boards, "board")
    was = f"{format_count(n_skipped)} of {boards} {'was' if n_skipped == 1 else 'were'} skipped"
    first = "; ".join(f"{content.place} {line}: {reason:.120}" for line, reason in content.skipped[:_N_SHOWN])
    head = f"{content.name:.100}: {was}: {first}"
    if n_skipped > _N_SHOWN:
        head += f"; {format_count(n_skipped - _N_SHOWN)} more. `library.skipped` lists them"
    partial = any(map(is_partial, content.skipped))
    return f"{head}; partial=True reads boards with unknown cards" if partial else head


def is_partial(skipped: tuple[int, str]) -> bool:
    """Return whether a board was skipped because some of its cards are unknown.

    >>> is_partial((5, "board 1: unknown cards: 'AKXX.Q.J.T'")), is_partial((5, "no deal"))
    (True, False)
    """
    return bool(_PARTIAL.search(skipped[1]))
