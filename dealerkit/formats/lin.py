"""LIN, the files of Bridge Base Online: boards with auction, play and comments.

A file is a sequence of tags of two letters and values, each followed by a bar. A board begins at `qx`, at a
second `md`, or at players or a heading after those of another board. Tags for the display of a page are
skipped. The hands of a deal are in the order south, west, north, east, whoever deals. A written file has each
board on one line, as Bridge Base Online loads it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from urllib.parse import unquote_plus

import numpy as np

from dealerkit.cards.names import RANKS, SEAT_LETTERS, SUIT_LETTERS, board_dealer, card_bit
from dealerkit.cards.text import LIN_SEATS, format_lin_hand
from dealerkit.errors import ArgumentError, DealError, FileError, quote
from dealerkit.formats.auctions import (
    ALERT,
    count_passes,
    count_tricks,
    find_contract,
    format_note,
    name_card,
    parse_calls,
    parse_card,
    play_contract,
    read_auction,
    seat_of,
    split_note,
)
from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.format import Format
from dealerkit.formats.text_files import (
    PLAYERS,
    TEXTS,
    Board,
    PartialBoard,
    check_deal,
    collect_boards,
    complete_deal,
    parse_deals,
    pause_collector,
    read_head,
    read_text,
    split_boards,
)
from dealerkit.runtime.files import write_atomically
from dealerkit.runtime.progress import ProgressBar, track_items

_HAND = re.compile(r"([SHDC])([^SHDC]*)")
_USUAL = "S[2-9TJQKA]*H[2-9TJQKA]*D[2-9TJQKA]*C[2-9TJQKA]*"  # a hand as Bridge Base Online writes it
_HANDS = re.compile(rf"(?:{_USUAL},){{3}}(?:{_USUAL})?")
_TO_PBN = str.maketrans("HDC,", "... ", "S")
_NUMBER = re.compile(r"\d{1,9}")
_BOARD = re.compile(r"board\s*\d+", re.IGNORECASE)
_ROOM = re.compile(r"([oc]?)(\d{1,9})", re.IGNORECASE)
_TRICKS = re.compile(r"\d|1[0-3]")
TAGS_SHARE = 0.5  # share of the time of reading in which tags are split
_TAG = re.compile(r"[A-Za-z0-9]{2}")
_KNOWN_TAGS = frozenset("md sv ah qx pn vg rs pw mp bn mb an pc pg mc nt st rh sk mn sa zz bt tu va".split())
_URL = re.compile(r"[?&]lin=([^&\n\"'<>]*)", re.IGNORECASE)
_REMARKS = re.compile(r"(?:[ \t\n]*%[^\n]*\n)*")
_DEAL = re.compile(r"[0-9]?\s*,?\s*[SHDC]", re.IGNORECASE)
_RESULT = re.compile(r"([1-7])(NT|[SHDCN])(X{0,2})([NESW])(X{0,2})(=|[+-]\d{1,2})", re.IGNORECASE)
_VULNERABLE = {"o": 0, "0": 0, "none": 0, "n": 1, "ns": 1, "e": 2, "ew": 2, "b": 3, "both": 3, "all": 3}
_SCORING = {"i": "IMP", "p": "MP", "b": "BAM"}
_BEGINNINGS = frozenset(("qx", "md", "pn", "vg", "ah"))  # tags that may begin a board
_VALUES = frozenset(("md", "sv", "ah", "qx", "pn", "mc"))  # tags with one value for each board
_CONTENT = frozenset(("mb", "an", "pc", "nt"))  # tags that a board can have several times
_VULNERABLE_LETTERS = "oneb"  # none, north-south, east-west, both
_NAMES = [PLAYERS[seat] for seat in LIN_SEATS]
_UNSAFE = re.compile(r"[\s|\x00-\x1f\x85\u2028\u2029]+")
_MAX_RESULTS = 1000  # boards whose results a heading can have
_CALLS = {"Pass": "p", "X": "d", "XX": "r"}


# ---------------------------------------------------------------- reading
def read_lin(path: str | os.PathLike) -> Records:
    """Return the boards of a LIN file, or of an address of BBO's hand viewer.

    Raises
    ------
    FileError
        The file cannot be read, or is not LIN.
    """
    remarks: list[tuple[int, str]] = []
    boards, skipped = parse_lin(read_text(path), remarks)
    if not boards and not skipped:
        raise FileError(f"{path}: this is not LIN, because there is no tag 'md' with a deal")
    return collect_boards(boards, skipped, path, (*TEXTS, "tags"), remarks)


def parse_lin(
    text: str, remarks: list[tuple[int, str]] | None = None
) -> tuple[list[Board], list[tuple[int, str]]]:
    """Return the boards of a text, and the line and the reason for each that has no whole deal.

    Unknown vulnerabilities are added to `remarks`.

    >>> deal = "1SAKQJHAKQJDAKQJCA,HT98765432DT987,ST98765432CT987,"
    >>> boards, skipped = parse_lin(f"qx|o1|md|{deal}|sv|n|md|2SAA,,|")
    >>> [(board.board, board.dealer, board.vulnerable) for board in boards], skipped
    ([(1, 2, 1)], [(1, 'SA is twice in the hand of south')])
    """
    with pause_collector(), ProgressBar() as bar:
        return _parse_boards(decode_address(text), remarks, bar)


def parse_deal(value: str) -> tuple[int, list[int]]:
    """Return the dealer, -1 if unknown, and the hands in a value of `md`.

    Raises
    ------
    DealError
        The hands are not a whole deal.
    """
    text = value.strip()
    return _find_dealer(text), complete_deal(parse_hands(text))


def parse_hands(value: str) -> list[int]:
    """Return the hands in a value of `md`, which may be incomplete; an unknown hand is 0.

    >>> [[hand.bit_count() for hand in parse_hands(text)] for text in ("3,,SAKHQDC,", "3,SA,,SKHQ,")]
    [[3, 0, 0, 0], [2, 0, 1, 0]]
    """
    parts = value.strip().lstrip("0123456789").split(",")
    # A comma after the dealer does not separate hands: then four parts or three whole hands follow.
    if not parts[0].strip() and (len(parts) > 4 or sum(map(_count_cards, parts)) == 39):
        parts = parts[1:]
    if len(parts) > 4 and any(part.strip() for part in parts[4:]):
        raise DealError(f"{len(parts)} hands, not 4")
    hands = [0, 0, 0, 0]
    for seat, part in zip(LIN_SEATS, parts, strict=False):
        hands[seat] = parse_lin_hand(part, PLAYERS[seat])
    return hands


def _count_cards(text: str) -> int:
    """Return the number of cards in the text of a hand."""
    return sum(letter in RANKS for letter in text.upper().replace("10", "T"))


def _find_dealer(text: str) -> int:
    """Return the dealer in a value of `md`; -1 if unknown."""
    return LIN_SEATS[int(text[0]) - 1] if text[:1] in ("1", "2", "3", "4") else -1


def _parse_deals(values: list[str]) -> tuple[np.ndarray, dict[int, str]]:
    """Return the hands, uint64 [n, 4], of values of `md`, and why rows are not a whole deal."""
    texts = []
    for value in values:
        text = value.lstrip("1234")
        # Three hands are given, and the last one gets the other cards. Values that BBO would write in another
        # way get no text, and are parsed one by one.
        texts.append(
            f"S:{text.translate(_TO_PBN)}{'' if text[-1:] != ',' else '...'}"
            if _HANDS.fullmatch(text)
            else ""
        )
    return parse_deals(texts, lambda row: parse_deal(values[row])[1], completes=True)


def parse_lin_hand(text: str, name: str) -> int:
    """Return the hand of a text such as ``SAKQH2DT98C``, with suits and ranks in any order."""
    text = "".join(text.split()).upper().replace("10", "T").replace("-", "").replace(".", "")
    if text and text[0] not in SUIT_LETTERS:
        raise DealError(f"the hand of {name} does not begin with a suit: {quote(text, 40)}")
    hand = 0
    for suit, ranks in _HAND.findall(text):
        for rank in ranks:
            if rank not in RANKS:
                raise DealError(f"unknown card {suit}{rank} in the hand of {name}")
            bit = card_bit(SUIT_LETTERS.index(suit), RANKS.index(rank))
            if hand & bit:
                raise DealError(f"{suit}{rank} is twice in the hand of {name}")
            hand |= bit
    return hand


@dataclass(slots=True)
class _Heading:
    """The heading of a set of boards: the fields of `vg`, and the results of all its boards."""

    fields: list[str] = field(default_factory=lambda: [""] * 9)
    results: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Draft:
    """The values of a board while it is read."""

    line: int = 1
    values: dict[str, str] = field(default_factory=dict)  # of the tags _VALUES
    calls: list[tuple[str, str]] = field(default_factory=list)  # each with its note
    cards: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    heading: _Heading = field(default_factory=lambda: _Heading())

    def ends_before(self, tag: str) -> bool:
        """Return whether a tag begins the next board."""
        if tag == "qx":
            return bool(self.values or self.calls or self.cards)
        if "md" not in self.values:
            return False
        if tag == "pn" and (self.calls or self.cards):
            return True
        return tag in ("md", "vg") or (tag in ("pn", "ah") and tag in self.values)

    def add(self, tag: str, value: str) -> None:
        """Add a call, an explanation, a card or a comment to the board."""
        if tag == "mb":
            self.calls += [(call, ALERT if alerted else "") for call, alerted in parse_calls(value)]
        elif tag == "an" and value and self.calls:
            call, note = self.calls[-1]
            self.calls[-1] = (call, format_note(value, split_note(note)[1]))
        elif tag == "pc":
            self.cards.append(parse_card(value))
        elif tag == "nt" and value:
            self.comments.append(value)


def _parse_boards(
    text: str, remarks: list[tuple[int, str]] | None, bar: ProgressBar
) -> tuple[list[Board], list[tuple[int, str]]]:
    """Return the boards of a text; see `parse_lin`."""
    # Collect drafts of boards, with players and the deal of the open room.
    drafts = track_items(_collect_drafts(split_tags(text)), text.count("md|"), "boards", bar, TAGS_SHARE)
    found = list(_complete_drafts(drafts))
    values = [draft.values.get("md", "").strip() for draft, _, _ in found]
    hands, faults = _parse_deals(values)
    # Turn drafts into boards.
    boards, skipped = [], []
    for row, (draft, room, qx_number) in enumerate(track_items(found, len(found), "boards", bar)):
        if row in faults:
            skipped.append((draft.line, faults[row]))
            continue
        board = _build_board(draft, hands[row].tolist(), _find_dealer(values[row]), room, qx_number)
        if board.vulnerable < 0 and draft.values.get("sv") and remarks is not None:
            remarks.append((draft.line, f"unknown vulnerability {draft.values['sv'][:30]!r}"))
        boards.append(board)
    return boards, skipped


def read_partial_boards(text: str) -> Iterator[PartialBoard]:
    """Yield the boards of a text with what is known about their hands.

    >>> (partial,) = read_partial_boards("ah|Board 7|md|3SAKQJHT98D5432C32,,,|sv|b|nt|Plan the auction.|")
    >>> board = partial.board
    >>> board.board, board.dealer, board.vulnerable, board.texts["comment"]
    (7, 0, 3, 'Plan the auction.')
    >>> [hand.bit_count() for hand in partial.read_hands()]
    [0, 0, 13, 0]
    """
    for draft, room, qx_number in _complete_drafts(_collect_drafts(split_tags(decode_address(text)))):
        value = draft.values.get("md", "")
        board = _build_board(draft, (), _find_dealer(value.strip()), room, qx_number)
        yield PartialBoard(draft.line, board, partial(parse_hands, value))


def _collect_drafts(tags: Iterable[tuple[str, str, int]]) -> Iterator[_Draft]:
    """Yield drafts of boards from tags; a draft has the line of its deal, and the last heading before it."""
    draft = _Draft()
    for tag, value, line in tags:
        if tag in _BEGINNINGS and draft.ends_before(tag):
            yield draft
            draft = _Draft(line, heading=draft.heading)
        if tag == "md" or (tag == "qx" and not draft.values):
            draft.line = line
        if tag == "vg":
            draft.heading = _Heading([text.strip() for text in value.split(",")] + [""] * 9)
        elif tag == "rs":
            draft.heading.results += value.split(",")
        elif tag in _VALUES:
            draft.values[tag] = value
        elif tag in _CONTENT:
            draft.add(tag, value)
    yield draft


def _complete_drafts(drafts: Iterable[_Draft]) -> Iterator[tuple[_Draft, str, int]]:
    """Yield drafts of boards with the room and the number in `qx`; a heading alone is not a board.

    Names of players may be given once for a set. The closed room of a match has no `md`, because its deal is
    that of the open room.
    """
    players = ""
    open_room: dict[int, dict[str, str]] = {}  # deal and vulnerability by the number of the board
    for draft in drafts:
        values = draft.values
        players = values.get("pn") or players
        if "qx" in values:
            values["pn"] = players
        room, number = _read_room(values.get("qx", ""))
        if "md" in values and number > 0:
            open_room[number] = {tag: values[tag] for tag in ("md", "sv") if tag in values}
        elif room == "Closed" and (draft.calls or draft.cards):
            draft.values = values = open_room.get(number, {}) | values
        if "md" in values or "qx" in values or draft.calls or draft.cards:
            yield draft, room, number


def decode_address(text: str) -> str:
    """Return the LIN in addresses of BBO's hand viewer; other text is unchanged.

    >>> decode_address("https://www.bridgebase.com/tools/handviewer.html?bbo=y&lin=st%7C%7Cah%7CBoard+7%7C")
    'st||ah|Board 7|'
    """
    if addresses := _URL.findall(text):
        return "\n".join(unquote_plus(address, errors="replace") for address in addresses)
    if "|" not in text and "%7c" in text.lower():
        return unquote_plus(text, errors="replace")
    return text


def split_tags(text: str) -> Iterator[tuple[str, str, int]]:
    r"""Yield each tag in lower case, with its value and its line.

    A piece that cannot be a tag is skipped, so that a bar in a value spoils only one value.

    >>> list(split_tags("qx|o1|nt|a|b c|MB|p|\npg||"))
    [('qx', 'o1', 1), ('nt', 'a', 1), ('mb', 'p', 1), ('pg', '', 2)]
    """
    top = _REMARKS.match(text)  # lines that other programs wrote
    first = top.end() if top else 0
    line = 1 + text.count("\n", 0, first)
    # Pieces are alternately tags and values, except those that cannot be a tag.
    pieces = text[first:].split("|")
    position = 0
    last = len(pieces) - 1
    while position < last:
        tag = pieces[position]
        position += 1
        begin = line
        if tag not in _KNOWN_TAGS:  # there may be white space around the tag, or it is unknown
            piece, tag = tag, tag.strip()
            begin += piece[: len(piece) - len(piece.lstrip())].count("\n")
            line += piece.count("\n")
            if not _TAG.fullmatch(tag):
                continue
            tag = tag.lower()
        value = pieces[position]
        if "\n" in value:
            if value[0] == "\n" and value.strip().lower() in _KNOWN_TAGS:
                value = ""  # the line ends after the tag
                position -= 1
            else:
                line += value.count("\n")
        position += 1
        yield tag, value.strip(), begin


def _build_board(draft: _Draft, hands: Sequence[int], dealer: int, room: str, qx_number: int) -> Board:
    """Return the board of a draft."""
    values = draft.values
    heading = values.get("ah", "")
    # Add players, comments, and a heading if it is more than the number.
    board = Board(hands, *_find_details(values, dealer, qx_number))
    for seat, name in zip(LIN_SEATS, _split_players(values.get("pn", ""), room == "Closed"), strict=True):
        board.texts[PLAYERS[seat]] = name
    board.texts["comment"] = "\n".join(draft.comments)
    if heading and not _BOARD.fullmatch(heading):
        board.tags.append(["ah", heading])
    if room:
        board.tags.append(["Room", room])
    # Add what follows from the set, the calls and the cards; the result needs all three.
    _add_heading(board, draft.heading.fields)
    _add_auction(board, draft)
    _add_play(board, draft, qx_number)
    return board


def _find_details(values: Mapping[str, str], dealer: int, qx_number: int) -> tuple[int, int, int]:
    """Return number, dealer and vulnerability of a board, -1 if unknown; the number may give the dealer."""
    # The number in the heading, `ah`, takes precedence over that in `qx`.
    digits = _NUMBER.search(values.get("ah", ""))
    number = int(digits[0]) if digits else qx_number
    if dealer < 0 and number > 0:
        dealer = board_dealer(number)
    return number, dealer, _VULNERABLE.get(values.get("sv", "").lower(), -1)


def _read_room(value: str) -> tuple[str, int]:
    """Return the room and the number of a value of `qx`, such as ``o7,a text``; "" and -1 if unknown."""
    match = _ROOM.match(value.strip())
    if match is None:
        return "", -1
    return ("Closed" if match[1].lower() == "c" else ""), int(match[2])


@lru_cache(maxsize=256)
def _split_players(value: str, is_closed: bool) -> list[str]:
    """Return the names of south, west, north and east; those of the open room come first in the value."""
    names = [name.strip() for name in value.split(",")] + [""] * 8
    return names[4:8] if is_closed and any(names[4:8]) else names[:4]


def _add_heading(board: Board, fields: list[str]) -> None:
    """Add what the heading of a set says: title, segment, scoring, teams."""
    if not any(fields):
        return
    scoring = _SCORING.get(fields[2].lower(), fields[2])
    for name, text in zip(
        ("Event", "Stage", "Scoring", "HomeTeam", "VisitTeam"),
        (*fields[:2], scoring, fields[5], fields[7]),
        strict=True,
    ):
        if text:
            board.tags.append([name, text])


def _add_auction(board: Board, draft: _Draft) -> None:
    """Add the auction, with alerts and explanations as notes."""
    if not draft.calls:
        board.texts |= dict.fromkeys(("auction", "auction_notes", "contract", "declarer"), "")
        return
    # Write the calls; a call with an alert or explanation refers to a note by its number.
    words: list[str] = []
    notes: list[str] = []
    names = [name for name, _ in draft.calls]
    for number, (name, note) in enumerate(draft.calls):
        words += [name] if name != "AP" else ["Pass"] * count_passes(names[:number])
        if note:
            notes.append(f"{len(notes) + 1}:{note}")
            words[-1] += f"={len(notes)}="
    board.texts["auction"] = " ".join(words)
    board.texts["auction_notes"] = "\n".join(notes)
    # Find the contract from the calls.
    calls = [word.partition("=")[0] for word in words]
    contract, declarer = find_contract(calls, board.dealer, played=bool(draft.cards))
    board.texts["contract"], board.texts["declarer"] = contract, declarer


def _add_play(board: Board, draft: _Draft, qx_number: int) -> None:
    """Add the cards that were played, and declarer's tricks as claimed, counted or in the heading."""
    # After a card that cannot be read, the order of the cards is unknown.
    if -1 in draft.cards:
        del draft.cards[draft.cards.index(-1) :]
    cards, texts = draft.cards, board.texts
    texts["play"] = " ".join(map(name_card, cards))
    texts["lead"] = name_card(cards[0]) if cards else ""
    # The result is the claim or, if all 13 tricks were played, the count; otherwise that in the heading.
    declarer = SEAT_LETTERS.index(texts["declarer"]) if texts["declarer"] else -1
    claimed = draft.values.get("mc", "")
    if _TRICKS.fullmatch(claimed):
        texts["result"] = claimed
    elif play := play_contract(board.hands, texts["contract"], declarer, cards):
        if play.is_complete:
            texts["result"] = str(play.tricks[declarer % 2])
    if not texts["contract"] or not texts.get("result"):
        _add_result(board, draft.heading, qx_number)


