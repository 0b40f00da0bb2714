"""Hands and deals from text: PBN's notation and lines of dealer's printoneline.

The bytes of thousands of lines are parsed at once. If that fails, they are parsed again with their spacing
normalized. If that fails too, each line is parsed by itself to find and describe the mistake.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SEAT_LETTERS, SUIT_LETTERS, card_bit
from dealerkit.errors import DealError

BATCH = 16_384  # lines parsed at once: their bytes fit the cache of a processor

# Separators and seat letters divide a line into fields. A layout is the sequence of these marks, with "x" for
# a seat letter. A field ends with its mark.
PBN_LAYOUT = b"x:... ... ... ...\n"
LINE_LAYOUT = b"x ... x ... x ... x ... \n"
_MARK, _INVALID = 0x4000, 0x2000


@functools.cache
def _byte_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return tables over bytes: the bit of a rank (or _MARK, _INVALID), the mark in layouts, the seat."""
    values, marks = np.full(256, _INVALID, dtype=np.uint16), np.arange(256, dtype=np.uint8)
    seats = np.zeros(256, dtype=np.uint8)
    for bit, rank in enumerate(RANKS):
        values[ord(rank)] = values[ord(rank.lower())] = 1 << bit
    values[np.frombuffer(b".: \nNESWnesw", dtype=np.uint8)] = _MARK
    for seat, letter in enumerate(SEAT_LETTERS):
        for byte in (ord(letter), ord(letter.lower())):
            marks[byte], seats[byte] = ord("x"), seat
    return values, marks, seats


