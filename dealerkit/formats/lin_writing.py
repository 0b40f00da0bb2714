"""Writing of LIN, a board on each line, as Bridge Base Online loads it."""

from __future__ import annotations

import os
import re

from dealerkit.cards.names import SEAT_LETTERS
from dealerkit.cards.text import LIN_SEATS, format_lin_hand
from dealerkit.errors import ArgumentError
from dealerkit.formats.auctions import (
    ALERT,
    find_contract,
    name_card,
    parse_card,
    play_contract,
    read_auction,
    seat_of,
)
from dealerkit.formats.content import DealSupply
from dealerkit.formats.text_files import PLAYERS, Board, check_deal, split_boards
from dealerkit.system.files import write_atomically

_VULNERABLE = {0: "o", 1: "n", 2: "e", 3: "b"}
_MAX_RESULTS = 1000  # boards of a heading
_CALLS = {"Pass": "p", "X": "d", "XX": "r"}


def write_lin(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write deals and what is known about the boards as LIN.

    LIN has no place for an unknown dealer: it is that of the number of the board, or north. Contract and
    declarer follow from the auction. Contracts with results of boards without an auction are written to the
    heading of a team match, if each board has a number of its own.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing.
    """
    with write_atomically(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.write(format_results(deals))
        for number, board in enumerate(split_boards(deals)):
            try:
                check_deal(board.hands)
            except ValueError as reason:
                raise ArgumentError(f"deal {number}: {reason}; LIN has whole deals only") from None
            file.write(format_board(board) + "\n")


def format_board(board: Board) -> str:
    """Return a board as a line of LIN."""
    texts, number = board.texts, board.board
    dealer = board.dealer if board.dealer >= 0 else (number - 1) % 4 if number > 0 else 0
    hands = ",".join(format_lin_hand(board.hands[seat]) for seat in LIN_SEATS[:3])
    room = "c" if board.find_tag("Room") == "Closed" else "o"
    heading = f"Board {number}" if number >= 0 else board.find_tag("ah")
    names = [_clean(texts.get(PLAYERS[seat], "")).replace(",", " ") for seat in LIN_SEATS]
    pairs = [("qx", f"{room}{number}")] if number >= 0 else []
    pairs += [
        ("pn", ",".join(names)),
        ("st", ""),
        ("md", f"{LIN_SEATS.index(dealer) + 1}{hands},"),
        ("rh", ""),
    ]
    pairs += [("ah", _clean(heading))] if heading else []
    pairs += [("sv", _VULNERABLE[board.vulnerable])] if board.vulnerable >= 0 else []
    pairs += _list_calls(board) + _list_cards(board, dealer)
    pairs += [("nt", _clean(line)) for line in texts.get("comment", "").splitlines() if line.strip()]
    return "".join(f"{tag}|{value}|" for tag, value in [*pairs, ("pg", "")])


def format_results(deals: DealSupply) -> str:
    """Return the heading of a team match with the results in both rooms; "" where auctions have them."""
    texts = getattr(deals, "texts", {})
    if not any(texts.get("contract", ())):
        return ""
    boards = list(split_boards(deals))
    places = [2 * board.board + (board.find_tag("Room") == "Closed") for board in boards]
    first, last = min(places) // 2, max(places) // 2
    is_known = first > 0 and last - first < _MAX_RESULTS and len(set(places)) == len(places)
    has_results = any(_name_result(board) and not _read_calls(board) for board in boards)
    if not is_known or not has_results:
        return ""
    results = [""] * (2 * (last - first + 1))
    for place, board in zip(places, boards, strict=True):
        results[place - 2 * first] = _name_result(board)
    return f"vg|,,,{first},{last},,,,|rs|{','.join(results)}|"


def _name_result(board: Board) -> str:
    """Return contract, declarer and result as a heading has them: 4SN+1; "" if they are unknown."""
    texts = {name: str(board.texts.get(name, "")).strip() for name in ("contract", "declarer", "result")}
    if texts["contract"].lower() == "pass":
        return "PASS"
    contract = re.fullmatch(r"([1-7])(NT?|[SHDC])(X{0,2})", texts["contract"], re.IGNORECASE)
    declarer = seat_of(texts["declarer"])
    if not contract or declarer < 0 or not re.fullmatch(r"\d|1[0-3]", texts["result"]):
        return ""
    overtricks = int(texts["result"]) - 6 - int(contract[1])  # negative: down
    name = f"{contract[1]}{contract[2][0].upper()}{SEAT_LETTERS[declarer]}{contract[3].lower()}"
    return name + (f"{overtricks:+d}" if overtricks else "=")


def _clean(text: str) -> str:
    """Return a text without bars, ends of lines and characters that no file can hold."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return re.sub(r"[\s|\x00-\x1f\x85\u2028\u2029]+", " ", text).strip()


def _read_calls(board: Board) -> list[tuple[str, int]]:
    """Return the calls of a board with their notes; none if its dealer does not begin, as in LIN."""
    text = board.texts.get("auction", "")
    return [] if text.lstrip().startswith("-") else read_auction(text)


def _list_calls(board: Board) -> list[tuple[str, str]]:
    """Return the tags of the auction; the explanation of a call follows it."""
    notes = board.texts.get("auction_notes", "").split("\n")
    explained = dict(note.split(":", 1) for note in notes if ":" in note)
    pairs = []
    for call, number in _read_calls(board):
        note = _clean(explained.get(str(number), "")) if number else ""
        text = _CALLS.get(call) or call[:2]
        pairs.append(("mb", text + ("!" if note else "")))
        if note and note != ALERT:
            pairs.append(("an", note))
    return pairs


def _list_cards(board: Board, dealer: int) -> list[tuple[str, str]]:
    """Return the tags of the play, and the tricks of declarer if the cards do not say them."""
    calls = [call for call, _ in _read_calls(board)]
    cards = [parse_card(card) for card in board.texts.get("play", "").split()]
    contract, declarer = find_contract(calls, dealer, played=bool(cards))
    play = play_contract(board.hands, contract, declarer, cards, by_seats=True)
    if play is None:
        return []
    pairs = []
    for number, card in enumerate(play.cards):
        pairs += [("pg", "")] if number % 4 == 0 else []
        pairs.append(("pc", name_card(card)))
    result = board.texts.get("result", "").strip()
    if re.fullmatch(r"\d|1[0-3]", result) and not (
        play.is_complete and int(result) == play.tricks[declarer % 2]
    ):
        pairs += [("pg", ""), ("mc", result)]
    return pairs
