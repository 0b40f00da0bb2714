"""Hands and deals to and from text: PBN, lines of dealer's printoneline, diagrams, faulty deals.

Parsing reads the bytes of thousands of lines at once. If that fails, they are parsed again with normalized
spacing. If that fails too, each line is parsed by itself to find and describe the mistake. For writing, the
text of a holding is read from a table of 8192 strings.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence

import numpy as np

from dealerkit.cards.names import (
    FULL_DECK,
    LANE_MASK,
    LANE_SHIFTS,
    MISSING,
    RANKS,
    SEAT_LETTERS,
    SEATS,
    SUIT_LETTERS,
    VULNERABILITIES,
    card_bit,
)
from dealerkit.errors import DealError

BATCH = 16_384  # lines to parse, or hands to write, at once; their bytes fit the processor's cache

# Separators and seat letters divide a line into fields. A layout is the sequence of these marks, with "x" for
# a seat letter. Each field ends with its mark.
PBN_LAYOUT = b"x:... ... ... ...\n"
LINE_LAYOUT = b"x ... x ... x ... x ... \n"
_MARK, _INVALID = 0x4000, 0x2000
_FEW = 16  # number of lines that are parsed one by one when they cannot be read together


@functools.cache
def _byte_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return tables over bytes: the bit of a rank (or _MARK, _INVALID), the mark in layouts, and the seat."""
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
    """Return the marks of a layout, and the positions of holding ends, other marks and seat letters."""
    marks = np.frombuffer(layout, dtype=np.uint8)
    dots = np.flatnonzero(marks == ord("."))
    holdings = np.union1d(dots, dots + 1)  # the mark after the third dot of a hand ends the clubs
    return marks, holdings, np.setdiff1d(np.arange(len(layout)), holdings), np.flatnonzero(marks == ord("x"))


def _parse_batch(lines: Sequence[str], layout: bytes) -> np.ndarray | None:
    """Return the deals, uint64 [n, 4], of lines that all have the layout; None if one line does not."""
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
    fields = np.bitwise_or.reduceat(values, starts) & LANE_MASK  # with its mark, no field is empty
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
    """Parse deals, uint64 [n, 4]; `normalize` corrects the spacing, and `parse_single` raises errors."""
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

    Whether the hands form whole deals is not checked. A DealError gives the index of the first text that
    cannot be read, and the reason.
    """
    return _parse(texts, PBN_LAYOUT, _normalize_pbn, parse_deal)


def parse_regular_pbn(texts: Sequence[str]) -> tuple[np.ndarray, list[int]]:
    """Return the hands, uint64 [n, 4], of texts as for `parse_pbn`, and the rows that were not read.

    Rows next to an unreadable one may be among the latter; their hands are 0.

    >>> deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    >>> hands, unread = parse_regular_pbn([deal] * 40 + ["-"])
    >>> len(hands), min(unread) > 0, unread[-1]
    (41, True, 40)
    """
    hands = np.zeros((len(texts), 4), dtype=np.uint64)
    unread: list[int] = []
    # A batch that cannot be read is divided until only a few texts are left.
    spans = [(start, min(start + BATCH, len(texts))) for start in range(0, len(texts), BATCH)]
    while spans:
        start, stop = spans.pop()
        batch = texts[start:stop]
        parsed = _parse_batch(batch, PBN_LAYOUT)
        if parsed is not None:
            hands[start:stop] = parsed
        elif stop - start <= _FEW:
            unread += range(start, stop)
        else:
            middle = (start + stop) // 2
            spans += [(start, middle), (middle, stop)]
    return hands, sorted(unread)


def parse_lines(lines: Sequence[str]) -> np.ndarray:
    """Return the hands, uint64 [n, 4], of lines of dealer's printoneline; see `Deals.from_lines`.

    Whether the hands form whole deals is not checked. A DealError gives the index of the first line that
    cannot be read, and the reason.
    """
    return _parse(lines, LINE_LAYOUT, _normalize_line, parse_line)


def parse_hand(text: str) -> int:
    """Return the hand of a text like ``AKQJ.T98.5432.32``, with any number of cards, or raise DealError.

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
    """Return the four hands of a PBN text, or raise DealError with the mistake."""
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
    """Return the four hands of a line, or raise DealError with the mistake."""
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


