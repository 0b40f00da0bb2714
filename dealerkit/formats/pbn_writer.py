"""Writing deals as PBN 2.1."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.cards.names import SEAT_LETTERS, SEATS, STRAIN_LETTERS
from dealerkit.cards.sequence import DealSequence
from dealerkit.cards.text import format_hands
from dealerkit.errors import ArgumentError, quote
from dealerkit.formats.content import DealSupply, split_deals
from dealerkit.formats.pbn_values import (
    HEX_PLACES,
    arrange_play,
    find_board,
    find_dealer,
    find_vulnerability,
    normalize_contract,
    read_auction,
)
from dealerkit.runtime.files import write_atomically

VULNERABLE = ("None", "NS", "EW", "All", "?")
_DEALERS = (*SEAT_LETTERS, "?")
_MARKS = re.compile(r"[\[\]{};%]")
_HEX_DIGITS = "0123456789abcd*"
_ADDITION = re.compile(r"(?<=[A-Za-z0-9!?])(?==\d+=|[$^])")
_ROWS = [(seat, strain) for seat in (0, 2, 1, 3) for strain in (4, 0, 1, 2, 3)]  # declarers N S E W, NT first
_ROW_HEADS = [f"{SEAT_LETTERS[seat]} {'NT' if k == 4 else STRAIN_LETTERS[k] + ' '} " for seat, k in _ROWS]
_PAR_BATCH = 8192


def write_pbn(deals: DealSupply, path: str | os.PathLike, event: str = "") -> None:
    """Write deals as a PBN file.

    Deals without board numbers are numbered from 1; without dealers or vulnerabilities, they get those of
    their numbers. Tricks of `tables` are written as DoubleDummyTricks and OptimumResultTable, with par.

    Parameters
    ----------
    deals : Deals or Library
    path : str or os.PathLike
        The file appears when it is complete.
    event : str
        Name of the event, for boards that have none.

    Raises
    ------
    ArgumentError
        The event is not a text.
    FileError
        The file cannot be written.
    """
    if not isinstance(event, str):
        raise ArgumentError(f"event is {quote(event)}; it must be a text")
    # A file with only deals is marked as PBN's export format; text beyond ASCII needs a character set.
    texts: Mapping[str, Sequence] = getattr(deals, "texts", {})
    is_plain = not any(map(any, texts.values()))
    with write_atomically(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        is_ascii = event.isascii() and all(_are_ascii(values) for values in texts.values())
        charset = "" if is_ascii else "%Content-type: text/x-pbn; charset=UTF-8\r\n"
        file.write(f"% PBN 2.1\r\n{'% EXPORT' + chr(13) + chr(10) if is_plain else ''}{charset}")
        for rows, part in split_deals(deals):
            chosen = {} if is_plain else {name: list(values[rows]) for name, values in texts.items()}
            file.writelines(_format_part(part, chosen, rows.start, event))


def _are_ascii(values: Sequence) -> bool:
    return all(str(value).isascii() for value in values if value)


def _format_part(
    deals: DealSequence, texts: dict[str, list], first: int, event: str
) -> Iterator[str] | list[str]:
    """Return the boards of some deals."""
    # Take number, dealer and vulnerability from the deals or, without them, from the row and the number.
    attached = deals.attached
    numbers = attached.get("board")
    boards = np.arange(first + 1, first + 1 + len(deals)) if numbers is None else numbers
    boards = np.where(boards > 0, boards, -1)
    board_list = boards.tolist()
    dealers, sides = attached.get("dealer"), attached.get("vulnerable")
    if dealers is None:
        dealers = np.array([find_dealer("", board) for board in board_list], np.int8)
    if sides is None:
        sides = np.array([find_vulnerability(None, board)[0] for board in board_list], np.int8)
    # The first hand is that of the dealer.
    starts = np.maximum(dealers, 0).astype(np.intp)
    order = (starts[:, None] + np.arange(4)) % 4
    rotated = np.take_along_axis(deals.hands, order, axis=1)
    hands = [format_hands(rotated[:, place]) for place in range(4)]
    # Write the lines for the 25 pairs of dealer and vulnerability once.
    heads = [
        f'[Dealer "{dealer}"]\r\n[Vulnerable "{vulnerable}"]\r\n[Deal "{dealer if dealer != "?" else "N"}:'
        for dealer in _DEALERS
        for vulnerable in VULNERABLE
    ]
    codes = (np.where(dealers < 0, 4, dealers).astype(np.intp) * 5 + np.where(sides < 0, 4, sides)).tolist()
    tricks = _format_tricks(attached.get("tables"), dealers, sides)
    # If there are only deals, all boards have the same other lines.
    if not texts and tricks is None:
        start = f'\r\n[Event "{_escape(event) or "?"}"]\r\n[Site "?"]\r\n[Date "?"]\r\n[Board "'
        players = '"]\r\n[West "?"]\r\n[North "?"]\r\n[East "?"]\r\n[South "?"]\r\n'
        end = '"]\r\n[Scoring ""]\r\n[Declarer ""]\r\n[Contract ""]\r\n[Result ""]\r\n'
        names: list = (
            board_list if min(board_list, default=1) > 0 else [n if n > 0 else "?" for n in board_list]
        )
        return [
            f"{start}{name}{players}{heads[code]}{a} {b} {c} {d}{end}"
            for name, code, a, b, c, d in zip(names, codes, *hands, strict=True)
        ]
    deal_texts = [
        f'{heads[code]}{a} {b} {c} {d}"]\r\n' for code, a, b, c, d in zip(codes, *hands, strict=True)
    ]
    return format_boards(board_list, dealers.tolist(), deal_texts, texts, tricks, event)


def format_boards(
    boards: list[int],
    dealers: list[int],
    deal_texts: list[str],
    texts: dict[str, list],
    tricks: list[tuple[dict[str, str], str]] | None,
    event: str,
) -> Iterator[str]:
    """Yield boards with all that is known about them."""
    for row, (board, dealer) in enumerate(zip(boards, dealers, strict=True)):
        # The board's own tags take precedence over computed values.
        known = {name: values[row] for name, values in texts.items() if values[row]}
        tags = _list_tags(known.pop("tags", None))
        own = {tag[0].lower(): tag[1] for tag in tags if len(tag) == 2}
        number = own.get("board", "")
        if (find_board(number) if number else None) != board:
            number = str(board) if board > 0 else number or "?"
        contract, declarer = normalize_contract(known.pop("contract", "")), known.pop("declarer", "")
        # Write the 15 tags that PBN requires, in its order.
        lines = [
            "",
            _tag("Event", own.get("event") or event or "?"),
            _tag("Site", own.get("site", "?")),
            _tag("Date", own.get("date", "?")),
            _tag("Board", number),
            *(_tag(seat.title(), known.pop(seat, "?")) for seat in ("west", "north", "east", "south")),
            deal_texts[row][:-2],
            _tag("Scoring", own.get("scoring", "")),
            _tag("Declarer", _SEAT_LETTERS.get(declarer.lower(), declarer)),
            _tag("Contract", contract),
            _tag("Result", known.pop("result", "")),
        ]
        # Then write tags with a value, those that follow from tricks, the comment, sections, and other texts.
        written = {"event", "site", "date", "board", "scoring"}
        rest = [tag for tag in tags if tag[0].lower() not in written]
        plain, sections = _separate_sections(rest)
        names = {tag[0].lower() for tag in rest}
        computed, table = tricks[row] if tricks else ({}, "")
        computed = {name: value for name, value in computed.items() if name.lower() not in names}
        if "DoubleDummyTricks" in computed:
            lines.append(_tag("DoubleDummyTricks", computed.pop("DoubleDummyTricks")))
        lines += plain
        lines += [_tag(*tag) for tag in computed.items()]
        if comment := known.pop("comment", ""):
            # A line with a tag could be read as the next board.
            comment = comment.replace("}", ")").replace("\n[", "\n [")
            lines.append("{" + comment.replace("\n", "\r\n") + "}")
        lines += _format_auction(known, dealer) + _format_play(known, contract, declarer)
        lines += sections
        if table and "optimumresulttable" not in names:
            lines.append(table)
        lines += [_tag(_make_name(name), str(value)) for name, value in known.items() if name not in _USED]
        yield "\r\n".join(lines) + "\r\n"


_SEAT_LETTERS = {name: letter for name, letter in zip(SEATS, SEAT_LETTERS, strict=True)}
_USED = {*SEATS, "auction", "auction_notes", "play", "play_notes", "lead", "tags"}


def _list_tags(tags: Any) -> list[list[str]]:
    """Return tags, which may be a mapping, as lists of name, value and perhaps rows."""
    if not tags:
        return []
    pairs = tags.items() if isinstance(tags, Mapping) else tags
    return [[_make_name(tag[0]), *map(str, tag[1:])] for tag in pairs]


def _make_name(name: object) -> str:
    """Return the name of a tag with only letters, digits and underscores."""
    return re.sub(r"\W", "_", str(name)) or "_"


def _escape(text: str) -> str:
    r"""Return a text as a value, with a backslash before quotes and before backslashes that would be misread.

    >>> print(_escape('Ann "Q" \\2R'))
    Ann \"Q\" \2R
    """
    if "\\" in text:
        text = re.sub(r'\\(?=["\\]|$)', r"\\\\", text)
    if '"' in text:
        text = text.replace('"', '\\"')
    return " ".join(text.splitlines()) if not text.isprintable() else text


def _tag(name: str, value: str) -> str:
    return f'[{name} "{_escape(value)}"]'


def _format_auction(known: dict[str, Any], dealer: int) -> list[str]:
    """Return the section of the auction, four calls to a line, from the dealer on."""
    text, notes = str(known.get("auction", "")), str(known.get("auction_notes") or "").splitlines()
    try:
        calls = read_auction([text], notes)
    except ValueError:  # keep the text, without marks that would begin a comment or a tag
        calls = _MARKS.sub(" ", text).split()
    if not calls or dealer < 0:
        return []
    calls = [_ADDITION.sub(" ", call) for call in calls]
    rows = [" ".join(calls[start : start + 4]) for start in range(0, len(calls), 4)]
    return [_tag("Auction", SEAT_LETTERS[dealer]), *rows, *_format_notes("\n".join(notes))]


def _format_play(known: dict[str, Any], contract: str, declarer: str) -> list[str]:
    """Return the section of the play, a column for each seat from the opening leader on."""
    cards = str(known.get("play", "") or known.get("lead", "")).split()
    declarer = declarer.strip("^ ").upper()[:1]
    if not cards or not declarer or declarer not in SEAT_LETTERS:
        return []
    leader = (SEAT_LETTERS.index(declarer) + 1) % 4
    arranged = arrange_play(cards, leader, contract)
    if arranged is None:
        return []
    rows = [" ".join(_ADDITION.sub(" ", card) for card in trick) for trick in arranged]
    end = ["*"] if len(cards) < 52 else []
    return [_tag("Play", SEAT_LETTERS[leader]), *rows, *end, *_format_notes(known.get("play_notes"))]


def _format_notes(notes: Any) -> list[str]:
    return [_tag("Note", note) for note in str(notes or "").split("\n") if note]


def _separate_sections(tags: list[list[str]]) -> tuple[list[str], list[str]]:
    """Return the lines of tags with only a value, and those of sections with their notes."""
    plain: list[str] = []
    sections: list[str] = []
    lines = plain
    for tag in tags:
        lines = sections if len(tag) > 2 or (tag[0] == "Note" and lines is sections) else plain
        lines.append(_tag(tag[0], tag[1]))
        if len(tag) > 2:
            lines += tag[2].split("\n")
    return plain, sections


def _format_tricks(
    tables: np.ndarray | None, dealers: np.ndarray, sides: np.ndarray
) -> list[tuple[dict[str, str], str]] | None:
    """Return the tags computed from the tricks of each deal, and its result table."""
    if tables is None or not (tables >= 0).any():
        return None
    # A partly known table has rows only for what is known, and * in DoubleDummyTricks.
    scores = _compute_par(tables, dealers, sides)
    result = []
    for table, score in zip(tables.tolist(), scores, strict=True):
        tags = {}
        rows = [
            f"{head}{table[strain][seat]:2d}"
            for head, (seat, strain) in zip(_ROW_HEADS, _ROWS, strict=True)
            if table[strain][seat] >= 0
        ]
        if rows:
            tags["DoubleDummyTricks"] = "".join(
                _HEX_DIGITS[table[strain][seat]] for strain, seat in HEX_PLACES
            )
        if score:
            tags["OptimumScore"] = score
        text = "\r\n".join(['[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]', *rows])
        result.append((tags, text if rows else ""))
    return result


def _compute_par(tables: np.ndarray, dealers: np.ndarray, sides: np.ndarray) -> list[str]:
    """Return OptimumScore of each table; "" if the table, dealer or vulnerability is unknown."""
    from dealerkit.doubledummy.par import par

    texts = [""] * len(tables)
    complete = np.flatnonzero((tables >= 0).all(axis=(1, 2)) & (sides >= 0) & (dealers >= 0))
    for start in range(0, len(complete), _PAR_BATCH):
        rows = complete[start : start + _PAR_BATCH]
        points = par(tables[rows], sides[rows], dealers[rows]).score
        for row, value in zip(rows.tolist(), points.tolist(), strict=True):
            texts[row] = f"NS {value}"
    return texts
