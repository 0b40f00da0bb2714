"""Hands and deals as text: PBN, lines of dealer's printoneline, diagrams; descriptions of faulty deals.

The text of a holding is read from a table of 8192 strings. `dealerkit.cards.parsing` parses text.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from dealerkit.cards.names import (
    FULL_DECK,
    LANE_MASK,
    LANE_SHIFTS,
    MISSING,
    RANKS,
    SEATS,
    SUIT_LETTERS,
    VULNERABILITIES,
    card_bit,
)

SUIT_SYMBOLS = "♠♥♦♣"
_TO_LETTERS = str.maketrans(SUIT_SYMBOLS, SUIT_LETTERS, "\ufe0e\ufe0f")  # without variation selectors
LIN_SEATS = (2, 3, 0, 1)  # south, west, north, east; the first digit of a deal, less one, is a place in it
BATCH = 16_384  # hands converted to Python objects at once


def replace_symbols(text: str) -> str:
    """Return a text with the letters of suits in place of their symbols.

    >>> replace_symbols("♠10 ♥\ufe0fK")
    'S10 HK'
    """
    return text.translate(_TO_LETTERS)


@functools.cache
def holding_texts() -> np.ndarray:
    """Return the text of each holding, highest card first: str objects [8192].

    >>> holding_texts()[0b1_1010_0000_0001]
    'AKJ2'
    """
    texts = [""]
    for rank in RANKS:  # each rank precedes all texts of lower cards
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
    """Return deals, uint64 [n, 4], in the notation of PBN's Deal tag, north first.

    The notation is section 3.4.11 of the PBN 2.1 standard; a void is empty.
    """
    columns = [format_hands(hands[:, seat]) for seat in range(4)]
    return [f"N:{n} {e} {s} {w}" for n, e, s, w in zip(*columns, strict=True)]


def format_lines(hands: np.ndarray) -> list[str]:
    """Return deals, uint64 [n, 4], as dealer's printoneline prints them, with the blank at the end."""
    columns = [format_hands(hands[:, seat]) for seat in range(4)]
    return [f"n {n} e {e} s {s} w {w} " for n, e, s, w in zip(*columns, strict=True)]


def format_lin_hand(hand: int) -> str:
    """Return a hand as LIN has it: all four suits, ranks rising.

    >>> format_lin_hand(0x1E00_01C0_000F_0003)
    'SJQKAH89TD2345C23'
    """
    return "".join(
        letter + "".join(rank for bit, rank in enumerate(RANKS) if hand >> shift & 1 << bit)
        for letter, shift in zip(SUIT_LETTERS, LANE_SHIFTS, strict=True)
    )


def format_lin(
    hands: Sequence[int], vulnerable: int | None = None, dealer: int | None = None, board: int | None = None
) -> str:
    """Return a deal as a line of LIN, which Bridge Base Online loads; dealer north if unknown.

    >>> format_lin([0x1FFF << shift for shift in (48, 32, 16, 0)], 1, 0, 7).partition("|md|")[2][:17]
    '3SHD23456789TJQKA'
    """
    first = "" if board is None else f"qx|o{board}|"
    sides = "" if vulnerable is None else f"sv|{'oneb'[vulnerable]}|"
    cards = ",".join(format_lin_hand(hands[seat]) for seat in LIN_SEATS[:3])
    return f"{first}md|{LIN_SEATS.index(dealer or 0) + 1}{cards},|{sides}pg||"


def format_heading(vulnerable: int | None, dealer: int | None, board: int | None) -> list[str]:
    """Return the lines above a diagram: those of board, dealer and vulnerability that are known.

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

    Vulnerability, dealer and board are in the upper left corner unless None. Suits are symbols, or with
    ``symbols=False`` the letters S H D C.
    """
    marks = SUIT_SYMBOLS if symbols else SUIT_LETTERS
    texts = [format_hand(hand).split(".") for hand in hands]
    north, east, south, west = (
        [f"{mark} {holding or '-'}" for mark, holding in zip(marks, holdings, strict=True)]
        for holdings in texts
    )
    corner = format_heading(vulnerable, dealer, board)
    indent = max([12, *(len(line) + 2 for line in [*corner, *west])])
    corner += [""] * (4 - len(corner))
    lines = [f"{note:<{indent}}{row}" for note, row in zip(corner, north, strict=True)]
    lines += [f"{row:<{indent + 12}}{other}" for row, other in zip(west, east, strict=True)]
    lines += [f"{'':<{indent}}{row}" for row in south]
    return "\n".join(lines)


def find_fault(hands: np.ndarray) -> tuple[int, str] | None:
    """Return the index of the first faulty deal of hands, uint64 [n, 4], and a description of its faults.

    The value is None if each deal has 52 different cards, 13 in each hand.
    """
    union = np.bitwise_or.reduce(hands, axis=1)
    wrong = union != np.uint64(FULL_DECK)
    wrong |= (np.bitwise_count(hands) != 13).any(axis=1)
    if not wrong.any():
        return None
    row = int(wrong.argmax())
    return row, describe_fault([int(word) for word in hands[row]])


def describe_fault(hands: Sequence[int]) -> str:
    """Return what is wrong with four hands, as the end of a sentence; "" if they form a deal.

    >>> describe_fault([0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFE | 1 << 48])
    'S2 is held by north and west; C2 is missing'
    """
    north, east, south, west = hands
    if north | east | south | west == FULL_DECK and all(hand.bit_count() == 13 for hand in hands):
        return ""  # four times 13 cards that are all 52: none is twice
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
        reasons.append("bits are set that represent no card")
    if len(reasons) > 4:
        reasons[3:] = [f"{len(reasons) - 3} more"]
    sizes = [hand.bit_count() for hand in hands]
    if sizes != [13] * 4:
        wrong = [f"{seat} has {size}" for seat, size in zip(SEATS, sizes, strict=True) if size != 13]
        reasons.append(f"{', '.join(wrong)} cards")
    return "; ".join(reasons)