@functools.cache
def _find_marks(layout: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the marks of a layout; the positions of ends of holdings, of other marks, of seat letters."""
    marks = np.frombuffer(layout, dtype=np.uint8)
    dots = np.flatnonzero(marks == ord("."))
    holdings = np.union1d(dots, dots + 1)  # the mark after the third dot of a hand ends its clubs
    return marks, holdings, np.setdiff1d(np.arange(len(layout)), holdings), np.flatnonzero(marks == ord("x"))


def _parse_batch(lines: Sequence[str], layout: bytes) -> np.ndarray | None:
    """Return the deals, uint64 [n, 4], of lines that all have the layout; None if one has not."""
    raw = ("\n".join(lines) + "\n").encode("latin-1", "replace")
    if b"10" in raw:
        raw = raw.replace(b"10", b"T")
    data = np.frombuffer(raw, dtype=np.uint8)
    values_of_bytes, marks_of_bytes, seats_of_bytes = _byte_tables()
    values = values_of_bytes[data]
    ends = np.flatnonzero(values >= _MARK)
    if len(ends) != len(lines) * len(layout):
        return None
    expected, holdings, others, letters = _find_marks(layout)
    marks = data[ends].reshape(len(lines), len(layout))
    if not (marks_of_bytes[marks] == expected).all():
        return None
    starts = np.empty_like(ends)
    starts[0], starts[1:] = 0, ends[:-1] + 1
    fields = np.bitwise_or.reduceat(values, starts) & LANE_MASK  # a field includes its mark, so none is empty
    if not (np.bitwise_count(fields) == ends - starts).all():  # a repeated card gives fewer bits than letters
        return None
    fields = fields.reshape(len(lines), len(layout))
    if fields[:, others].any():
        return None
    hands = np.zeros((len(lines), 4), dtype=np.uint64)
    for suit, shift in enumerate(LANE_SHIFTS):
        hands |= fields[:, holdings[suit::4]].astype(np.uint64) << np.uint64(shift)
    seats = seats_of_bytes[marks[:, letters]]
    if len(letters) == 1:
        seats = (seats + np.arange(4, dtype=np.uint8)) & 3
    elif (np.sort(seats, axis=1) != np.arange(4)).any():
        return None
    if (seats == np.arange(4)).all():
        return hands
    ordered = np.empty_like(hands)
    np.put_along_axis(ordered, seats.astype(np.intp), hands, axis=1)
    return ordered


def _parse(
    lines: Sequence[str],
    layout: bytes,
    normalize: Callable[[str], str],
    parse_single: Callable[[str], object],
) -> np.ndarray:
    """Return deals, uint64 [n, 4]; `normalize` corrects the spacing, `parse_single` raises the errors."""
    hands = np.empty((len(lines), 4), dtype=np.uint64)
    for start in range(0, len(lines), BATCH):
        batch = lines[start : start + BATCH]
        if all(isinstance(line, str) for line in batch):
            parsed = _parse_batch(batch, layout)
            if parsed is None:
                parsed = _parse_batch([normalize(line) for line in batch], layout)
        else:
            parsed = None
        if parsed is None:
            for row, line in enumerate(batch, start):
                try:
                    parse_single(line)
                except DealError as reason:
                    raise DealError(f"deal {row}: {reason}") from None
            raise DealError(f"deals {start} to {start + len(batch) - 1}: not all can be read")
        hands[start : start + len(batch)] = parsed
    return hands


def parse_pbn(texts: Sequence[str]) -> np.ndarray:
    """Return the hands, uint64 [n, 4], of texts like ``N:AKQJ.T98.5432.32 ...``; see `Deals.from_pbn`.

    Whether the hands are whole deals is not checked. A DealError has the index of the first text that cannot
    be read, and the reason.
    """
    return _parse(texts, PBN_LAYOUT, _normalize_pbn, parse_deal)


def parse_lines(lines: Sequence[str]) -> np.ndarray:
    """Return the hands, uint64 [n, 4], of lines of dealer's printoneline; see `Deals.from_lines`.

    Whether the hands are whole deals is not checked. A DealError has the index of the first line that cannot
    be read, and the reason.
    """
    return _parse(lines, LINE_LAYOUT, _normalize_line, parse_line)


def parse_hand(text: str) -> int:
    """Return the hand of a text like ``AKQJ.T98.5432.32``, with any number of cards, or raise a DealError.

    >>> hex(parse_hand("akqj.1098.5432.32"))
    '0x1e0001c0000f0003'
    """
    holdings = text.strip().upper().replace("10", "T").split(".")
    if len(holdings) != 4:
        raise DealError(f"{text!r} has {len(holdings)} suits, not 4 joined by dots")
    hand = 0
    for suit, holding in enumerate(holdings):
        for letter in holding:
            rank = RANKS.find(letter)
            if rank < 0:
                raise DealError(f"{letter!r} in {text!r} is not a card; the cards are {RANKS[::-1]}")
            if hand & card_bit(suit, rank):
                raise DealError(f"{text!r} has {SUIT_LETTERS[suit]}{letter} twice")
            hand |= card_bit(suit, rank)
    return hand


def _check_text(line: object) -> str:
    if not isinstance(line, str):
        raise DealError(f"expected a text, got {line!r}")
    text = " ".join(line.split())
    if not text.isascii():
        raise DealError(f"{next(c for c in text if not c.isascii())!r} in {text!r} is not a card")
    return text


def _normalize_pbn(line: str) -> str:
    return " ".join(line.split()).replace(" :", ":").replace(": ", ":")


def parse_deal(line: object) -> list[int]:
    """Return the four hands of a text in PBN's notation, or raise a DealError with the mistake."""
    text = _normalize_pbn(_check_text(line))
    if len(text) < 2 or text[1] != ":" or text[0].upper() not in SEAT_LETTERS:
        raise DealError(f"{text[:20]!r} does not begin with a seat and a colon, as in 'N:AK32.T98...'")
    hands = text[2:].split(" ")
    if len(hands) != 4:
        raise DealError(f"{len(hands)} hands in {text!r}, not 4 separated by blanks")
    if "-" in hands:
        raise DealError(f"a hand of {text!r} is unknown ('-'); all four are needed")
    first = SEAT_LETTERS.index(text[0].upper())
    parsed = [parse_hand(hand) for hand in hands]
    return parsed[4 - first :] + parsed[: 4 - first]


def _normalize_line(line: str) -> str:
    tokens = line.split()
    if len(tokens) == 9 and _is_number(tokens[8]):
        del tokens[8]
    return " ".join(tokens) + " "


def _is_number(token: str) -> bool:
    return token.lstrip("-").isdigit()


def parse_line(line: object) -> list[int]:
    """Return the four hands of a line, or raise a DealError with the mistake."""
    text = _check_text(line)
    tokens = text.split()
    if not 8 <= len(tokens) <= 9:
        raise DealError(f"{text!r} is not 'n hand e hand s hand w hand'")
    if len(tokens) == 9 and not _is_number(tokens[8]):
        raise DealError(f"{tokens[8]!r} after the four hands is not a number")
    seats = [token.upper() for token in tokens[:8:2]]
    if sorted(seats) != sorted(SEAT_LETTERS):
        raise DealError(f"the seats are {' '.join(tokens[:8:2])!r}, not n e s w")
    hands = dict(zip(seats, tokens[1:8:2], strict=True))
    return [parse_hand(hands[seat]) for seat in SEAT_LETTERS]
