"""PBN files: deals with all that the file says about each board.

The reader accepts what programs write, not only what the standard allows;
docs/reference/formats/pbn.md has the details.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import FULL_DECK
from dealerkit.cards.text import describe_fault, parse_pbn
from dealerkit.errors import DealError, FileError
from dealerkit.formats.content import Records
from dealerkit.formats.foreign import describe_content, is_text
from dealerkit.formats.format import Format
from dealerkit.formats.pbn_boards import Board, BoardReader
from dealerkit.formats.pbn_deals import describe_spelling, parse_deal_value
from dealerkit.formats.pbn_lines import split_games
from dealerkit.formats.pbn_sections import find_owners, read_play
from dealerkit.formats.pbn_tags import find_dealer, find_vulnerability
from dealerkit.formats.pbn_writer import write_pbn
from dealerkit.formats.text_files import decode_text, read_bytes
from dealerkit.system.progress import ProgressBar, track_items

TEXTS = (
    "north", "east", "south", "west", "contract", "declarer", "result", "lead", "auction", "auction_notes",
    "play", "play_notes", "comment", "tags",
)  # fmt: skip

_BLANK = r'(?:\[(?:Event|Site|Date|West|North|East|South|Scoring|Declarer|Contract|Result) "\??"\]\n)*'
_PLAIN_BOARD = re.compile(
    rf'{_BLANK}(?:\[Board "(\d{{1,9}})"\]\n)?{_BLANK}(?:\[Dealer "([NESW])"\]\n)?'
    rf'(?:\[Vulnerable "(None|NS|EW|All)"\]\n)?\[Deal "([NESW]:[^"\n]{{67}})"\]\n{_BLANK}(?:\n+|\Z)|((?s:.+))'
)
_HEADER_LINES = re.compile(r"(?:(?:%[^\n]*)?\n)*")
_ANY_TAG = re.compile(rb'\[\s*\w+\s*"')
SPLIT_SHARE = 0.6  # of the time of reading
HEAD_CHARACTERS = 4000  # of a text that is no PBN, for the message


class PbnRecords(Records):
    """The boards of a PBN file.

    Attributes
    ----------
    n_games : int
        Games of the file, those without a deal included.
    """

    def __init__(self, *arguments: Any, n_games: int) -> None:
        super().__init__(*arguments)
        self.n_games = n_games


def read_pbn(path: str | os.PathLike, distinct: bool = False) -> PbnRecords:
    """Return the boards of a PBN file.

    Parameters
    ----------
    path : str or os.PathLike
    distinct : bool
        Keep only the first game of each deal with the same dealer and vulnerability: the file of a tournament
        has a game for each table.

    Raises
    ------
    FileError
        The file cannot be read, or is not PBN. A board that cannot be read is in `skipped`.
    """
    text = decode_text(read_bytes(path))
    name = Path(path).name
    with _pause_collector(), ProgressBar() as bar:
        records = _read_plain(text, name) or _read_games(text, name, str(path), bar)
    return records.drop_repeated() if distinct else records


@contextlib.contextmanager
def _pause_collector() -> Iterator[None]:
    """Stop the garbage collector: it would visit the tags of all games often, and they have no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


# ---------------------------------------------------------------- files of deals only
def _read_plain(text: str, name: str) -> PbnRecords | None:
    """Return the boards of a text with nothing but the deals, or None if there is more."""
    if not text.endswith("\n"):
        text += "\n"
    start = _HEADER_LINES.match(text)
    place = start.end() if start else 0
    if not (first := _PLAIN_BOARD.match(text, place)) or first[5]:
        return None
    rows = _PLAIN_BOARD.findall(text, place)
    if rows[-1][4]:
        return None
    boards, dealers, vulnerable, deals, _ = zip(*rows, strict=True)
    try:
        hands = parse_pbn(deals)
    except DealError:
        return None
    if len(_find_faulty(hands)):
        return None
    numbers = [int(board) if board else -1 for board in boards]
    if any(str(number) != board for number, board in zip(numbers, boards, strict=True) if board):
        return None  # such as 01, which is kept as it is
    if 0 in numbers or max(numbers) >= 2**31:
        return None
    seats = [find_dealer(text, number) for text, number in zip(dealers, numbers, strict=True)]
    sides = [find_vulnerability(text, number)[0] for text, number in zip(vulnerable, numbers, strict=True)]
    columns = _make_columns(numbers, seats, sides)
    return PbnRecords(Deals(hands, check=False, **columns), {}, (), name, n_games=len(rows))


def _make_columns(boards: list[int], dealers: list[int], vulnerable: list[int]) -> dict[str, np.ndarray]:
    return {
        "board": np.array(boards, np.int32),
        "dealer": np.array(dealers, np.int8),
        "vulnerable": np.array(vulnerable, np.int8),
    }


def _find_faulty(hands: np.ndarray) -> np.ndarray:
    """Return the rows of hands that are no whole deals."""
    union = np.bitwise_or.reduce(hands, axis=1, initial=0)
    return np.flatnonzero((union != np.uint64(FULL_DECK)) | (np.bitwise_count(hands) != 13).any(axis=1))


