"""What readers and writers of text formats share: characters, boards, board numbers.

Files seldom say how their characters are encoded.
"""

from __future__ import annotations

import codecs
import contextlib
import gc
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import FULL_DECK, board_dealer, board_vulnerability
from dealerkit.cards.sequence import ATTACHED_COLUMNS, DealSequence
from dealerkit.cards.text import describe_fault, find_faulty, parse_regular_pbn
from dealerkit.errors import DealError, FileError, MemoryLimitError, describe_system_error
from dealerkit.formats.content import DealSupply, Records, split_deals
from dealerkit.runtime.process import memory_bytes
from dealerkit.runtime.progress import track_items

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Control characters, without those that end lines, pages and files.
_CONTROL = bytes(code for code in (*range(32), 127) if code not in b"\t\n\f\r\x1a")
_BLANKS = str.maketrans(dict.fromkeys(_CONTROL.decode(), " "))


def decode_text(data: bytes, *, truncated: bool = False) -> str:
    r"""Return the text of a file, with ``\n`` at the ends of lines, without Ctrl-Z at its end.

    A byte order mark decides the encoding; without one, zeros in every second byte mean UTF-16. Otherwise the
    text is UTF-8 if it is valid UTF-8, and Windows-1252 or Latin-1 if not. No file is rejected. Control
    characters, which have no meaning in these files, become blanks, since a file written with them could not
    be distinguished from binary data. With `truncated`, the last character may be incomplete.

    >>> decode_text(b"\xef\xbb\xbfFran\xc3\xa7ois\r\nBj\xc3\xb6rn\x1a")
    'François\nBjörn'
    >>> decode_text(b"Fran\xe7ois"), decode_text("Zoë".encode("utf-16"))
    ('François', 'Zoë')
    >>> decode_text(b"two\x02words")
    'two words'
    """
    text = _decode(data, truncated)
    if "\r" in text:
        text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    text = text.rstrip("\x1a\0")
    return text.translate(_BLANKS) if len(data.translate(None, _CONTROL)) < len(data) else text