SUIT_SYMBOLS = "♠♥♦♣"
_TO_LETTERS = str.maketrans(SUIT_SYMBOLS, SUIT_LETTERS, "\ufe0e\ufe0f")  # without variation selectors
LIN_SEATS = (2, 3, 0, 1)  # the first digit of a LIN deal, minus one, is an index into this


def replace_symbols(text: str) -> str:
    """Return a text with suit letters instead of suit symbols.

    >>> replace_symbols("♠10 ♥\ufe0fK")
    'S10 HK'
    """
    return text.translate(_TO_LETTERS)


_NAMED_SUITS = re.compile("S:?([^SHDC]*)H:?([^SHDC]*)D:?([^SHDC]*)C:?([^SHDC]*)", re.IGNORECASE)
_WORD_VOID = re.compile(r"\bvoid\b", re.IGNORECASE)
VOIDS = ("-", "--", "–", "—", "VOID")


def split_suits(text: str) -> list[str]:
    """Return the texts of the suits of a hand as people write it, with "-" for a void that has a sign.

    Suits are separated by dots, blanks or commas, or follow the letters or symbols of the four suits.

    >>> split_suits("S KJ7432 H Q9832 D void C J6"), split_suits("KJ74, Q93, —, T8562")
    (['KJ7432', 'Q9832', '-', 'J6'], ['KJ74', 'Q93', '-', 'T8562'])
    """
    text = _WORD_VOID.sub("-", replace_symbols(text))
    if named := _NAMED_SUITS.fullmatch("".join(text.split())):
        suits: Sequence[str] = [suit.strip(",.") for suit in named.groups()]
    else:
        suits = text.split(".") if "." in text else text.replace(",", " ").split()
    return ["-" if suit.strip().upper() in VOIDS else suit.strip() for suit in suits]


def read_hand(text: str) -> int:
    """Return the hand of a text in any form of `split_suits`, with any number of cards, or raise DealError.

    >>> read_hand("♠ KJ74 ♥ Q93 ♦ — ♣ T86542") == parse_hand("KJ74.Q93..T86542")
    True
    """
    return parse_hand(".".join("" if suit == "-" else suit for suit in split_suits(text)))


@functools.cache
def holding_texts() -> np.ndarray:
    """Return the text of each holding, highest card first: str objects [8192].

    >>> holding_texts()[0b1_1010_0000_0001]
    'AKJ2'
    """
    texts = [""]
    for rank in RANKS:  # each rank comes before all texts of lower cards
        texts += [rank + lower for lower in texts]
    return np.array(texts, dtype=object)


def split_lanes(hands: np.ndarray) -> np.ndarray:
    """Return the four holdings of hands, uint64 [...]: uint16 [..., 4], spades first.

    >>> split_lanes(np.array([0x1000_0000_0001_0003], dtype=np.uint64)).tolist()
    [[4096, 0, 1, 3]]
    """
    words = np.ascontiguousarray(hands, dtype="<u8")
    return words.view("<u2").reshape(*words.shape, 4)[..., ::-1]


def format_hand(hand: int) -> str:
    """Return the text of a hand, suits separated by dots.

    >>> format_hand(0x1E00_01C0_000F_0003)
    'AKQJ.T98.5432.32'
    """
    table = holding_texts()
    return ".".join([table[(hand >> shift) & LANE_MASK] for shift in LANE_SHIFTS])