# ---------------------------------------------------------------- other files
def _read_games(text: str, name: str, path: str, bar: ProgressBar) -> PbnRecords:
    """Return the boards of any PBN text."""
    games, remarks = split_games(text, bar, SPLIT_SHARE)
    if not games:
        raise FileError(f"{path}: {_describe_text(text)}")
    reader = BoardReader(games, remarks, inherits='"#' in text)
    boards = list(track_items(reader.read_boards(), len(games), "boards", bar))
    hands, faults = _read_hands(boards, remarks)
    skipped = []
    for row, reason in faults.items():
        board = boards[row]
        number = board.texts.get("number", "") or (str(board.number) if board.number > 0 else "")
        skipped.append((board.deal_line, f"board {number}: {reason}" if number else reason))
    kept = [row for row in range(len(boards)) if row not in faults]
    hands = np.asfortranarray(hands[kept])
    boards = [boards[row] for row in kept]
    _read_plays(boards, hands)
    columns = _make_columns(
        [board.number for board in boards],
        [board.dealer for board in boards],
        [board.vulnerable for board in boards],
    )
    if any(board.tricks for board in boards):
        unknown = [-1] * 20
        tables = np.array([board.tricks or unknown for board in boards], np.int8)
        columns["tables"] = tables.reshape(-1, 5, 4)
    texts: dict[str, list] = {key: [board.texts.get(key, "") for board in boards] for key in TEXTS[:-1]}
    texts["tags"] = [board.tags for board in boards]
    texts = {key: values for key, values in texts.items() if any(values)}
    remarks.sort()
    deals = Deals(hands.reshape(-1, 4), check=False, **columns)
    return PbnRecords(deals, texts, skipped, name, remarks, n_games=len(reader.games))


def _read_hands(boards: list[Board], remarks: list[tuple[int, str]]) -> tuple[np.ndarray, dict[int, str]]:
    """Return the hands of all boards, and the rows without a whole deal, with the reason."""
    hands, faults = np.zeros((len(boards), 4), np.uint64), {}
    values = [board.deal for board in boards]
    usual = [row for row, value in enumerate(values) if value and len(value) == 69 and value[1] == ":"]
    try:
        hands[usual] = parse_pbn([values[row] or "" for row in usual])
        faulty = np.array(usual, np.int64)[_find_faulty(hands[usual])]
        faults = {row: f"bad deal: {describe_fault(hands[row].tolist())}" for row in faulty.tolist()}
        others = sorted(set(range(len(values))) - set(usual))
    except DealError:
        others = list(range(len(values)))
    for row in others:
        try:
            hands[row] = parse_deal_value(values[row] or "")
        except DealError as reason:
            faults[row] = str(reason)
        else:
            if unusual := describe_spelling(values[row] or ""):
                remarks.append((boards[row].deal_line, unusual))
    return hands, dict(sorted(faults.items()))


def _read_plays(boards: list[Board], hands: np.ndarray) -> None:
    """Read the Play sections, which need the hands; those that cannot be replayed are kept as tags."""
    numbers = [row for row, board in enumerate(boards) if board.play is not None and board.play.rows]
    owners = find_owners(hands[numbers])
    for row, holders in zip(numbers, owners, strict=True):
        board = boards[row]
        entry, texts = board.play, board.texts
        rows = entry.rows if entry is not None and entry.rows else []
        played = read_play(rows, entry.value if entry else "", texts.get("contract", ""), holders)
        if played is None:
            board.tags.append(["Play", entry.value if entry else "", "\n".join(rows)])
            board.tags += [["Note", note] for note in texts.pop("play_notes", "").split("\n") if note]
        elif played:
            texts["play"], texts["lead"] = " ".join(played), played[0][:2]


def _describe_text(text: str) -> str:
    """Return what a text without tags is."""
    if not text.strip():
        return "the file is empty"
    if _HEADER_LINES.fullmatch(text.rstrip() + "\n"):
        return "there are no boards in this file, only lines with %"
    guess = describe_content(text[:HEAD_CHARACTERS].encode())
    return f'this is not PBN: there is no tag such as [Deal "N:..."]{"; " if guess else ""}{guess}'


def recognise_pbn(head: bytes) -> bool:
    r"""Return whether a file begins as PBN: with a tag, or a line of ``%`` that names it.

    >>> recognise_pbn(b'% a comment\n[Board "1"]'), recognise_pbn(b"pn|South,West,North,East|")
    (True, False)
    """
    if not is_text(head):
        return False
    head = head.replace(b"\0", b"")
    return head.lstrip(b"\xef\xbb\xbf\xff\xfe").upper().startswith(b"% PBN") or bool(_ANY_TAG.search(head))


FORMAT = Format(
    "pbn", (".pbn",), recognise_pbn, read_pbn, write_pbn, read_options=("distinct",), write_options=("event",)
)