def _add_result(board: Board, heading: _Heading, qx_number: int) -> None:
    """Add contract, declarer and result from the results in the heading of a set."""
    # A heading has two results for each board from its first number on, of the open and the closed room.
    if not heading.results:
        return
    first = int(heading.fields[3]) if re.fullmatch(r"\d{1,9}", heading.fields[3]) else 1
    place = 2 * (qx_number - first) + (board.find_tag("Room") == "Closed")
    if qx_number < 0 or not 0 <= place < len(heading.results):
        return
    text = "".join(heading.results[place].split())
    match = _RESULT.fullmatch(text)
    if match is None:
        if text.lower() in ("pass", "p") and not board.texts["contract"]:
            board.texts["contract"] = "Pass"
        return
    level, strain = match[1], match[2]
    contract = f"{level}{'NT' if strain[0] in 'nN' else strain.upper()}{(match[3] or match[5]).upper()}"
    declarer = match[4].upper()
    if board.texts["contract"] not in ("", contract) or board.texts["declarer"] not in ("", declarer):
        return
    tricks = int(level) + 6 + (0 if match[6] == "=" else int(match[6]))
    if 0 <= tricks <= 13:
        board.texts |= {"contract": contract, "declarer": declarer, "result": str(tricks)}


def recognise_lin(head: bytes) -> bool:
    """Return whether a file begins as LIN.

    >>> recognise_lin(b"pn|a,b,c,d|st||md|3S..."), recognise_lin(b"pn|a,b,"), recognise_lin(b"[Event x|y|]")
    (True, True, False)
    """
    text = read_head(head)
    if _URL.search(text) and ("%7c" in text.lower() or "|" in text):
        return True
    text = decode_address(text)
    begin = text.lstrip("\ufeff \n\t")[:3].lower()
    if begin[:1] in ("[", "{", "<"):
        return False
    if begin == "pn|":
        return True  # names may be longer than the head
    pairs = [(tag, value) for tag, value, _ in split_tags(text)]
    if any(tag == "md" and _DEAL.match(value) for tag, value in pairs):
        return True
    return bool(pairs) and pairs[0][0] in _KNOWN_TAGS and bool({"md", "qx", "vg"} & {tag for tag, _ in pairs})


