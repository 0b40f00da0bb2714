"""Addresses of the hand viewer of Bridge Base Online, one or many in a text or a web page.

An address contains a board as LIN, ``handviewer.html?lin=...``, or has a parameter for each hand and fact:
``?n=sakqj...&e=...&d=n&v=-&b=17&a=1sp2sppp&p=...``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from urllib.parse import unquote_plus

from dealerkit.cards.names import SEAT_LETTERS, board_dealer
from dealerkit.errors import DealError, FileError
from dealerkit.formats.auctions import (
    find_contract,
    format_note,
    name_call,
    name_card,
    parse_card,
    play_contract,
)
from dealerkit.formats.content import Records
from dealerkit.formats.format import Format
from dealerkit.formats.lin import parse_lin, parse_lin_hand
from dealerkit.formats.lin import read_partial_boards as read_partial_lin
from dealerkit.formats.text_files import (
    PLAYERS,
    TEXTS,
    Board,
    PartialBoard,
    collect_boards,
    complete_deal,
    read_head,
    read_text,
)

_ADDRESS = re.compile(r"handviewer\.html\?([^\s\"'<>]+)", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:amp|#38|#x26);", re.IGNORECASE)
_UNICODE = re.compile(r"%u([0-9A-Fa-f]{4})")
_SIDES = {"n": 1, "e": 2, "b": 3, "-": 0, "o": 0, "0": 0}
_COMMENT = re.compile(r"\{[^}]*\}")
_CALL = re.compile(r"\s*(!?)([1-7][CDHSN]T?|P|D|XX?|R)(!?)\s*((?:\([^)]*\)?\s*)*)(!?)", re.IGNORECASE)
_PAGE = re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_ELSEWHERE = {
    "linurl": "the address names a file of LIN (linurl=); download that file and read it",
    "myhand": "the address names a hand stored at BBO (myhand=); export it there as LIN",
}


def read_handviewer(path: str | os.PathLike) -> Records:
    """Return the boards of all addresses of the hand viewer in a file.

    Raises
    ------
    FileError
        The file cannot be read, or has no such address. A board that cannot be read is in `skipped`.
    """
    text = read_text(path)
    boards: list[Board] = []
    skipped: list[tuple[int, str]] = []
    remarks: list[tuple[int, str]] = []
    for line, values in _find_addresses(text):
        try:
            if "lin" in values:
                read, faults = parse_lin(values["lin"])
                boards += read
                skipped += [(line, reason) for _, reason in faults]
            else:
                boards.append(_build_board(values, complete_deal(_parse_hands(values)), line, remarks))
        except DealError as reason:
            skipped.append((line, str(reason)))
    if not boards and not skipped:
        kind = "this web page has no address" if _PAGE.match(text) else "there is no address"
        raise FileError(
            f"{path}: {kind} of BBO's hand viewer, handviewer.html?...; if the page links to files of deals, "
            "download the file itself, not the page that shows it"
        )
    return collect_boards(boards, skipped, path, (*TEXTS, "tags") if boards else (), remarks)


def _find_addresses(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the parameters of each address."""
    line, place = 1, 0
    for found in _ADDRESS.finditer(text):
        line, place = line + text.count("\n", place, found.start()), found.start()
        yield line, split_address(found[1])


def split_address(query: str) -> dict[str, str]:
    """Return the decoded parameters of an address by name; the first with a name counts.

    >>> split_address("n=sakq&amp;nn=%u017Caba+K&n=")
    {'n': 'sakq', 'nn': 'żaba K'}
    """
    values: dict[str, str] = {}
    for part in _ENTITY.sub("&", query).split("&"):
        name, _, value = part.partition("=")
        value = _UNICODE.sub(lambda found: chr(int(found[1], 16)), value)
        value = unquote_plus(value, errors="replace").encode("utf-8", "replace").decode("utf-8")
        values.setdefault(unquote_plus(name).strip().lower(), value)
    return values