def _decode(data: bytes, truncated: bool) -> str:
    # A byte order mark; UTF-16 without one, whose ASCII characters have a zero byte; UTF-8.
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    head = data[:200]
    if len(head) >= 4 and b"\0" in head:
        odd, even = head[1::2].count(0), head[::2].count(0)
        if max(odd, even) > len(head) // 4:
            return data.decode("utf-16-le" if odd > even else "utf-16-be", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as reason:
        # A character of up to four bytes may be cut off.
        if truncated and reason.start >= len(data) - 3:
            return data[: reason.start].decode("utf-8")
    # Old programs of Windows; Latin-1 has a character for any byte.
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


PLAYERS = ("north", "east", "south", "west")
TEXTS = (
    *PLAYERS, "auction", "auction_notes", "contract", "declarer", "result", "lead", "play", "comment"
)  # fmt: skip
NUMBERS = ("board", "dealer", "vulnerable")  # attached columns that a text says
_MEMORY_FACTOR = 8  # least memory that a file of texts needs, per byte


@dataclass
class Board:
    """A board of a file: its cards and what the file says about it; an unknown number is -1.

    `hands` has four numbers. `texts` has texts by column name, and `tags` is a list of names and values of
    everything else.
    """

    hands: Sequence[int]
    board: int = -1
    dealer: int = -1
    vulnerable: int = -1
    texts: dict[str, str] = field(default_factory=dict)
    tags: list[list[str]] = field(default_factory=list)

    def find_tag(self, name: str) -> str:
        """Return the value of a tag, or ""."""
        return next((str(tag[1]) for tag in self.tags if len(tag) > 1 and tag[0] == name), "")


class PartialBoard(NamedTuple):
    """A board of a file whose hands may be unknown.

    `line` is the line of the deal; the hands of `board` are empty. `read_hands` returns the known cards, in
    the form for `PartialDeal`, or raises DealError.
    """

    line: int
    board: Board
    read_hands: Callable[[], str | Sequence[int]]


def read_bytes(path: str | os.PathLike) -> bytes:
    """Return the bytes of a text file.

    Raises
    ------
    FileError
        The file cannot be read.
    MemoryLimitError
        Its text and boards would need more memory than there is.
    """
    try:
        size, limit = os.path.getsize(path), memory_bytes() // _MEMORY_FACTOR
        if size > limit:
            raise MemoryLimitError(
                f"{path}: a text of {size:,} bytes needs more than the memory; split the file "
                f"into parts of at most {limit:,} bytes"
            )
        return Path(path).read_bytes()
    except (OSError, ValueError) as reason:
        raise FileError(f"{path}: {describe_system_error(reason)}") from reason


def read_text(path: str | os.PathLike) -> str:
    """Return the text of a file, with line feeds as ends of lines and without Ctrl-Z at the end.

    Raises
    ------
    FileError
        The file cannot be read, or is empty.
    """
    text = decode_text(read_bytes(path)).rstrip("\x1a \t\n\0")
    if not text:
        raise FileError(f"{path}: the file is empty")
    return text + "\n"


def read_head(head: bytes) -> str:
    """Return the text of the first bytes of a file, for the recognition of its format."""
    return decode_text(head, truncated=True)


@contextlib.contextmanager
def pause_collector() -> Iterator[None]:
    """Stop the garbage collector: it would visit the texts of all boards often, and they have no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def check_deal(hands: Sequence[int]) -> None:
    """Raise DealError unless four hands form a whole deal."""
    if reason := describe_fault(hands):
        raise DealError(reason)


def complete_deal(hands: list[int]) -> list[int]:
    """Return four hands; a missing one, 0, gets the cards that three hands of 13 do not have.

    Raises
    ------
    DealError
        More hands are missing, or the hands do not form a whole deal.
    """
    missing = [seat for seat in range(4) if not hands[seat]]
    if len(missing) == 4:
        raise DealError("no deal")
    if len(missing) > 1:
        names = " and ".join(PLAYERS[seat] for seat in missing)
        raise DealError(f"partial deal: the hands of {names} are unknown")
    if missing:
        hands = hands.copy()
        hands[missing[0]] = FULL_DECK & ~(hands[0] | hands[1] | hands[2] | hands[3])
    check_deal(hands)
    return hands


def parse_deals(
    texts: Sequence[str], parse_one: Callable[[int], Sequence[int]], *, completes: bool = False
) -> tuple[np.ndarray, dict[int, str]]:
    """Return the hands, uint64 [n, 4], of texts in PBN's notation, and why rows are not a whole deal.

    Texts are parsed together. ``parse_one(row)`` returns the hands of an unusual row or raises DealError; its
    result counts. With `completes`, a single hand without cards gets the cards that the others do not have.
    """
    hands, unread = parse_regular_pbn(texts)
    if completes:
        rows, seats = np.nonzero((hands == 0) & ((hands == 0).sum(axis=1, keepdims=True) == 1))
        hands[rows, seats] = np.uint64(FULL_DECK) & ~np.bitwise_or.reduce(hands[rows], axis=1)
    faults: dict[int, str] = {}
    for row in sorted({*unread, *find_faulty(hands).tolist()}):
        try:
            hands[row] = parse_one(row)
        except DealError as reason:
            faults[row] = str(reason)
    return hands, faults


def collect_boards(
    boards: Sequence[Board],
    skipped: Iterable[tuple[int, str]],
    path: str | os.PathLike,
    columns_always: Sequence[str] = (),
    remarks: Iterable[tuple[int, str]] = (),
) -> Records:
    """Return boards as the content of a library, with the columns that at least one board has.

    Text columns in `columns_always` exist even if they are empty.
    """
    # Numbers and texts that any board has.
    hands = np.array([board.hands for board in boards], dtype=np.uint64).reshape(-1, 4)
    columns: dict[str, np.ndarray] = {}
    for name in NUMBERS:
        numbers: np.ndarray = np.array(
            [getattr(board, name) for board in boards], ATTACHED_COLUMNS[name].dtype
        )
        if (numbers >= 0).any():
            columns[name] = numbers
    names = {name: None for name in TEXTS} | {name: None for board in boards for name in board.texts}
    texts: dict[str, list] = {}
    for name in names:
        values = [board.texts.get(name, "") for board in boards]
        if name in columns_always or any(values):
            texts[name] = values
    if "tags" in columns_always or any(board.tags for board in boards):
        texts["tags"] = [board.tags for board in boards]
    deals = Deals(np.asfortranarray(hands), check=False, **columns)
    return Records(deals, texts, skipped, Path(path).name, remarks)


def split_boards(deals: DealSupply) -> Iterator[Board]:
    """Yield deals as boards, with their columns and texts and a progress bar.

    Deals without board numbers are numbered from 1; without dealers or vulnerabilities, they get those of
    their numbers. An unknown number, -1, stays unknown.
    """
    return track_items(_build_boards(deals), len(deals))


def _build_boards(deals: DealSupply) -> Iterator[Board]:
    texts: Mapping[str, Sequence] = getattr(deals, "texts", {})
    for rows, part in split_deals(deals):
        columns = _number_deals(part, rows.start)
        for row, hands in enumerate(part.hands.tolist()):
            values = {name: column[rows.start + row] for name, column in texts.items()}
            tags = [list(tag) for tag in values.pop("tags", None) or []]
            board, dealer, vulnerable = (columns[name][row] for name in NUMBERS)
            yield Board(hands, board, dealer, vulnerable, values, tags)


def _number_deals(deals: DealSequence, first: int) -> dict[str, list[int]]:
    """Return board, dealer and vulnerability of deals, of which the first has `first` before it."""
    boards = list(range(first + 1, first + len(deals) + 1)) if deals.board is None else deals.board.tolist()
    columns = {"board": boards}
    for name, find in (("dealer", board_dealer), ("vulnerable", board_vulnerability)):
        column = getattr(deals, name)
        if column is not None:
            columns[name] = column.tolist()
        else:
            columns[name] = [find(board) if board > 0 else -1 for board in boards]
    return columns
