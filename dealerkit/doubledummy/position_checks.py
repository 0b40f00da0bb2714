"""What can be wrong with a position, found before the library sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dealerkit.cards.names import FULL_DECK, LANE_MASK, RANKS, SEATS, SUIT_LETTERS
from dealerkit.doubledummy.status_codes import SolverError
from dealerkit.errors import ArgumentError


def check(
    hands: np.ndarray,
    strain: np.ndarray,
    leader: np.ndarray,
    trick: tuple[np.ndarray, np.ndarray],
    target: np.ndarray,
    solutions: int = 1,
    mode: int = 1,
) -> None:
    """Look at all positions and arguments before the library sees one.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
    strain, leader, target : ndarray of int [n]
    trick : pair of ndarray of int [n, 3]
        Suits 0..3 and ranks 2..14 of the cards on the table; rank 0: no card.
    solutions, mode : int

    Raises
    ------
    SolverError
        For the first position that has a fault, with the code, what is wrong, and its index.
    """
    for name, value, low, high, least, most in (
        ("solutions", solutions, -8, -9, 1, 3),
        ("mode", mode, -16, -17, 0, 2),
    ):
        if not isinstance(value, int | np.integer) or value < least or value > most:
            code = high if isinstance(value, int | float | np.number) and value > most else low
            raise SolverError(code, f"{name} is {value!r}; it goes from {least} to {most}")
    suits, ranks = trick
    played = ranks != 0
    count = played.sum(axis=1)
    sizes = np.bitwise_count(hands).astype(np.int64)
    seat = (leader[:, None] + np.arange(3)) % 4  # who played each card of the trick
    cards = sizes + ((np.arange(4) - leader[:, None]) % 4 < count[:, None])
    shape = (ranks < 0) | (ranks == 1) | (ranks > 14) | (suits < 0) | (suits > 3)
    shape |= np.diff(played.astype(np.int8), axis=1, prepend=1) > 0  # a card after a gap
    lanes = np.uint64(48) - np.uint64(16) * np.clip(suits, 0, 3).astype(np.uint64)
    bits = np.uint64(1) << (lanes + np.clip(ranks - 2, 0, 12).astype(np.uint64))
    bits[~played | shape] = 0
    union, twice = np.zeros(len(hands), np.uint64), np.zeros(len(hands), np.uint64)
    for column in hands.T:
        twice |= union & column
        union |= column
    in_hand = bits & union[:, None]
    again = np.zeros(len(hands), bool)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        again |= (bits[:, i] & bits[:, j]) != 0
    led = np.uint64(LANE_MASK) << lanes[:, :1]
    holds_led = (np.take_along_axis(hands, seat, axis=1) & led) != 0
    revoke = played & (suits != suits[:, :1]) & holds_led

    def named(row: int, column: int) -> str:
        return f"{SUIT_LETTERS[suits[row, column]]}{RANKS[ranks[row, column] - 2]}"

    def held(row: int) -> str:
        return ", ".join(f"{name} {size}" for name, size in zip(SEATS, sizes[row], strict=True))

    # In this order: a later fault can be spoken of where the earlier ones are absent.
    faults: tuple[tuple[int, np.ndarray, Callable[[int], str]], ...] = (
        (
            -18,
            (strain < 0) | (strain > 4),
            lambda i: f"strain is {strain[i]}; it goes from 0 to 4 (S H D C N)",
        ),
        (-19, (leader < 0) | (leader > 3), lambda i: f"leader is {leader[i]}; it goes from 0 to 3 (N E S W)"),
        (-5, target < -1, lambda i: f"target is {target[i]}; it goes from -1 (the most) to 13"),
        (-7, target > 13, lambda i: f"target is {target[i]}; it goes from -1 (the most) to 13"),
        (
            -1,
            ((hands & ~np.uint64(FULL_DECK)) != 0).any(axis=1),
            lambda i: "the deal is missing, or bits are set that stand for no card",
        ),
        (-2, union == 0, lambda i: "no hand has a card"),
        (
            -10,
            sizes.sum(axis=1) + count > 52,
            lambda i: f"there are {sizes[i].sum() + count[i]} cards ({held(i)})",
        ),
        (-4, twice != 0, lambda i: f"{_name(int(twice[i]))} is in two hands"),
        (
            -12,
            shape.any(axis=1),
            lambda i: (
                f"the trick has a card of suit {suits[i].tolist()}, rank {ranks[i].tolist()} that is none"
            ),
        ),
        (
            -13,
            (in_hand != 0).any(axis=1),
            lambda i: (
                f"{_name(int(in_hand[i].max()))} is on the table and also in a hand; take it out of the hand"
            ),
        ),
        (-4, again, lambda i: "the same card was played twice in the trick"),
        (
            -14,
            (cards != cards[:, :1]).any(axis=1),
            lambda i: (
                f"hands of unequal size: {held(i)}, {count[i]} cards on the table led by {SEATS[leader[i]]}"
            ),
        ),
        (
            -12,
            revoke.any(axis=1),
            lambda i: (
                f"{SEATS[seat[i, revoke[i].argmax()]]} played {named(i, int(revoke[i].argmax()))} "
                f"and still has a card of the suit led, {named(i, 0)[0]}"
            ),
        ),
        (
            -3,
            target > cards[:, 0],
            lambda i: f"target is {target[i]}, and only {cards[i, 0]} tricks are left",
        ),
    )
    wrong = np.logical_or.reduce([mask for _, mask, _ in faults])
    if wrong.any():
        row = int(wrong.argmax())
        code, reason = next((code, reason) for code, mask, reason in faults if mask[row])
        raise SolverError(code, reason(row), row)


def trick_arrays(trick: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The cards on the table as the library writes them.

    Parameters
    ----------
    trick : str or sequence of str, or a sequence of n of these
        As for `solve_board`.
    n : int
        Number of positions.

    Returns
    -------
    suits, ranks : ndarray of int64 [n, 3]
        Suits 0..3, ranks 2..14; both 0 where there is no card.

    Raises
    ------
    SolverError
        A text that is no card, or more than three of them.

    Examples
    --------
    >>> suits, ranks = trick_arrays("HA H3", 1)
    >>> suits, ranks
    (array([[1, 1, 0]]), array([[14,  3,  0]]))
    """
    if not hasattr(trick, "__len__"):
        raise ArgumentError(f"trick is {trick!r}; give the cards on the table as 'SA H3', '' for none")
    own = not isinstance(trick, str) and any(not isinstance(card, str) for card in trick)
    if own and len(trick) != n:
        raise ArgumentError(f"trick has {len(trick)} entries for {n} positions")
    suits, ranks = np.zeros((2, n, 3), dtype=np.int64)
    for row, cards in enumerate(trick) if own else ((None, trick),):
        if not hasattr(cards, "__len__"):
            raise ArgumentError(
                f"trick {row} is {cards!r}; give the cards on the table as 'SA H3', '' for none"
            )
        words = cards.split() if isinstance(cards, str) else list(cards)
        if len(words) > 3:
            raise SolverError(
                -12, f"{len(words)} cards on the table: a trick in progress has at most three", row
            )
        for place, word in enumerate(words):
            text = str(word).strip().upper().replace("10", "T")
            if len(text) != 2 or text[0] not in SUIT_LETTERS or text[1] not in RANKS:
                raise SolverError(-12, f"{word!r} is no card; write one like SA or H10", row)
            where = slice(None) if row is None else row
            suits[where, place], ranks[where, place] = SUIT_LETTERS.index(text[0]), RANKS.index(text[1]) + 2
    return suits, ranks


def _name(cards: int) -> str:
    """The highest of some cards."""
    place = cards.bit_length() - 1
    return f"{SUIT_LETTERS[3 - place // 16]}{RANKS[place % 16]}"