def read_partial_boards(text: str) -> Iterator[PartialBoard]:
    """Yield the boards of all addresses in a text with what is known about their hands.

    >>> (partial,) = read_partial_boards("handviewer.html?n=sakqjh2&s=s5&b=7")
    >>> [hand.bit_count() for hand in partial.read_hands()], partial.board.board
    ([5, 0, 1, 0], 7)
    """
    for line, values in _find_addresses(text):
        if "lin" in values:
            yield from (board._replace(line=line) for board in read_partial_lin(values["lin"]))
        else:
            yield PartialBoard(line, _build_board(values, (), line, []), partial(_parse_hands, values))


def _parse_hands(values: Mapping[str, str]) -> list[int]:
    """Return the hands of an address, which may be incomplete, or 0; raise DealError if it has no hands."""
    for name, reason in _ELSEWHERE.items():
        if name in values:
            raise DealError(reason)
    return [parse_lin_hand(values.get(seat[0], ""), seat) for seat in PLAYERS]


def _build_board(
    values: dict[str, str], hands: Sequence[int], line: int, remarks: list[tuple[int, str]]
) -> Board:
    """Return the board of an address with these hands."""
    board = Board(hands)
    number = values.get("b", "").strip()
    board.board = int(number) if re.fullmatch(r"[1-9]\d{0,8}", number, re.ASCII) else -1
    dealer = values.get("d", "").strip().upper()[:1]
    board.dealer = SEAT_LETTERS.find(dealer) if dealer else -1
    if board.dealer < 0 and board.board > 0:
        board.dealer = board_dealer(board.board)
    board.vulnerable = _SIDES.get(values.get("v", "").strip().lower()[:1], -1)
    for letter, seat in zip("nesw", PLAYERS, strict=True):
        board.texts[seat] = " ".join(values.get(f"{letter}n", "").split())
    # Calls and cards have no blanks between them; comments are in braces.
    called, played = (_COMMENT.sub("", values.get(name, "")) for name in "ap")
    if "{" in called + played:
        remarks.append((line, "a comment is not closed; the rest of the auction or play is not read"))
    cards = _read_cards(played.partition("{")[0])
    if rest := _add_auction(board, called.partition("{")[0], bool(cards)):
        remarks.append((line, f"{rest[:30]!r} in an auction is not a call; the rest is not read"))
    if cards:
        board.texts |= {"play": " ".join(map(name_card, cards)), "lead": name_card(cards[0])}
        declarer = SEAT_LETTERS.find(board.texts["declarer"] or "?")
        play = play_contract(board.hands, board.texts["contract"], declarer, cards)
        if play and play.is_complete:
            board.texts["result"] = str(play.tricks[declarer % 2])
    return board


def _read_cards(text: str) -> list[int]:
    """Return the cards of a play, up to the first text that is not a card."""
    cards = []
    for word in re.findall(r"[SHDC](?:10|\S)", text, re.IGNORECASE):
        if (card := parse_card(word)) < 0:
            break
        cards.append(card)
    return cards


def _add_auction(board: Board, text: str, is_played: bool) -> str:
    """Add calls, explanations and the contract; return the rest from the first text that is not a call."""
    calls: list[str] = []
    words: list[str] = []
    notes: list[str] = []
    position = 0
    while found := _CALL.match(text, position):
        position = found.end()
        call = name_call(found[2])
        calls.append(call)
        explanation = " ".join(re.sub(r"[()]", " ", found[4]).split())
        if note := format_note(explanation, bool(found[1] or found[3] or found[5])):
            notes.append(f"{len(notes) + 1}:{note}")
            call += f"={len(notes)}="
        words.append(call)
    rest = text[position:].strip(" ?_-")
    board.texts["auction"] = " ".join([*words, *(["?"] if rest else [])])
    board.texts["auction_notes"] = "\n".join(notes)
    contract, declarer = ("", "") if rest else find_contract(calls, board.dealer, played=is_played)
    board.texts["contract"], board.texts["declarer"] = contract, declarer
    return rest


def recognise_handviewer(head: bytes) -> bool:
    """Return whether a file has an address of the hand viewer, or is a web page, which may have one.

    >>> recognise_handviewer(b"https://www.bridgebase.com/tools/handviewer.html?n=sakq&e=...")
    True
    """
    text = read_head(head)
    return _ADDRESS.search(text) is not None or _PAGE.match(text) is not None


FORMAT = Format("handviewer", (".url", ".html", ".htm", ".txt"), recognise_handviewer, read_handviewer)
