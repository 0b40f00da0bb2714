"""Writing boards as RBN and RBX."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from dealerkit.cards.names import SEAT_LETTERS
from dealerkit.cards.text import format_hand
from dealerkit.errors import ArgumentError, DealError
from dealerkit.formats.auctions import ALERT, count_passes, count_tricks, read_auction, seat_of, split_note
from dealerkit.formats.content import DealSupply, split_deals
from dealerkit.formats.text_files import PLAYERS, Board, check_deal, split_boards
from dealerkit.runtime.files import write_atomically

_CARRIED = "TDLESFKNBH"  # letters of fields that also apply to later records
_SCORINGS = {
    "imp": "I", "imps": "I", "mp": "M", "matchpoints": "M", "bam": "B", "total": "T", "cross-imp": "X",
    "rubber": "R", "chicago": "C",
}  # fmt: skip
_NAMED = {"L": "Site", "E": "Event", "S": "Stage"}
_VULNERABLE = "ZNEB?"  # -1 is unknown
_STRAINS = (4, 0, 1, 2, 3)  # NT S H D C
_CALLS = {"Pass": "P", "X": "X", "XX": "R"}
_CONTRACT = re.compile(r"([1-7])(NT?|[SHDC])(X{0,2})", re.IGNORECASE)
_MAX_NOTES = 10


def write_rbn(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write boards with a field on each line.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing.
    """
    with write_atomically(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        for fields, comment in _list_records(deals):
            file.writelines(f"{letter} {value}\n" for letter, value in fields)
            file.writelines(f"{{{line}}}\n" for line in comment)
            file.write("\n")


def write_rbx(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write each board on a line; a comment becomes the field I.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing.
    """
    with write_atomically(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        for fields, comment in _list_records(deals):
            fields = [*fields, *([("I", " ".join(comment))] if comment else [])]
            file.write("".join(f"{letter}{{{value}}}" for letter, value in fields) + "\n")


def _list_records(deals: DealSupply) -> Iterator[tuple[list[tuple[str, str]], list[str]]]:
    """Yield the fields of each board and the lines of its comment."""
    before: dict[str, str] = dict.fromkeys(_CARRIED, "")
    tables = (table for _, part in split_deals(deals) for table in _list_tables(part))
    for row, (board, table) in enumerate(zip(split_boards(deals), tables, strict=True)):
        try:
            check_deal(board.hands)
        except DealError as reason:
            raise ArgumentError(f"deal {row:,}: {reason}; RBN has whole deals only") from None
        # Fields that apply to later boards are written when they change, and are empty when they end.
        carried = _list_carried(board)
        fields = [(letter, carried.get(letter, "")) for letter in _CARRIED]
        fields = [(letter, value) for letter, value in fields if value != before[letter]]
        before |= dict(fields)
        # If two boards have the same hands, they are written again to show that there is another board.
        if not any(letter == "H" for letter, _ in fields):
            fields.append(("H", carried["H"]))
        comment = [
            _clean(line) for line in str(board.texts.get("comment") or "").splitlines() if line.strip()
        ]
        yield fields + _list_own(board, table), comment


def _list_tables(part: Any) -> list[Any]:
    return [None] * len(part) if part.tables is None else part.tables.tolist()


def _clean(text: object) -> str:
    """Return a text without braces and line ends."""
    line = " ".join(str(text).encode("utf-8", "replace").decode("utf-8").split())
    return line.replace("{", "(").replace("}", ")")


def _escape(text: object) -> str:
    """Return a text as one of several parts, in which a colon is doubled."""
    return _clean(text).replace(":", "::")


def _list_carried(board: Board) -> dict[str, str]:
    """Return the fields that also apply to later boards."""
    hands = [format_hand(board.hands[seat]) for seat in (3, 0, 1)]
    fields = {"H": f"W:{':'.join(hands)}:"}
    number = str(board.board) if board.board >= 0 else board.find_tag("Board")
    fields["B"] = _clean(number)
    names = [_escape(board.texts.get(PLAYERS[seat], "")).replace("+", " ") for seat in (0, 2, 3, 1)]
    room = board.find_tag("Room")[:1].upper() or board.find_tag("Table")
    if any(names) or room:
        fields["N"] = f"{names[0]}+{names[1]}:{names[2]}+{names[3]}" + (f":{_escape(room)}" if room else "")
    fields |= {letter: _escape(board.find_tag(name)) for letter, name in _NAMED.items()}
    title, author = board.find_tag("Title"), board.find_tag("Author")
    fields["T"] = _escape(title) + (f":{_escape(author)}" if author else "")
    fields["D"] = re.sub(r"\D", "", board.find_tag("Date").replace(".??", ""))
    fields["F"] = _SCORINGS.get(board.find_tag("Scoring").split(";")[0].strip().lower(), "")
    home, visit = board.find_tag("HomeTeam"), board.find_tag("VisitTeam")
    carry = board.find_tag("Carryover")
    if home or visit:
        fields["K"] = f"{_escape(home)}:{_escape(visit)}" + (f":{_clean(carry)}" if carry else "")
    return fields


def _list_own(board: Board, table: list[list[int]] | None) -> list[tuple[str, str]]:
    """Return the fields that apply only to a board."""
    fields: list[tuple[str, str]] = []
    calls, notes = _format_calls(board)
    sides = _VULNERABLE[board.vulnerable]
    if board.dealer >= 0:
        fields += [("A", f"{SEAT_LETTERS[board.dealer]}{sides}:{calls}"), *notes]
    contract = str(board.texts.get("contract") or "").strip()
    found, declarer = _CONTRACT.fullmatch(contract), seat_of(str(board.texts.get("declarer") or ""))
    if found:
        name = f"{found[1]}{found[2][0].upper()}{found[3].upper().replace('XX', 'R')}"
        fields.append(("C", f"{name}:{SEAT_LETTERS[declarer]}" if declarer >= 0 else name))
    elif contract.lower() == "pass":
        fields.append(("C", "Pass"))
    if play := _format_play(str(board.texts.get("play") or board.texts.get("lead") or "")):
        fields.append(("P", play))
    named = (str(board.texts.get(name) or "") for name in ("result", "contract", "declarer"))
    if (tricks := count_tricks(*named)) is not None:
        fields.append(("R", str(tricks) + _clean(board.find_tag("ResultScore"))))
    if table is not None and (digits := _format_tricks(np.array(table))):
        fields.append(("M", digits))
    return fields


def _format_calls(board: Board) -> tuple[str, list[tuple[str, str]]]:
    """Return the calls of a board, and the fields of their notes; none if the dealer does not begin."""
    text = str(board.texts.get("auction") or "")
    if text.lstrip().startswith("-"):
        return "", []
    lines = str(board.texts.get("auction_notes") or "").splitlines()
    explained = dict(line.split(":", 1) for line in lines if ":" in line)
    calls: list[str] = []
    notes: list[tuple[str, str]] = []
    for call, number in read_auction(text):
        name = _CALLS.get(call) or call[:2]
        note, is_alerted = split_note(_clean(explained.get(str(number), ALERT))) if number else ("", False)
        if (is_alerted and not note) or (note and len(notes) == _MAX_NOTES):
            name += "*"
        elif note:
            name += f"^{(len(notes) + 1) % _MAX_NOTES}"
            notes.append((str((len(notes) + 1) % _MAX_NOTES), note))
        calls.append(name)
    # The letter A replaces the passes that end the auction.
    if (
        len(calls) > 3
        and calls[-3:] == ["P"] * 3
        and not count_passes([name for name, _ in read_auction(text)])
    ):
        n_last = 4 if calls == ["P"] * 4 else 3
        calls[-n_last:] = ["A"]
    rounds = ["".join(calls[start : start + 4]) for start in range(0, len(calls), 4)]
    return ":".join(rounds), notes


def _format_play(text: str) -> str:
    """Return cards as tricks, with a suit only if it differs from that of the card led.

    >>> _format_play("CK C9 C7 C2 HA S3")
    'CK972:HAS3'
    """
    cards = [card[:2].upper() for card in text.split()]
    if not all(re.fullmatch("[SHDC][2-9TJQKA]", card) for card in cards):
        return ""
    tricks = [cards[start : start + 4] for start in range(0, len(cards), 4)]
    return ":".join(
        trick[0] + "".join(card[1] if card[0] == trick[0][0] else card for card in trick[1:])
        for trick in tricks
    )


def _format_tricks(table: np.ndarray) -> str:
    """Return a table, [5, 4], as five digits for each side or seat; "" if it is not complete."""
    if (table < 0).any():
        return ""
    sides = []
    for seats in ((0, 2), (1, 3)):
        one, other = ("".join(f"{table[strain, seat]:X}" for strain in _STRAINS) for seat in seats)
        sides.append(f"{one}=" if one == other else f"{one}+{other}")
    return f"::{sides[0]}:{sides[1]}"
