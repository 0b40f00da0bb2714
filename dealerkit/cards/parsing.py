"""Hands and deals from text: PBN's notation and dealer's one-line form.

The bytes of thousands of lines are read at once. Lines with odd spacing are tidied
and read again; only if that fails each is looked at alone, to say what is wrong.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SEAT_LETTERS, SUIT_LETTERS, card_bit
from dealerkit.errors import DealError

BLOCK = 16_384  # lines read at once: their bytes fit the cache of a processor

# In both forms a line is cut by marks: the separators and the seat letters. A form is
# the sequence of its marks, "x" for a seat letter, with the place of the 16 holdings.
PBN_FORM = b"x:... ... ... ...\n"
LINE_FORM = b"x ... x ... x ... x ... \n"
_MARK, _BAD = 0x4000, 0x2000


@functools.cache
def _values() -> np.ndarray:
    """For each byte: the bit of its rank, or what else it is; uint16 [256]."""
    values = np.full(256, _BAD, dtype=np.uint16)
    for bit, rank in enumerate(RANKS):
        values[ord(rank)] = values[ord(rank.lower())] = 1 << bit
    values[np.frombuffer(b".: \nNESWnesw", dtype=np.uint8)] = _MARK
    return values


@functools.cache
def _kinds() -> np.ndarray:
    """For each byte: itself, and "x" for a seat letter; uint8 [256]."""
    kinds = np.arange(256, dtype=np.uint8)
    kinds[np.frombuffer(b"NESWnesw", dtype=np.uint8)] = ord("x")
    return kinds


@functools.cache
def _seats() -> np.ndarray:
    """For each byte that is a seat letter: the seat; uint8 [256]."""
    seats = np.zeros(256, dtype=np.uint8)
    for seat, letter in enumerate(SEAT_LETTERS):
        seats[ord(letter)] = seats[ord(letter.lower())] = seat
    return seats


@functools.cache
def _layout(form: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A form as bytes, and which of its marks end a holding, end nothing, are seat letters."""
    marks = np.frombuffer(form, dtype=np.uint8)
    dots = np.flatnonzero(marks == ord("."))
    holdings = np.union1d(dots, dots + 1)  # what follows the third dot of a hand ends its clubs
    return marks, holdings, np.setdiff1d(np.arange(len(form)), holdings), np.flatnonzero(marks == ord("x"))


def _parse_block(lines: Sequence[str], form: bytes) -> np.ndarray | None:
    """Deals, uint64 [n, 4], of lines that all have the form; None if one has not."""
    raw = ("\n".join(lines) + "\n").encode("latin-1", "replace")
    if b"10" in raw:
        raw = raw.replace(b"10", b"T")
    data = np.frombuffer(raw, dtype=np.uint8)
    values = _values()[data]
    ends = np.flatnonzero(values >= _MARK)
    if len(ends) != len(lines) * len(form):
        return None
    wanted, holdings, others, letters = _layout(form)
    marks = data[ends].reshape(len(lines), len(form))
    if not (_kinds()[marks] == wanted).all():
        return None
    starts = np.empty_like(ends)
    starts[0], starts[1:] = 0, ends[:-1] + 1
    held = np.bitwise_or.reduceat(values, starts) & LANE_MASK  # a piece ends with its mark, so none is empty
    if not (np.bitwise_count(held) == ends - starts).all():  # a card twice leaves fewer bits than letters
        return None
    held = held.reshape(len(lines), len(form))
    if held[:, others].any():
        return None
    words = np.zeros((len(lines), 4), dtype=np.uint64)
    for suit, shift in enumerate(LANE_SHIFTS):
        words |= held[:, holdings[suit::4]].astype(np.uint64) << np.uint64(shift)
    seats = _seats()[marks[:, letters]]
    if len(letters) == 1:
        seats = (seats + np.arange(4, dtype=np.uint8)) & 3
    elif (np.sort(seats, axis=1) != np.arange(4)).any():
        return None
    if (seats == np.arange(4)).all():
        return words
    hands = np.empty_like(words)
    np.put_along_axis(hands, seats.astype(np.intp), words, axis=1)
    return hands


