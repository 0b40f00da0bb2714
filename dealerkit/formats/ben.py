"""The lines of BEN, a program that bids: four hands, always N E S W, with dealer, vulnerability and calls.

Dealer, vulnerability and calls are on the line after the hands, such as ``N None 1S P 2S``. Or dealer and
vulnerability are before the hands, on a line that may end with the calls, such as ``#1S-P-2S``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from dealerkit.cards.names import SEAT_LETTERS
from dealerkit.cards.text import parse_hand
from dealerkit.errors import DealError, FileError
from dealerkit.formats.auctions import ALERT, find_contract, name_call
from dealerkit.formats.content import Records
from dealerkit.formats.format import Format
from dealerkit.formats.oneline import parse_bare_line
from dealerkit.formats.text_files import Board, check_deal, collect_boards, read_head, read_text

_SIDES = {"none": 0, "n-s": 1, "e-w": 2, "both": 3}
_SET = re.compile(r"\s*([NESW])\s+(None|N-S|E-W|Both)(?:\s+(.*))?", re.IGNORECASE)
_CALL = re.compile(r"(P|Pass|XX?|[1-7](?:NT?|[SHDC]))(\*?)", re.IGNORECASE)


def read_ben(path: str | os.PathLike) -> Records:
    """Return the boards of a file.

    Raises
    ------
    FileError
        The file cannot be read, or has no line of four hands.
    """
    boards, skipped, remarks = [], [], []
    for line, hands, dealt, calls in _find_boards(read_text(path)):
        try:
            board = Board([parse_hand(hand) for hand in hands])
            check_deal(board.hands)
        except DealError as reason:
            skipped.append((line, str(reason)))
            continue
        if dealt:
            board.dealer = SEAT_LETTERS.index(dealt[1].upper())
            board.vulnerable = _SIDES[dealt[2].lower()]
        if unknown := _add_auction(board, calls):
            remarks.append((line, f"{unknown[:30]!r} in an auction is not a call; the rest is not read"))
        boards.append(board)
    if not boards and not skipped:
        raise FileError(f"{path}: this is not a file for BEN, because no line has four hands")
    return collect_boards(boards, skipped, path, remarks=remarks)


def _find_boards(text: str) -> Iterator[tuple[int, list[str], re.Match | None, str]]:
    """Yield the line, the hands, the match of dealer and vulnerability, and the calls of each board."""
    lines = [
        (number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()[:1] not in ("", "#")
    ]
    for place, (number, line) in enumerate(lines):
        if hands := parse_bare_line(line.partition("#")[0]):
            # The calls are on the next line.
            following = lines[place + 1][1] if place + 1 < len(lines) else ""
            dealt = _SET.fullmatch(following.partition("#")[0])
            is_own = dealt is not None and not parse_bare_line(dealt[3] or "")
            yield number, hands, dealt if is_own else None, (dealt[3] or "") if is_own and dealt else ""
        elif dealt := _SET.fullmatch(line):
            before, _, calls = (dealt[3] or "").partition("#")
            if hands := parse_bare_line(before):
                yield number, hands, dealt, calls


def _add_auction(board: Board, text: str) -> str:
    """Add the calls, and return the first word that is not a call, or ""."""
    calls: list[str] = []
    words: list[str] = []
    notes: list[str] = []
    unknown = ""
    for word in re.split(r"[\s-]+", text.strip()):
        found = _CALL.fullmatch(word)
        if not found:
            unknown = word
            break
        call = name_call(found[1])
        calls.append(call)
        if found[2]:
            notes.append(f"{len(notes) + 1}:{ALERT}")
            call += f"={len(notes)}="
        words.append(call)
    board.texts["auction"] = " ".join([*words, *(["?"] if unknown else [])])
    board.texts["auction_notes"] = "\n".join(notes)
    if not unknown:
        board.texts["contract"], board.texts["declarer"] = find_contract(calls, board.dealer)
    return unknown


def recognise_ben(head: bytes) -> bool:
    r"""Return whether a file has a line of four hands with the dealer before them or on the next line.

    >>> hands = b"AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"
    >>> texts = (hands + b"\nN None 1S P 2S P P P\n", b"N Both " + hands, hands)
    >>> [recognise_ben(text) for text in texts]
    [True, True, False]
    """
    return any(dealt for _, _, dealt, _ in _find_boards(read_head(head)))


FORMAT = Format("ben", (".ben", ".txt"), recognise_ben, read_ben)