# ---------------------------------------------------------------- writing
def write_lin(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write deals and what is known about the boards as LIN.

    LIN cannot express an unknown dealer, so that of the board's number is written, or north. Contract and
    declarer follow from the auction. Contracts and results of boards without an auction are written to the
    heading of a team match, if all boards have different numbers.

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
    # LIN needs a dealer: that of the board's number (1 north, 2 east ...) or, without a number, north.
    texts, number = board.texts, board.board
    dealer = board.dealer if board.dealer >= 0 else (number - 1) % 4 if number > 0 else 0
    # The last hand of a whole deal is left out; in a partial deal, an unknown hand is empty.
    hands = [format_lin_hand(board.hands[seat]) if board.hands[seat] else "" for seat in LIN_SEATS]
    if sum(hand.bit_count() for hand in board.hands) == 52:
        hands[3] = ""
    room = "c" if board.find_tag("Room") == "Closed" else "o"
    heading = f"Board {number}" if number >= 0 else board.find_tag("ah")
    names = ",".join([_clean(texts[name]).replace(",", " ") if texts.get(name) else "" for name in _NAMES])
    # Write room and number, players, deal, heading, vulnerability, calls, cards and comments.
    pairs = [("qx", f"{room}{number}")] if number >= 0 else []
    pairs += [
        ("pn", names),
        ("st", ""),
        ("md", f"{LIN_SEATS.index(dealer) + 1}{','.join(hands)}"),
        ("rh", ""),
    ]
    pairs += [("ah", _clean(heading))] if heading else []
    pairs += [("sv", _VULNERABLE_LETTERS[board.vulnerable])] if board.vulnerable >= 0 else []
    if calls := _read_calls(board):
        pairs += _list_calls(board, calls) + _list_cards(board, calls, dealer)
    pairs += [("nt", _clean(line)) for line in texts.get("comment", "").splitlines() if line.strip()]
    return "".join([f"{tag}|{value}|" for tag, value in pairs]) + "pg||"


def format_results(deals: DealSupply) -> str:
    """Return the heading of a team match with the results in both rooms; "" if it is not needed."""
    texts = getattr(deals, "texts", {})
    if not any(texts.get("contract", ())):
        return ""
    # Results are in a list from the first to the last number, so all boards must have different places.
    boards = list(split_boards(deals))
    places = [2 * board.board + (board.find_tag("Room") == "Closed") for board in boards]
    first, last = min(places) // 2, max(places) // 2
    is_known = first > 0 and last - first < _MAX_RESULTS and len(set(places)) == len(places)
    has_results = any(_name_result(board) and not _read_calls(board) for board in boards)
    if not is_known or not has_results:
        return ""
    # List the open and the closed room of each number; rooms without a board are empty.
    results = [""] * (2 * (last - first + 1))
    for place, board in zip(places, boards, strict=True):
        results[place - 2 * first] = _name_result(board)
    return f"vg|,,,{first},{last},,,,|rs|{','.join(results)}|"


def _name_result(board: Board) -> str:
    """Return contract, declarer and result in the form of a heading, such as 4SN+1; "" if unknown."""
    texts = {name: str(board.texts.get(name, "")).strip() for name in ("contract", "declarer", "result")}
    if texts["contract"].lower() == "pass":
        return "PASS"
    contract = re.fullmatch(r"([1-7])(NT?|[SHDC])(X{0,2})", texts["contract"], re.IGNORECASE)
    declarer = seat_of(texts["declarer"])
    tricks = count_tricks(texts["result"], texts["contract"], texts["declarer"])
    if not contract or declarer < 0 or tricks is None:
        return ""
    overtricks = tricks - 6 - int(contract[1])  # negative: down
    name = f"{contract[1]}{contract[2][0].upper()}{SEAT_LETTERS[declarer]}{contract[3].lower()}"
    return name + (f"{overtricks:+d}" if overtricks else "=")


def _clean(text: str) -> str:
    """Return a text without bars, line ends and characters that cannot be written."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return _UNSAFE.sub(" ", text).strip()


def _read_calls(board: Board) -> list[tuple[str, int]]:
    """Return the calls of a board with their notes; none if the auction does not begin with the dealer."""
    text = board.texts.get("auction", "")
    return [] if text.lstrip().startswith("-") else read_auction(text)


def _list_calls(board: Board, calls: list[tuple[str, int]]) -> list[tuple[str, str]]:
    """Return the tags of the auction; the explanation of a call follows it."""
    notes = board.texts.get("auction_notes", "").split("\n")
    explained = dict(note.split(":", 1) for note in notes if ":" in note)
    pairs = []
    for call, number in calls:
        note = _clean(explained.get(str(number), "")) if number else ""
        text = _CALLS.get(call) or call[:2]
        explanation, is_alerted = split_note(note)
        pairs.append(("mb", text + ("!" if is_alerted else "")))
        if explanation:
            pairs.append(("an", explanation))
    return pairs


def _list_cards(board: Board, calls: list[tuple[str, int]], dealer: int) -> list[tuple[str, str]]:
    """Return the tags of the play, and declarer's tricks if they do not follow from the cards."""
    # Write the cards in the order of play, with a page for each trick.
    cards = [parse_card(card) for card in board.texts.get("play", "").split()]
    contract, seat = find_contract([call for call, _ in calls], dealer, played=bool(cards))
    declarer = SEAT_LETTERS.index(seat) if seat else -1
    play = play_contract(board.hands, contract, declarer, cards, by_seats=True)
    if play is None:
        return []
    pairs = []
    for number, card in enumerate(play.cards):
        pairs += [("pg", "")] if number % 4 == 0 else []
        pairs.append(("pc", name_card(card)))
    # If the result of the board does not follow from the cards, it is a claim.
    result = count_tricks(board.texts.get("result", ""), contract, SEAT_LETTERS[declarer])
    if result is not None and not (play.is_complete and result == play.tricks[declarer % 2]):
        pairs += [("pg", ""), ("mc", str(result))]
    return pairs


FORMAT = Format("lin", (".lin",), recognise_lin, read_lin, write_lin)
