"""Hands and deals as text: holdings, PBN, dealer's one-line form, diagrams; what is wrong with a deal.

Holdings come from a table of 8192 strings. The way back is `dealerkit.cards.parsing`.
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
BLOCK = 16_384  # deals turned into Python objects at once


# ---------------------------------------------------------------- printing
@functools.cache
def holding_texts() -> np.ndarray:
    """The text of each holding, highest card first.

    Returns
    -------
    ndarray of str objects [8192]
        Index: a lane, bit 0 the deuce, bit 12 the ace.

    Examples
    --------
    >>> holding_texts()[0b1_1010_0000_0001]
    'AKJ2'
    """
    texts = [""]
    for rank in RANKS:  # each further card stands before what the lower ones made
        texts += [rank + text for text in texts]
    return np.array(texts, dtype=object)


def lanes(hands: np.ndarray) -> np.ndarray:
    """The holdings of hands.

    Parameters
    ----------
    hands : ndarray of uint64 [...]

    Returns
    -------
    ndarray of uint16 [..., 4], 0 to 8191, spades first

    Examples
    --------
    >>> lanes(np.array([0x1000_0000_0001_0003], dtype=np.uint64)).tolist()
    [[4096, 0, 1, 3]]
    """
    words = np.ascontiguousarray(hands, dtype="<u8")
    return words.view("<u2").reshape(*words.shape, 4)[..., ::-1]


def format_hand(hand: int) -> str:
    """One hand, suits joined by dots.

    >>> format_hand(0x1E00_01C0_000F_0003)
    'AKQJ.T98.5432.32'
    """
    table = holding_texts()
    return ".".join([table[(hand >> shift) & LANE_MASK] for shift in LANE_SHIFTS])


def format_hands(hands: np.ndarray) -> list[str]:
    """Hands, uint64 [n], as texts like ``AKQJ.T98.5432.32``.

    >>> format_hands(np.array([0x1E00_01C0_000F_0003], dtype=np.uint64))
    ['AKQJ.T98.5432.32']
    """
    texts: list[str] = []
    for start in range(0, len(hands), BLOCK):
        columns = holding_texts()[lanes(hands[start : start + BLOCK])].T.tolist()
        texts += [f"{s}.{h}.{d}.{c}" for s, h, d, c in zip(*columns, strict=True)]
    return texts


def format_pbn(hands: np.ndarray) -> list[str]:
    """Deals, uint64 [n, 4], in the notation of PBN's Deal tag, north first.

    The notation is section 3.4.11 of the PBN 2.1 standard; a void is empty.
    """
    columns = [format_hands(hands[:, seat]) for seat in range(4)]
    return [f"N:{n} {e} {s} {w}" for n, e, s, w in zip(*columns, strict=True)]


def format_lines(hands: np.ndarray) -> list[str]:
    """Deals, uint64 [n, 4], as dealer's printoneline prints them, with its blank at the end."""
    columns = [format_hands(hands[:, seat]) for seat in range(4)]
    return [f"n {n} e {e} s {s} w {w} " for n, e, s, w in zip(*columns, strict=True)]


def format_heading(vulnerable: int | None, dealer: int | None, board: int | None) -> list[str]:
    """What is known about a deal besides its cards, a line for each fact.

    >>> format_heading(1, 2, 7)
    ['Board 7', 'Dealer south', 'Vul NS']
    """
    lines = []
    if board is not None:
        lines.append(f"Board {board}")
    if dealer is not None:
        lines.append(f"Dealer {SEATS[dealer]}")
    if vulnerable is not None:
        word = VULNERABILITIES[vulnerable]
        lines.append(f"Vul {word.upper() if len(word) == 2 else word}")
    return lines


def format_diagram(
    hands: Sequence[int],
    vulnerable: int | None = None,
    dealer: int | None = None,
    board: int | None = None,
    *,
    symbols: bool = True,
) -> str:
    """One deal as people draw it: north on top, west and east at the sides, south below.

    Parameters
    ----------
    hands : four ints
        North, east, south, west.
    vulnerable, dealer, board : int or None
        Shown in the upper left corner where known.
    symbols : bool
        Suit symbols; False: the letters S H D C.
    """
    marks = SUIT_SYMBOLS if symbols else SUIT_LETTERS
    blocks = [
        [
            f"{mark} {holding or '-'}"
            for mark, holding in zip(marks, format_hand(hand).split("."), strict=True)
        ]
        for hand in hands
    ]
    north, east, south, west = blocks
    corner = format_heading(vulnerable, dealer, board)
    left = max([12, *(len(line) + 2 for line in [*corner, *west])])
    middle = left + 12
    corner += [""] * (4 - len(corner))
    lines = [f"{note:<{left}}{row}" for note, row in zip(corner, north, strict=True)]
    lines += [f"{row:<{middle}}{other}" for row, other in zip(west, east, strict=True)]
    lines += [f"{'':<{left}}{row}" for row in south]
    return "\n".join(lines)


# ---------------------------------------------------------------- checking
def find_fault(hands: np.ndarray) -> tuple[int, str] | None:
    """The first deal that is none, and why.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]

    Returns
    -------
    (int, str) or None
        Its index and what is wrong; None if each deal has 52 cards, 13 in each hand.
    """
    union = np.bitwise_or.reduce(hands, axis=1)
    wrong = union != np.uint64(FULL_DECK)
    wrong |= (np.bitwise_count(hands) != 13).any(axis=1)
    if not wrong.any():
        return None
    row = int(wrong.argmax())
    return row, describe_fault([int(word) for word in hands[row]])


def describe_fault(hands: Sequence[int]) -> str:
    """What is wrong with four hands, as the end of a sentence; empty if nothing.

    >>> describe_fault([0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFE | 1 << 48])
    'S2 is held by north and west; C2 is missing'
    """
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
        reasons.append("bits are set that stand for no card")
    if len(reasons) > 4:
        reasons[3:] = [f"{len(reasons) - 3} more"]
    sizes = [hand.bit_count() for hand in hands]
    if sizes != [13] * 4:
        odd = [f"{seat} has {size}" for seat, size in zip(SEATS, sizes, strict=True) if size != 13]
        reasons.append(f"{', '.join(odd)} cards")
    return "; ".join(reasons)
