"""Checks of positions and arguments before a call of the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dealerkit.cards.names import FULL_DECK, LANE_MASK, RANKS, SEATS, SUIT_LETTERS
from dealerkit.doubledummy.status_codes import SolverError
from dealerkit.errors import ArgumentError

Fault = tuple[int, np.ndarray, Callable[[int], str]]  # status code, mask of positions, message for a row
_TRICK_FORM = "give the cards on the table as 'SA H3', or '' for none"


def check_positions(
    hands: np.ndarray,
    strain: np.ndarray,
    leader: np.ndarray,
    trick: tuple[np.ndarray, np.ndarray],
    target: np.ndarray,
    solutions: int = 1,
    mode: int = 1,
) -> None:
    """Raise an error unless all positions and arguments are valid.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
    strain, leader, target : ndarray of int [n]
    trick : pair of ndarray of int [n, 3]
        Suits 0..3 and ranks 2..14 of the cards on the table; rank 0 for no card.
    solutions, mode : int

    Raises
    ------
    SolverError
        For the first invalid position, with the status code, what is wrong, and its index.
    """
    for name, value, low, high, least, most in (
        ("solutions", solutions, -8, -9, 1, 3),
        ("mode", mode, -16, -17, 0, 2),
    ):
        if not isinstance(value, int | np.integer) or value < least or value > most:
            code = high if isinstance(value, int | float | np.number) and value > most else low
            raise SolverError(code, f"{name} is {value!r}; it goes from {least} to {most}")
    n_played = (trick[1] != 0).sum(axis=1)
    # In this order, because the message of a fault may assume that the earlier ones are absent.
    faults = [
        *_argument_faults(strain, leader, target),
        *_hand_faults(hands, n_played),
        *_trick_faults(hands, leader, trick, n_played, target),
    ]
    wrong = np.logical_or.reduce([mask for _, mask, _ in faults])
    if wrong.any():
        row = int(wrong.argmax())
        code, describe = next((code, describe) for code, mask, describe in faults if mask[row])
        raise SolverError(code, describe(row), row)


def _argument_faults(strain: np.ndarray, leader: np.ndarray, target: np.ndarray) -> list[Fault]:
    """Return the possible faults of strain, leader and target."""
    return [
        (-18, (strain < 0) | (strain > 4), lambda i: f"strain is {strain[i]}; it goes from 0 to 4 (SHDCN)"),
        (-19, (leader < 0) | (leader > 3), lambda i: f"leader is {leader[i]}; it goes from 0 to 3 (N E S W)"),
        (-5, target < -1, lambda i: f"target is {target[i]}; it goes from -1 (the maximum) to 13"),
        (-7, target > 13, lambda i: f"target is {target[i]}; it goes from -1 (the maximum) to 13"),
    ]


def _hand_faults(hands: np.ndarray, n_played: np.ndarray) -> list[Fault]:
    """Return the possible faults of the cards in the hands."""
    union, twice = np.zeros(len(hands), np.uint64), np.zeros(len(hands), np.uint64)
    for column in hands.T:
        twice |= union & column
        union |= column
    n_cards = np.bitwise_count(hands).sum(axis=1, dtype=np.int64) + n_played
    no_card = ((hands & ~np.uint64(FULL_DECK)) != 0).any(axis=1)
    return [
        (-1, no_card, lambda i: "the deal is missing, or bits are set that belong to no card"),
        (-2, union == 0, lambda i: "no hand has a card"),
        (-10, n_cards > 52, lambda i: f"there are {n_cards[i]} cards ({_sizes_text(hands[i])})"),
        (-4, twice != 0, lambda i: f"{_highest_card(int(twice[i]))} is in two hands"),
    ]


def _trick_faults(
    hands: np.ndarray,
    leader: np.ndarray,
    trick: tuple[np.ndarray, np.ndarray],
    n_played: np.ndarray,
    target: np.ndarray,
) -> list[Fault]:
    """Return the possible faults of the cards on the table, the sizes of the hands and the target."""
    suits, ranks = trick
    played = ranks != 0
    malformed = (ranks < 0) | (ranks == 1) | (ranks > 14) | (suits < 0) | (suits > 3)
    malformed |= np.diff(played.astype(np.int8), axis=1, prepend=1) > 0  # a card after a gap
    shifts = np.uint64(48) - np.uint64(16) * np.clip(suits, 0, 3).astype(np.uint64)
    bits = np.uint64(1) << (shifts + np.clip(ranks - 2, 0, 12).astype(np.uint64))
    bits[~played | malformed] = 0
    in_hand = bits & np.bitwise_or.reduce(hands, axis=1)[:, None]
    repeated = (bits & np.roll(bits, 1, axis=1) != 0).any(axis=1)
    n_tricks = np.bitwise_count(hands) + ((np.arange(4) - leader[:, None]) % 4 < n_played[:, None])
    seats = (leader[:, None] + np.arange(3)) % 4  # of the cards of the trick
    holds_led = (np.take_along_axis(hands, seats, axis=1) & np.uint64(LANE_MASK) << shifts[:, :1]) != 0
    revoke = played & (suits != suits[:, :1]) & holds_led

    def describe_revoke(row: int) -> str:
        column = int(revoke[row].argmax())
        card = f"{SUIT_LETTERS[suits[row, column]]}{RANKS[ranks[row, column] - 2]}"
        led = SUIT_LETTERS[suits[row, 0]]
        return f"{SEATS[seats[row, column]]} played {card} and still has a card of the suit led, {led}"

    def describe_malformed(row: int) -> str:
        return f"the trick has suits {suits[row].tolist()} and ranks {ranks[row].tolist()}, not all cards"

    def describe_in_hand(row: int) -> str:
        card = _highest_card(int(in_hand[row].max()))
        return f"{card} is on the table and also in a hand; remove it from the hand"

    def describe_sizes(row: int) -> str:
        table = f"{n_played[row]} cards on the table led by {SEATS[leader[row]]}"
        return f"hands of unequal size: {_sizes_text(hands[row])}, {table}"

    return [
        (-12, malformed.any(axis=1), describe_malformed),
        (-13, (in_hand != 0).any(axis=1), describe_in_hand),
        (-4, repeated, lambda i: "the same card was played twice in the trick"),
        (-14, (n_tricks != n_tricks[:, :1]).any(axis=1), describe_sizes),
        (-12, revoke.any(axis=1), describe_revoke),
        (-3, target > n_tricks[:, 0], lambda i: f"target is {target[i]}, but {n_tricks[i, 0]} tricks remain"),
    ]


def parse_tricks(trick: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the cards on the table in the library's encoding.

    Parameters
    ----------
    trick : str or sequence of str, or a sequence of n of these
        As for `solve_board`.
    n : int
        Number of positions.

    Returns
    -------
    suits, ranks : ndarray of int64 [n, 3]
        Suits 0..3, ranks 2..14; both 0 for no card.

    Raises
    ------
    SolverError
        A text that is not a card, or more than three cards.

    Examples
    --------
    >>> suits, ranks = parse_tricks("HA H3", 1)
    >>> suits, ranks
    (array([[1, 1, 0]]), array([[14,  3,  0]]))
    """
    if not hasattr(trick, "__len__") or getattr(trick, "ndim", 1) == 0:
        raise ArgumentError(f"trick is {trick!r}; {_TRICK_FORM}")
    is_separate = not isinstance(trick, str) and any(not isinstance(card, str) for card in trick)
    if is_separate and len(trick) != n:
        raise ArgumentError(f"trick has {len(trick)} entries for {n} positions")
    suits, ranks = np.zeros((2, n, 3), dtype=np.int64)
    for row, cards in enumerate(trick) if is_separate else ((None, trick),):
        if not hasattr(cards, "__len__"):
            raise ArgumentError(f"trick {row} is {cards!r}; {_TRICK_FORM}")
        texts = cards.split() if isinstance(cards, str) else list(cards)
        if len(texts) > 3:
            raise SolverError(-12, f"{len(texts)} cards on the table; there are at most three", row)
        rows = slice(None) if row is None else row
        for column, text in enumerate(texts):
            card = str(text).strip().upper().replace("10", "T")
            if len(card) != 2 or card[0] not in SUIT_LETTERS or card[1] not in RANKS:
                raise SolverError(-12, f"{text!r} is not a card; write it like SA or H10", row)
            suits[rows, column], ranks[rows, column] = SUIT_LETTERS.index(card[0]), RANKS.index(card[1]) + 2
    return suits, ranks


def _highest_card(cards: int) -> str:
    """Return the name of the highest of some cards."""
    bit = cards.bit_length() - 1
    return f"{SUIT_LETTERS[3 - bit // 16]}{RANKS[bit % 16]}"


def _sizes_text(hands: np.ndarray) -> str:
    """Return the number of cards of each seat as text."""
    sizes = np.bitwise_count(hands).tolist()
    return ", ".join(f"{seat} {size}" for seat, size in zip(SEATS, sizes, strict=True))