def _parse(lines: Sequence[str], form: bytes, tidy: Callable[[str], str], words: Callable) -> np.ndarray:
    """Deals, uint64 [n, 4], of all lines; `tidy` mends odd spacing, `words` says what is wrong."""
    hands = np.empty((len(lines), 4), dtype=np.uint64)
    for start in range(0, len(lines), BLOCK):
        block = lines[start : start + BLOCK]
        if all(isinstance(line, str) for line in block):
            parsed = _parse_block(block, form)
            if parsed is None:
                parsed = _parse_block([tidy(line) for line in block], form)
        else:
            parsed = None
        if parsed is None:
            for row, line in enumerate(block, start):
                try:
                    words(line)
                except DealError as reason:
                    raise DealError(f"deal {row}: {reason}") from None
            raise DealError(f"deals {start} to {start + len(block) - 1}: not all can be read")
        hands[start : start + len(block)] = parsed
    return hands


def parse_pbn(texts: Sequence[str]) -> np.ndarray:
    """Deals from texts like ``N:AKQJ.T98.5432.32 ...``; the cards are not yet checked against each other.

    Parameters
    ----------
    texts : sequence of str
        First seat any of N E S W, the other hands follow clockwise; any case; T or 10.

    Returns
    -------
    ndarray of uint64 [n, 4]

    Raises
    ------
    DealError
        With the index of the first text that cannot be read, and why.
    """
    return _parse(texts, PBN_FORM, _tidy_pbn, parse_deal)


def parse_lines(lines: Sequence[str]) -> np.ndarray:
    """Deals from lines of dealer's printoneline; the cards are not yet checked against each other.

    Parameters
    ----------
    lines : sequence of str
        ``n AKQJ.T98.5432.32 e ... s ... w ...``, seats in any order. The value that
        ``printoneline(expression)`` adds at the end is left out.

    Returns
    -------
    ndarray of uint64 [n, 4]

    Raises
    ------
    DealError
        With the index of the first line that cannot be read, and why.
    """
    return _parse(lines, LINE_FORM, _tidy_line, _line_words)


def parse_hand(text: str) -> int:
    """One hand from a text like ``AKQJ.T98.5432.32``, of any number of cards.

    Raises
    ------
    DealError
        If it is not four holdings joined by dots.

    Examples
    --------
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


def _text_of(line: object) -> str:
    if not isinstance(line, str):
        raise DealError(f"expected a text, got {line!r}")
    text = " ".join(line.split())
    if not text.isascii():
        raise DealError(f"{next(c for c in text if not c.isascii())!r} in {text!r} is not a card")
    return text


def _tidy_pbn(line: str) -> str:
    return " ".join(line.split()).replace(" :", ":").replace(": ", ":")


def parse_deal(line: object) -> list[int]:
    """The four hands of one text, by plain Python: says what is wrong."""
    text = _tidy_pbn(_text_of(line))
    if len(text) < 2 or text[1] != ":" or text[0].upper() not in SEAT_LETTERS:
        raise DealError(f"{text[:20]!r} does not begin with a seat and a colon, as in 'N:AK32.T98...'")
    hands = text[2:].split(" ")
    if len(hands) != 4:
        raise DealError(f"{len(hands)} hands in {text!r}, not 4 separated by blanks")
    if "-" in hands:
        raise DealError(f"a hand of {text!r} is unknown ('-'); all four are needed")
    first = SEAT_LETTERS.index(text[0].upper())
    words = [parse_hand(hand) for hand in hands]
    return words[4 - first :] + words[: 4 - first]


def _tidy_line(line: str) -> str:
    tokens = line.split()
    if len(tokens) == 9 and _is_number(tokens[8]):
        del tokens[8]
    return " ".join(tokens) + " "


def _is_number(token: str) -> bool:
    return token.lstrip("-").isdigit()


def _line_words(line: object) -> list[int]:
    """The four hands of one line, by plain Python: says what is wrong."""
    text = _text_of(line)
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