def format_hands(hands: np.ndarray) -> list[str]:
    """Return the texts of hands, uint64 [n], such as ``AKQJ.T98.5432.32``.

    >>> format_hands(np.array([0x1E00_01C0_000F_0003], dtype=np.uint64))
    ['AKQJ.T98.5432.32']
    """
    texts: list[str] = []
    for start in range(0, len(hands), BATCH):
        columns = holding_texts()[split_lanes(hands[start : start + BATCH])].T.tolist()
        texts += [f"{s}.{h}.{d}.{c}" for s, h, d, c in zip(*columns, strict=True)]
    return texts


def format_pbn(hands: np.ndarray) -> list[str]:
    """Return deals, uint64 [n, 4], as PBN texts in the notation of the Deal tag, north first.

    The notation is section 3.4.11 of the PBN 2.1 standard; a void is empty.
    """
    columns = [format_hands(hands[:, seat]) for seat in range(4)]
    return [f"N:{n} {e} {s} {w}" for n, e, s, w in zip(*columns, strict=True)]


def format_lines(hands: np.ndarray) -> list[str]:
    """Return deals, uint64 [n, 4], as dealer's printoneline prints them, with the trailing blank."""
    columns = [format_hands(hands[:, seat]) for seat in range(4)]
    return [f"n {n} e {e} s {s} w {w} " for n, e, s, w in zip(*columns, strict=True)]


def format_lin_hand(hand: int) -> str:
    """Return a hand as LIN writes it: all four suits, ranks rising.

    >>> format_lin_hand(0x1E00_01C0_000F_0003)
    'SJQKAH89TD2345C23'
    """
    table = _rising_texts()
    return "".join(
        [
            letter + table[(hand >> shift) & LANE_MASK]
            for letter, shift in zip(SUIT_LETTERS, LANE_SHIFTS, strict=True)
        ]
    )


@functools.cache
def _rising_texts() -> list[str]:
    """Return the text of each holding, lowest card first."""
    return [text[::-1] for text in holding_texts().tolist()]


def format_lin(
    hands: Sequence[int], vulnerable: int | None = None, dealer: int | None = None, board: int | None = None
) -> str:
    """Return a deal as a line of LIN, which Bridge Base Online can load; an unknown dealer is north.

    >>> format_lin([0x1FFF << shift for shift in (48, 32, 16, 0)], 1, 0, 7).partition("|md|")[2][:17]
    '3SHD23456789TJQKA'
    """
    first = "" if board is None else f"qx|o{board}|"
    sides = "" if vulnerable is None else f"sv|{'oneb'[vulnerable]}|"
    cards = ",".join(format_lin_hand(hands[seat]) for seat in LIN_SEATS[:3])
    return f"{first}md|{LIN_SEATS.index(dealer or 0) + 1}{cards},|{sides}pg||"


def format_heading(vulnerable: int | None, dealer: int | None, board: int | None) -> list[str]:
    """Return the lines above a diagram: board, dealer and vulnerability, as far as they are known.

    >>> format_heading(1, 2, 7)
    ['Board 7', 'Dealer south', 'Vul NS']
    """
    lines = []
    if board is not None:
        lines.append(f"Board {board}")
    if dealer is not None:
        lines.append(f"Dealer {SEATS[dealer]}")
    if vulnerable is not None:
        name = VULNERABILITIES[vulnerable]
        lines.append(f"Vul {name.upper() if len(name) == 2 else name}")
    return lines


def format_diagram(
    hands: Sequence[int],
    vulnerable: int | None = None,
    dealer: int | None = None,
    board: int | None = None,
    *,
    symbols: bool = True,
) -> str:
    """Return the diagram of four hands: north on top, west and east at the sides, south below.

    Vulnerability, dealer and board are in the upper left corner unless None. Suits are symbols, or the
    letters S H D C with ``symbols=False``.
    """
    texts = [[holding or "-" for holding in format_hand(hand).split(".")] for hand in hands]
    return arrange_diagram(texts, vulnerable, dealer, board, symbols=symbols)


