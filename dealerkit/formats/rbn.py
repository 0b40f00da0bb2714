"""RBN, Richard Pavlicek's notation: each line has a letter, a blank and data; a blank line ends a record.

RBX is the same with a record on each line, such as ``B{17}H{W:...}``. Date, places, names, board and hands
also apply to later records, so the second table of a match has no hands of its own. Dealer and vulnerability
are those of the auction or, without an auction, of the board's number.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dealerkit.cards.names import (
    SEAT_LETTERS,
    board_dealer,
    board_vulnerability,
)
from dealerkit.cards.text import parse_hand
from dealerkit.errors import DealError, FileError
from dealerkit.formats.auctions import ALERT, count_passes, find_contract
from dealerkit.formats.content import Records
from dealerkit.formats.format import Format
from dealerkit.formats.rbn_writer import write_rbn
from dealerkit.formats.text_files import PLAYERS, Board, collect_boards, complete_deal, read_head, read_text

SCORINGS = {
    "I": "IMP", "M": "MP", "B": "BAM", "T": "Total", "X": "Cross-IMP", "R": "Rubber", "C": "Chicago"
}  # fmt: skip
CARRIED = "TDLESFKNBH"
NAMED = {"L": "Site", "E": "Event", "S": "Stage"}  # fields that become tags
VULNERABLE = "ZNEB"
TRICK_STRAINS = (4, 0, 1, 2, 3)  # NT S H D C
_FIELD = re.compile(r"([A-Z0-9])\{([^}]*)\}")
_LINE = re.compile(r"([A-Z0-9])(?:[ \t]+(.*))?")
_COMMENT = re.compile(r"\{([^{}]*)\}")  # in RBX
_RECORD = re.compile(r"\n[ \t]*\n(?=[A-Z0-9](?:[ \t]|\n))")  # a place where a record may begin
_HANDS = re.compile(r"\s*([NESW])\s*[:;](.*)", re.IGNORECASE | re.DOTALL)
_SET = re.compile(r"\s*([NESW])([ZNEB?])(?::|\s*$)", re.IGNORECASE)
_CALL = re.compile(r"[\s:]*([1-7](?:NT?|[SHDC])|[PXRA])((?:[*!?]|\^[0-9])*)", re.IGNORECASE)
_CARD = re.compile(r"\s*([SHDC]?)(10|[2-9TJQKA])((?:[*!?]|\^[0-9])*)", re.IGNORECASE)
_CONTRACT = re.compile(
    r"\s*([1-7])(NT?|[SHDC])(X{0,2}|R)\s*(?::\s*([NESW]))?\s*(?::\s*([NESW])\s*)?", re.IGNORECASE
)
_RESULT = re.compile(r"\s*(1[0-3]|\d)(?![0-9])\s*(.*)", re.DOTALL)
_CALLS = {"P": "Pass", "X": "X", "R": "XX"}
_HEX = {digit: number for number, digit in enumerate("0123456789ABCD")}


@dataclass
class _Record:
    """A record: its fields in their order with the number of its line, and its comments.

    `unclosed` is the remark on a comment that is not closed, or "".
    """

    line: int
    fields: list[tuple[str, str]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    unclosed: str = ""


# ---------------------------------------------------------------- reading
def read_rbn(path: str | os.PathLike) -> Records:
    """Return the boards of an RBN or RBX file.

    Raises
    ------
    FileError
        The file cannot be read, or is neither. A board that cannot be read is in `skipped`.
    """
    text = read_text(path)
    skipped: list[tuple[int, str]] = []
    remarks: list[tuple[int, str]] = []
    split = _split_rbx if re.search(r"(?m)^\s*[A-Z0-9]\{", text) else _split_rbn
    records = list(split(text, remarks))
    if not any(letter == "H" for record in records for letter, _ in record.fields):
        reason = "there is no line such as 'H W:AK32.T98...:...'"
        if remarks:
            reason += f" (line {remarks[0][0]}: {remarks[0][1]})"
        raise FileError(f"{path}: this is not RBN, because {reason}")
    boards: list[Board] = []
    tables: list[np.ndarray | None] = []
    carried: dict[str, str] = {}
    for record in records:
        own = dict(reversed(record.fields))  # the first field with a letter counts
        carried |= {letter: value for letter, value in own.items() if letter in CARRIED}
        if record.unclosed and "H" not in own:
            skipped.append((record.line, record.unclosed))  # its hands may be in the comment
            continue
        if not own.keys() & set("HACPR"):
            continue  # a heading
        try:
            board, table = _read_board(record, {**own, **carried}, remarks)
        except DealError as reason:
            skipped.append((record.line, str(reason)))
        else:
            boards.append(board)
            tables.append(table)
    remarks.sort(key=lambda remark: remark[0])
    content = collect_boards(boards, skipped, path, remarks=remarks)
    if any(table is not None for table in tables):
        unknown = np.full((5, 4), -1, np.int8)
        known = np.array([unknown if table is None else table for table in tables])
        return Records(content.deals.replace(tables=known), content.texts, skipped, Path(path).name, remarks)
    return content


def _split_rbx(text: str, remarks: list[tuple[int, str]]) -> Iterator[_Record]:
    """Yield the records of a text that has one on each line; add remarks on text that is not a field."""
    for number, line in enumerate(text.split("\n"), 1):
        if line[:1] == "%":
            continue
        fields = _FIELD.findall(line)
        rest = _FIELD.sub("", line)
        comments = [" ".join(comment.split()) for comment in _COMMENT.findall(rest)]
        if rest := _COMMENT.sub("", rest).strip():
            remarks.append((number, f"{rest[:30]!r} is not a field, such as B{{17}}; it is not read"))
        if fields:
            yield _Record(number, [(letter, value.strip()) for letter, value in fields], comments)


def _split_rbn(text: str, remarks: list[tuple[int, str]]) -> Iterator[_Record]:
    """Yield the records of a text with a field on each line; add what is unusual to `remarks`."""
    text, comments = _separate_comments(text, remarks)
    record = _Record(1)
    for number, line in enumerate(text.split("\n"), 1):
        for comment, unclosed in comments.get(number, ()):
            record.comments.append(comment)
            if unclosed and not record.fields:
                record.line = number
            record.unclosed = record.unclosed or unclosed
        content = line.replace(_REMOVED, "").rstrip()
        if content[:1] == "%":
            continue
        if not line.strip(" \t"):
            if record.fields or record.unclosed:
                yield record
                record = _Record(number)
        elif found := _LINE.fullmatch(content):
            if not record.fields:
                record.line = number
            record.fields.append((found[1], (found[2] or "").strip()))
        elif content.strip():
            remarks.append((number, f"{content.strip()[:30]!r} is not a field, such as B 17; it is not read"))
    if record.fields or record.unclosed:
        yield record


_REMOVED = "\x01"  # replaces a comment, on each of its lines; `read_text` leaves no such character


def _separate_comments(
    text: str, remarks: list[tuple[int, str]]
) -> tuple[str, dict[int, list[tuple[str, str]]]]:
    """Return a text without its comments, and the comments by the number of the line where they begin.

    The lines of the text keep their numbers. Each comment comes with a remark if it is not closed, otherwise
    "". If a comment is not closed before another one begins in a later record, it ends with its own record.
    """
    # Find the braces, except those in lines that are skipped, and the beginnings of records.
    braces = [found for found in re.finditer(r"(?m)^%.*|[{}]", text) if found[0] in "{}"]
    opening, closing = ([found.start() for found in braces if found[0] == brace] for brace in "{}")
    restarts = [found.start() for found in _RECORD.finditer(text)]
    pieces: list[str] = []
    comments: dict[int, list[tuple[str, str]]] = {}
    position, line = 0, 1
    for start in opening:
        if start < position:
            continue  # this brace is inside a comment
        line += text.count("\n", position, start)
        # Find the brace that closes the comment, the next record, and the next comment in or after that
        # record.
        close, restart = (_find_after(places, start, len(text)) for places in (closing, restarts))
        reopened = _find_after(opening, restart, len(text))
        is_open = close == len(text) or restart < reopened < close
        end = min(restart, close) if is_open else close
        inner = text[start + 1 : end]
        unclosed = ""
        if is_open:
            place = "the file" if end == len(text) else "its board"
            unclosed = f"a comment is not closed; it ends with {place}"
            remarks.append((line, unclosed))
        elif n_deals := len(re.findall(r"(?m)^H[ \t]", inner)):
            deals = "a deal, which is" if n_deals == 1 else f"{n_deals} deals, which are"
            remarks.append((line, f"a comment up to line {line + inner.count(chr(10))} has {deals} not read"))
        comments.setdefault(line, []).append((" ".join(inner.split()), unclosed))
        pieces += [text[position:start], _REMOVED + f"\n{_REMOVED}" * inner.count("\n")]
        line += inner.count("\n")
        position = end if is_open else end + 1
    return "".join([*pieces, text[position:]]), comments


def _find_after(places: list[int], start: int, otherwise: int) -> int:
    """Return the first of some places, in ascending order, that is after `start`, or `otherwise`."""
    place = bisect_right(places, start)
    return places[place] if place < len(places) else otherwise


def _read_board(
    record: _Record, values: dict[str, str], remarks: list[tuple[int, str]]
) -> tuple[Board, np.ndarray | None]:
    """Return the board of a record and its table of tricks; raise DealError if it has no whole deal."""
    board = Board(parse_hands(values.get("H", "")))
    number = values.get("B", "").strip()
    board.board = int(number) if re.fullmatch(r"[1-9]\d{0,8}", number, re.ASCII) else -1
    if number and board.board < 0:
        board.tags.append(["Board", number])
    _add_names(board, values)
    # Notes belong to the auction, or to the play if it comes first.
    letters = [letter for letter, _ in record.fields]
    owner = next((letter for letter in letters if letter in "AP"), "A")
    notes = {letter: value for letter, value in values.items() if letter.isdigit()}
    unusual = [_add_auction(board, values.get("A"), notes if owner == "A" else {})]
    unusual.append(_add_play(board, values.get("P", ""), notes if owner == "P" else {}))
    unusual.append(_add_contract(board, values.get("C", "")))
    if found := _RESULT.fullmatch(values.get("R", "")):
        board.texts["result"] = found[1]
        if found[2]:
            board.tags.append(["ResultScore", found[2]])
    elif values.get("R", "").strip().upper() == "P":
        board.texts["contract"] = "Pass"
    comments = [*record.comments, *([values["I"]] if "I" in values else [])]
    board.texts["comment"] = "\n".join(comment for comment in comments if comment)
    table, reason = read_tricks(values["M"]) if values.get("M") else (None, "")
    remarks += [(record.line, text) for text in (*unusual, reason) if text]
    return board, table


def parse_hands(text: str) -> list[int]:
    """Return the four hands of a field H.

    The fourth hand may be missing.

    Raises
    ------
    DealError
        The text is not a whole deal.

    Examples
    --------
    >>> hands = parse_hands("W:432.AKQJ.T98.765:AKQJ.T98.765.432;T98.765.432.AKQJ:")
    >>> hex(hands[0]), hands == parse_hands("N:AKQJ.T98.765.432:T98.765.432.AKQJ:765.432.AKQJ.T98")
    ('0x1e0001c000380007', True)
    """
    found = _HANDS.fullmatch(text)
    if not found:
        raise DealError("no deal" if not text.strip() else f"bad deal: {text.strip()[:60]!r}")
    first = SEAT_LETTERS.index(found[1].upper())
    parts = [part.strip() for part in re.split("[:;]", found[2])]
    if len(parts) > 4 and any(parts[4:]):
        raise DealError(f"{len(parts)} hands, not 4")
    hands = [0, 0, 0, 0]
    for place, part in enumerate(parts[:4]):
        hands[(first + place) % 4] = parse_hand(part.replace("-", "")) if part.strip(".-") else 0
    return complete_deal(hands)


def _add_names(board: Board, values: dict[str, str]) -> None:
    """Add players, teams, event, place and date."""
    # The names are those of north and south, then west and east; the room or table follows.
    parts = split_parts(values.get("N", "")) + ["", "", ""]
    for places, part in zip(((0, 2), (3, 1)), parts, strict=False):
        for seat, name in zip(places, [*part.split("+"), "", ""], strict=False):
            if name.strip():
                board.texts[PLAYERS[seat]] = name.strip()
    if room := parts[2].strip():
        rooms = {"O": ["Room", "Open"], "C": ["Room", "Closed"]}
        board.tags.append(rooms.get(room.upper(), ["Table", room]))
    tags = board.tags
    tags += [[name, ": ".join(split_parts(values[key]))] for key, name in NAMED.items() if values.get(key)]
    title, author = (split_parts(values.get("T", "")) + ["", ""])[:2]
    tags += [[name, text] for name, text in (("Title", title), ("Author", author)) if text]
    if found := re.match(r"(\d{4})(\d\d)?(\d\d)?", values.get("D", "")):
        tags.append(["Date", f"{found[1]}.{found[2] or '??'}.{found[3] or '??'}"])
    if scoring := values.get("F", "").strip():
        tags.append(["Scoring", SCORINGS.get(scoring[:1].upper(), scoring)])
    teams = split_parts(values.get("K", ""))
    tags += [[name, team] for name, team in zip(("HomeTeam", "VisitTeam"), teams, strict=False) if team]
    if len(teams) > 2:
        tags.append(["Carryover", ":".join(teams[2:])])


def split_parts(text: str) -> list[str]:
    """Return the parts of a text between colons; two colons mean a colon inside a part.

    >>> split_parts("Spring: the::end"), split_parts("")
    (['Spring', 'the:end'], [])
    """
    parts = [part.strip().replace("\x00", ":") for part in text.replace("::", "\x00").split(":")]
    return parts if any(parts) else []


def _add_auction(board: Board, text: str | None, notes: dict[str, str]) -> str:
    """Add dealer, vulnerability and calls; return what is unusual, or ""."""
    # Without the field, the dealer is that of the number; without its beginning, it is west.
    found = _SET.match(text) if text is not None else None
    if text is None:
        board.dealer = board_dealer(board.board) if board.board > 0 else -1
        board.vulnerable = board_vulnerability(board.board) if board.board > 0 else -1
        return ""
    board.dealer = SEAT_LETTERS.index(found[1].upper()) if found else 3
    board.vulnerable = VULNERABLE.find(found[2].upper()) if found else -1
    position = found.end() if found else 0
    calls: list[str] = []
    words: list[str] = []
    lines: list[str] = []
    while match := _CALL.match(text, position):
        position = match.end()
        call, marks = match[1].upper(), match[2]
        if call == "A":
            passes = count_passes(calls)
            calls += ["Pass"] * passes
            words += ["Pass"] * passes
            continue
        name = _CALLS.get(call) or (call[0] + ("NT" if call[1] == "N" else call[1]))
        calls.append(name)
        words.append(name + _add_note(marks, notes, lines))
    rest = text[position:].strip(" \t:")
    board.texts["auction"] = " ".join([*words, *(["?"] if rest else [])])
    board.texts["auction_notes"] = "\n".join(lines)
    if not rest:
        board.texts["contract"], board.texts["declarer"] = find_contract(calls, board.dealer)
    return f"{rest[:30]!r} in an auction is not a call; the rest is not read" if rest else ""


def _add_note(marks: str, notes: dict[str, str], lines: list[str]) -> str:
    """Return marks such as ! and the reference to a note, as in a text column; add the note to `lines`."""
    note = next((notes[mark] for mark in re.findall(r"\^([0-9])", marks) if notes.get(mark)), "")
    if not note and ("*" in marks or "^" in marks):
        note = ALERT
    opinion = "".join(mark for mark in marks if mark in "!?")[:2]
    if note:
        lines.append(f"{len(lines) + 1}:{note}")
        return f"{opinion}={len(lines)}="
    return opinion


def _add_play(board: Board, text: str, notes: dict[str, str]) -> str:
    """Add the cards that were played; return what is unusual, or ""."""
    cards: list[str] = []
    lines: list[str] = []
    rest = ""
    for trick in text.split(":"):
        position, led = 0, ""
        while match := _CARD.match(trick, position):
            position = match.end()
            led = led or match[1].upper()
            suit = match[1].upper() or led
            if not suit:
                break
            rank = match[2].upper().replace("10", "T")
            cards.append(suit + rank + _add_note(match[3], notes, lines))
        if rest := trick[position:].strip():
            break
    if cards:
        board.texts |= {"play": " ".join(cards), "lead": cards[0][:2], "play_notes": "\n".join(lines)}
    return f"{rest[:30]!r} in a play is not a card; the rest is not read" if rest else ""


def _add_contract(board: Board, text: str) -> str:
    """Add contract and declarer; return what is unusual, or ""."""
    if not text.strip():
        return ""
    if text.strip().upper() in ("P", "PASS", "AP"):
        board.texts |= {"contract": "Pass", "declarer": ""}
        return ""
    found = _CONTRACT.fullmatch(" ".join(text.split()))
    if not found:
        return f"{text.strip()[:30]!r} is not a contract"
    strain = found[2].upper()
    doubles = found[3].upper().replace("R", "XX")
    board.texts["contract"] = f"{found[1]}{'NT' if strain[0] == 'N' else strain}{doubles}"
    board.texts["declarer"] = (found[4] or "").upper()
    leader = (found[5] or "").upper()
    if leader and leader != (SEAT_LETTERS * 2)[SEAT_LETTERS.index(board.texts["declarer"] or "W") + 1]:
        board.tags.append(["Leader", leader])
        return f"the opening leader is {leader}, who does not sit on declarer's left"
    return ""


def read_tricks(text: str) -> tuple[np.ndarray | None, str]:
    """Return the tricks in a field M, int8 [5, 4] with -1 for unknown ones, or None; and a remark or "".

    >>> read_tricks("::57575=:55757=")[0][0].tolist(), read_tricks("::57575=:!")[0][1].tolist()
    ([7, 5, 7, 5], [5, 8, 5, 8])
    """
    parts = [part.strip().upper() for part in text.split(":")]
    if len(parts) < 4:
        return None, f"{text.strip()[:30]!r} is not a table of tricks"
    table = np.full((5, 4), -1, np.int8)
    opposite, reason = [], ""
    for seats, part in zip(((0, 2), (1, 3)), parts[2:4], strict=True):
        if part == "!":
            opposite.append(seats)
            continue
        first, _, second = part.rstrip("=").partition("+")
        second = second or first
        if any(len(digits) != 5 or set(digits) - _HEX.keys() for digits in (first, second)):
            if part:
                reason = f"{part[:30]!r} is not a number of tricks in five strains"
            continue
        for strain, one, other in zip(TRICK_STRAINS, first, second, strict=True):
            # It is not known whether east or west is first.
            if one != other and seats == (1, 3):
                reason = (
                    "east and west have different tricks, and which is whose is unknown; they are left out"
                )
                continue
            table[strain, seats[0]], table[strain, seats[1]] = _HEX[one], _HEX[other]
    for seats in opposite:
        others = table[:, [1 - seats[0], 3 - seats[0]]]
        table[:, list(seats)] = np.where(others >= 0, 13 - others, -1)
    return (table, reason) if (table >= 0).any() else (None, reason)


def recognise_rbn(head: bytes) -> bool:
    r"""Return whether a file has hands in the form of RBN.

    >>> recognise_rbn(b"B 17\nH W:432.AKQJ.T98.765:AKQJ.T98.765.432:T98.765.432.AKQJ:\n")
    True
    """
    return re.search(r"(?m)^H[ \t]+[NESW][:;][^\n]*\.", read_head(head)) is not None


FORMAT = Format("rbn", (".rbn",), recognise_rbn, read_rbn, write_rbn)
