"""PBN files: deals with everything that the file says about each board.

The reader accepts what programs write, even if the standard does not allow it; docs/reference/formats/pbn.md
has the details.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEAT_LETTERS
from dealerkit.cards.text import find_faulty, parse_pbn
from dealerkit.errors import DealError, FileError, Parameter
from dealerkit.formats.auctions import count_tricks
from dealerkit.formats.content import Records
from dealerkit.formats.format import Format, describe_content, is_text
from dealerkit.formats.pbn_lines import Entry, Game, resolve_inherited, separate_deals, split_games
from dealerkit.formats.pbn_values import (
    UNKNOWN,
    describe_spelling,
    find_board,
    find_dealer,
    find_foreign_calls,
    find_owners,
    find_result_columns,
    find_vulnerability,
    normalize_contract,
    parse_deal_value,
    read_ability,
    read_auction,
    read_hex_tricks,
    read_play,
    read_result_table,
)
from dealerkit.formats.pbn_writer import write_pbn
from dealerkit.formats.text_files import decode_text, parse_deals, pause_collector, read_bytes
from dealerkit.runtime.progress import ProgressBar, track_items

TEXTS = (
    "north", "east", "south", "west", "contract", "declarer", "result", "lead", "auction", "auction_notes",
    "play", "play_notes", "comment", "tags",
)  # fmt: skip
SPLIT_SHARE = 0.6  # share of the time of reading in which games are split
HEAD_CHARACTERS = 4000  # characters from which the message says what a file is that is not PBN
_HEADER_LINES = re.compile(r"(?:(?:%[^\n]*)?\n)*")
_ANY_TAG = re.compile(rb'\[\s*\w+\s*"')
_BLANK = r'(?:\[(?:Event|Site|Date|West|North|East|South|Scoring|Declarer|Contract|Result) "\??"\]\n)*'
_PLAIN_BOARD = re.compile(
    rf'{_BLANK}(?:\[Board "(\d{{1,9}})"\]\n)?{_BLANK}(?:\[Dealer "([NESW])"\]\n)?'
    rf'(?:\[Vulnerable "(None|NS|EW|All)"\]\n)?\[Deal "([NESW]:[^"\n]{{67}})"\]\n{_BLANK}(?:\n+|\Z)|((?s:.+))'
)
_PLAYERS = frozenset(("north", "east", "south", "west"))
_NAMES = _PLAYERS | {"contract", "declarer", "result"}
_STANDARD = _NAMES | {"board", "dealer", "vulnerable", "deal"}
_INHERITED = {"board", "dealer", "vulnerable", "deal"}
_OPTIONAL = {"event", "site", "date", "scoring"}  # the writer adds them if they are missing


class PbnRecords(Records):
    """The boards of a PBN file.

    Attributes
    ----------
    n_games : int
        Number of games in the file, including those without a deal.
    """

    def __init__(self, *arguments: Any, n_games: int) -> None:
        super().__init__(*arguments)
        self.n_games = n_games


def read_pbn(path: str | os.PathLike) -> PbnRecords:
    """Return the boards of a PBN file.

    Parameters
    ----------
    path : str or os.PathLike

    Raises
    ------
    FileError
        The file cannot be read, or is not PBN. A board that cannot be read is in `skipped`.
    """
    text = decode_text(read_bytes(path))
    name = Path(path).name
    with pause_collector(), ProgressBar() as bar:
        return _read_plain(text, name) or _read_games(text, name, str(path), bar)


# ---------------------------------------------------------------- files of deals only
def _read_plain(text: str, name: str) -> PbnRecords | None:
    """Return the boards of a text that has nothing but deals, or None if there is more."""
    if not text.endswith("\n"):
        text += "\n"
    # One pattern matches whole boards; text between them means that there is more to read.
    start = _HEADER_LINES.match(text)
    place = start.end() if start else 0
    if not (first := _PLAIN_BOARD.match(text, place)) or first[5]:
        return None
    rows = _PLAIN_BOARD.findall(text, place)
    if rows[-1][4]:
        return None
    # Parse the hands of all deals together; the general reader reports a faulty deal.
    boards, dealers, vulnerable, deals, _ = zip(*rows, strict=True)
    try:
        hands = parse_pbn(deals)
    except DealError:
        return None
    if len(find_faulty(hands)):
        return None
    # The general reader also keeps numbers as text that are not written as usual, such as 01.
    numbers = [int(board) if board else -1 for board in boards]
    if any(str(number) != board for number, board in zip(numbers, boards, strict=True) if board):
        return None
    if 0 in numbers or max(numbers) >= 2**31:
        return None
    # If dealer and vulnerability are not given, they are those of the number.
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


# ---------------------------------------------------------------- other files
def _read_games(text: str, name: str, path: str, bar: ProgressBar) -> PbnRecords:
    """Return the boards of any PBN text."""
    # Split lines into games, turn games into boards, and parse the Deal tags.
    games, remarks = split_games(text, bar, SPLIT_SHARE)
    if not games:
        raise FileError(f"{path}: ", *_describe_text(text))
    reader = BoardReader(games, remarks, inherits='"#' in text)
    boards = list(track_items(reader.read_boards(), len(games), "boards", bar))
    hands, faults = _read_hands(boards, remarks)
    # Leave out boards without a whole deal, and report them with their number.
    skipped = []
    for row, reason in faults.items():
        board = boards[row]
        number = board.texts.get("number", "") or (str(board.number) if board.number > 0 else "")
        skipped.append((board.deal_line, f"board {number}: {reason}" if number else reason))
    kept = [row for row in range(len(boards)) if row not in faults]
    hands = np.asfortranarray(hands[kept])
    boards = [boards[row] for row in kept]
    read_plays(boards, hands)
    # Build the columns: numbers, and tables with -1 for unknown tricks.
    columns = _make_columns(
        [board.number for board in boards],
        [board.dealer for board in boards],
        [board.vulnerable for board in boards],
    )
    if any(board.tricks for board in boards):
        unknown = [-1] * 20
        tables = np.array([board.tricks or unknown for board in boards], np.int8)
        columns["tables"] = tables.reshape(-1, 5, 4)
    # Keep the texts that any board has.
    texts: dict[str, list] = {key: [board.texts.get(key, "") for board in boards] for key in TEXTS[:-1]}
    texts["tags"] = [board.tags for board in boards]
    texts = {key: values for key, values in texts.items() if any(values)}
    remarks.sort()
    deals = Deals(hands.reshape(-1, 4), check=False, **columns)
    return PbnRecords(deals, texts, skipped, name, remarks, n_games=len(reader.games))


def _read_hands(boards: list[Board], remarks: list[tuple[int, str]]) -> tuple[np.ndarray, dict[int, str]]:
    """Return the hands of all boards, and the rows without a whole deal, with the reason."""
    values = [board.deal or "" for board in boards]

    def parse_one(row: int) -> list[int]:
        deal = parse_deal_value(values[row])
        if unusual := describe_spelling(values[row]):
            remarks.append((boards[row].deal_line, unusual))
        return deal

    return parse_deals(values, parse_one)


def read_plays(boards: list[Board], hands: np.ndarray) -> None:
    """Read the Play sections, for which the hands are needed; those that cannot be followed are kept as tags.

    Cards that no hand has belong to unknown hands.
    """
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


# ---------------------------------------------------------------- games as boards
class Board:
    """What a game says about its board; -1, None and missing texts mean unknown."""

    __slots__ = (
        "deal", "deal_line", "dealer", "number", "play", "tags", "texts", "tricks", "vulnerable",
    )  # fmt: skip

    def __init__(self) -> None:
        self.number = self.dealer = self.vulnerable = -1
        self.deal: str | None = None
        self.deal_line = 0
        self.play: Entry | None = None
        self.tricks: Any = None
        self.texts: dict[str, str] = {}
        self.tags: list[list[str]] = []


class BoardReader:
    """Reads games one after another.

    Parameters
    ----------
    games : list of Game
    remarks : list of (int, str)
        Lines, and what is unusual there; further ones are appended.
    inherits : bool
        Whether there may be values that refer to those of earlier games.
    """

    def __init__(self, games: list[Game], remarks: list[tuple[int, str]], inherits: bool) -> None:
        self.games, self.remarks = separate_deals(games, remarks), remarks
        if inherits:
            resolve_inherited(self.games, remarks)

    def read_boards(self) -> Iterator[Board]:
        """Yield the boards of all games.

        A game with an auction or a play, but without a deal, is another table of the board before it.
        """
        before: dict[str, Entry] = {}
        for game in self.games:
            names = {entry.name.lower() for entry in game.entries}
            if "deal" not in names and before and not names.isdisjoint(("auction", "play")):
                self._inherit_tags(game, before)
            yield self._read_board(game)
            known: dict[str, Entry] = {}
            for entry in game.entries:
                if (name := entry.name.lower()) in _INHERITED:
                    known.setdefault(name, entry)
            before = known if "deal" in known and known["deal"].value.strip() else {}

    def _inherit_tags(self, game: Game, before: dict[str, Entry]) -> None:
        """Add the tags that a second table of the same board lacks, unless its number is another one."""
        own: dict[str, Entry] = {}
        for entry in game.entries:
            own.setdefault(entry.name.lower(), entry)
        known = {name for name in own if own[name].value.strip() not in UNKNOWN}
        if "board" in known and "board" in before and own["board"].value != before["board"].value:
            return
        line = game.line
        game.entries = [entry for entry in game.entries if entry.name.lower() not in _INHERITED - known]
        added = [Entry(entry.name, entry.value, line) for name, entry in before.items() if name not in known]
        game.entries[:0] = added
        self.remarks.append((line, "there is no deal; that of the game before is used"))

    def _read_board(self, game: Game) -> Board:
        board = Board()
        standard: dict[str, Entry] = {}
        sections: dict[str, Entry] = {}
        notes: dict[str, list[str]] = {}
        section = ""
        # Sort the entries: standard tags, sections with their notes, tables, and all other tags.
        for entry in game.entries:
            name = entry.name
            key = name.lower()
            if key in _STANDARD:
                if key in standard:
                    self._report_repeated(entry)
                else:
                    standard[key] = entry
            elif key == "note":
                if section:
                    notes.setdefault(section, []).append(entry.value)
                else:
                    board.tags.append([name, entry.value])
            elif key in ("auction", "play"):
                section = key
                if key in sections:
                    self._report_repeated(entry)
                else:
                    sections[key] = entry
            elif entry.rows is not None:
                self._add_section(board, sections, key, entry)
            elif key == "doubledummytricks" and (tricks := read_hex_tricks(entry.value)):
                board.tricks = tricks
            elif key not in _OPTIONAL or entry.value not in UNKNOWN:
                board.tags.append([name, entry.value])
                if key == "ability" and board.tricks is None and (ability := read_ability(entry.value)):
                    board.tricks = list(ability)
        if len(board.tags) > 1:
            self._drop_repeated(board, game)
        # Set number and dealer before the auction, which begins with the dealer.
        self._set_standard(board, standard, game)
        dealer = standard.get("dealer")
        says_dealer = dealer is not None and find_dealer(dealer.value, -1) >= 0
        self._set_auction(board, sections.get("auction"), notes.get("auction"), says_dealer)
        board.play = sections.get("play")
        if board.play is not None and "play" in notes:
            board.texts["play_notes"] = "\n".join(notes["play"])
        if game.comments:
            board.texts["comment"] = "\n".join(game.comments)
        return board

    def _report_repeated(self, entry: Entry) -> None:
        self.remarks.append((entry.line, f"{entry.name} is repeated in a game; the first one counts"))

    def _drop_repeated(self, board: Board, game: Game) -> None:
        """Keep the first of equal names among the other tags, except notes."""
        seen: set[str] = set()
        kept = []
        for tag in board.tags:
            key = tag[0].lower()
            if key in seen and key != "note":
                self.remarks.append((game.line, f"{tag[0]} is repeated in a game; the first one counts"))
            else:
                kept.append(tag)
            seen.add(key)
        board.tags = kept

    def _add_section(self, board: Board, sections: dict[str, Entry], key: str, entry: Entry) -> None:
        """Keep a section: the tricks of a result table as numbers, other sections with their rows."""
        rows = entry.rows or []
        # Tricks of the table fill gaps in those of DoubleDummyTricks, which take precedence.
        if key == "optimumresulttable" and key not in sections:
            sections[key] = entry
            columns = find_result_columns(entry.value)
            if columns and (tricks := read_result_table(rows, columns)):
                known = board.tricks or [-1] * 20
                if tricks != known and any(
                    a >= 0 and b >= 0 and a != b for a, b in zip(tricks, known, strict=True)
                ):
                    reason = "OptimumResultTable differs from DoubleDummyTricks; the latter is used"
                    self.remarks.append((entry.line, reason))
                board.tricks = [b if b >= 0 else a for a, b in zip(tricks, known, strict=True)]
                return
            self.remarks.append((entry.line, "OptimumResultTable has rows that cannot be read"))
        board.tags.append([entry.name, entry.value, "\n".join(rows)])

    def _set_standard(self, board: Board, standard: dict[str, Entry], game: Game) -> None:
        """Set number, dealer, vulnerability, deal, players, contract."""
        # Set the texts; a value such as ? means that there is none.
        texts = board.texts
        for key, entry in standard.items():
            value = entry.value
            if key in _NAMES:
                if value.strip() not in UNKNOWN:
                    texts[key] = normalize_contract(value) if key == "contract" else value
            elif key == "board":
                board.number = find_board(value)
                if str(board.number) != value and value not in UNKNOWN:
                    board.tags.insert(0, ["Board", value])
                    texts["number"] = value
        if (
            "result" in texts
            and count_tricks(
                texts["result"], contract := texts.get("contract", ""), texts.get("declarer", "")
            )
            is None
            and contract != "Pass"
        ):
            self.remarks.append((standard["result"].line, f"unknown result {texts['result'][:30]!r}"))
        # Set dealer and vulnerability; if the tags do not say, they are those of the number.
        dealer, vulnerable = standard.get("dealer"), standard.get("vulnerable")
        board.dealer = find_dealer(dealer.value if dealer else "", board.number)
        if dealer is not None and board.dealer < 0 and dealer.value.strip() not in UNKNOWN:
            self.remarks.append((dealer.line, f"unknown dealer {dealer.value[:30]!r}"))
        board.vulnerable, is_known = find_vulnerability(
            None if vulnerable is None else vulnerable.value, board.number
        )
        if vulnerable is not None and not is_known:
            self.remarks.append((vulnerable.line, f"unknown vulnerability {vulnerable.value[:30]!r}"))
        deal = standard.get("deal")
        if deal is not None:
            board.deal, board.deal_line = deal.value, deal.line
        else:
            board.deal_line = game.line

    def _set_auction(
        self, board: Board, entry: Entry | None, notes: list[str] | None, says_dealer: bool
    ) -> None:
        """Set the calls from the dealer on; an auction that cannot be read is kept as a tag.

        If no tag names the dealer, it is the player who begins the auction, whatever the number of the board.
        """
        if entry is None:
            return
        # If an auction cannot be read, or its first seat is unknown, it remains a section with its notes.
        all_notes = list(notes or ())
        calls: list[str] | None = None
        try:
            calls = read_auction(entry.rows or [], all_notes)
        except ValueError as error:
            text = f"{str(error)[:30]!r} in an auction is not a call; the auction is kept as it is written"
            self.remarks.append((entry.line, text))
        seat = SEAT_LETTERS.find(entry.value.strip().upper()[:1] or "?")
        if calls is None or (calls and seat < 0 and board.dealer < 0):
            board.tags.append([entry.name, entry.value, "\n".join(entry.rows or [])])
            board.tags += [["Note", note] for note in notes or ()]
            return
        if foreign := find_foreign_calls(entry.rows or []):
            words = ", ".join(f"{word[:20]!r}" for word in foreign[:3])
            self.remarks.append((entry.line, f"calls in another language than English: {words}"))
        # The first call is that of the tag's seat; dashes replace the seats between the dealer and it.
        n_before = next((k for k, call in enumerate(calls) if call != "-"), len(calls))
        if calls and seat >= 0:
            first = (seat + n_before) % 4
            if board.dealer < 0 or (not says_dealer and not n_before and board.dealer != first):
                if board.dealer >= 0:
                    self.remarks.append(
                        (entry.line, "the dealer is who begins the auction, not the dealer of the number")
                    )
                board.dealer = first
            calls[:n_before] = ["-"] * ((first - board.dealer) % 4)
        if calls:
            board.texts["auction"] = " ".join(calls)
        if all_notes:
            board.texts["auction_notes"] = "\n".join(all_notes)


# ---------------------------------------------------------------- recognition
def _describe_text(text: str) -> tuple[str | Parameter, ...]:
    """Return the parts of a sentence with the kind of a text without tags."""
    if not text.strip():
        return ("the file is empty",)
    if _HEADER_LINES.fullmatch(text.rstrip() + "\n"):
        return ("there are no boards in this file, only lines with %",)
    guess = describe_content(text[:HEAD_CHARACTERS].encode())
    reason = 'this is not PBN, because there is no tag such as [Deal "N:..."]'
    return (reason, *(("; ", *guess) if guess else ()))


def recognise_pbn(head: bytes) -> bool:
    r"""Return whether a file begins as PBN: with a tag, or a line of ``%`` that names it.

    >>> recognise_pbn(b'% a comment\n[Board "1"]'), recognise_pbn(b"pn|South,West,North,East|")
    (True, False)
    """
    if not is_text(head):
        return False
    head = head.replace(b"\0", b"")
    return head.lstrip(b"\xef\xbb\xbf\xff\xfe").upper().startswith(b"% PBN") or bool(_ANY_TAG.search(head))


FORMAT = Format("pbn", (".pbn",), recognise_pbn, read_pbn, write_pbn, write_options=("event",))