def arrange_diagram(
    texts: Sequence[Sequence[str]],
    vulnerable: int | None = None,
    dealer: int | None = None,
    board: int | None = None,
    *,
    symbols: bool = True,
) -> str:
    """Return a diagram, as `format_diagram` does, from texts [4][4] by seat and suit."""
    marks = SUIT_SYMBOLS if symbols else SUIT_LETTERS
    north, east, south, west = (
        [f"{mark} {holding}" for mark, holding in zip(marks, holdings, strict=True)] for holdings in texts
    )
    corner = format_heading(vulnerable, dealer, board)
    indent = max([12, *(len(line) + 2 for line in [*corner, *west])])
    corner += [""] * (4 - len(corner))
    lines = [f"{note:<{indent}}{row}" for note, row in zip(corner, north, strict=True)]
    lines += [f"{row:<{indent + 12}}{other}" for row, other in zip(west, east, strict=True)]
    lines += [f"{'':<{indent}}{row}" for row in south]
    return "\n".join(lines)


def find_fault(hands: np.ndarray) -> tuple[int, str] | None:
    """Return the index of the first faulty deal among hands, uint64 [n, 4], and a description of its faults.

    The result is None if each deal has 52 different cards, 13 in each hand.
    """
    rows = find_faulty(hands)
    return (int(rows[0]), describe_fault(hands[rows[0]].tolist())) if len(rows) else None


def find_faulty(hands: np.ndarray) -> np.ndarray:
    """Return the rows of hands, uint64 [n, 4], that do not form whole deals.

    >>> find_faulty(np.array([[0x1FFF << shift for shift in LANE_SHIFTS], [0, 0, 0, 0]], np.uint64))
    array([1])
    """
    union = np.bitwise_or.reduce(hands, axis=1)
    return np.flatnonzero((union != np.uint64(FULL_DECK)) | (np.bitwise_count(hands) != 13).any(axis=1))


def describe_holders(hands: Sequence[int]) -> str:
    """Return which card several hands hold, as the end of a sentence; "" if there is none.

    >>> describe_holders([0x1000 << 48, 0x1800 << 48, 0, 0])
    'SA is held by north and east'
    """
    for suit in range(4):
        for rank in range(12, -1, -1):
            holders = [SEATS[seat] for seat in range(4) if hands[seat] & card_bit(suit, rank)]
            if len(holders) > 1:
                return f"{SUIT_LETTERS[suit]}{RANKS[rank]} is held by {' and '.join(holders)}"
    return ""


def describe_fault(hands: Sequence[int]) -> str:
    """Return the fault of four hands, as the end of a sentence; "" if they form a deal.

    >>> describe_fault([0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFE | 1 << 48])
    'S2 is held by north and west; C2 is missing'
    """
    north, east, south, west = hands
    if north | east | south | west == FULL_DECK and all(hand.bit_count() == 13 for hand in hands):
        return ""  # four hands of 13 cards that cover all 52 have no card twice
    if all(hand == MISSING for hand in hands):
        return "the deal is missing"
    reasons = []
    for suit in range(4):
        for rank in range(12, -1, -1):
            card = f"{SUIT_LETTERS[suit]}{RANKS[rank]}"
            holders = [SEATS[seat] for seat in range(4) if hands[seat] & card_bit(suit, rank)]
            if not holders:
                reasons.append(f"{card} is missing")
            elif len(holders) > 1:
                reasons.append(f"{card} is held by {' and '.join(holders)}")
    if any(hand & ~FULL_DECK for hand in hands):
        reasons.append("some bits that are set do not represent a card")
    if len(reasons) > 4:
        reasons[3:] = [f"{len(reasons) - 3} more"]
    sizes = [hand.bit_count() for hand in hands]
    if sizes != [13] * 4:
        wrong = [f"{seat} has {size}" for seat, size in zip(SEATS, sizes, strict=True) if size != 13]
        reasons.append(f"{', '.join(wrong)} cards")
    return "; ".join(reasons)
