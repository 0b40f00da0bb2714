"""Full and part-played positions: the best cards, every card's tricks, whether a target is in reach.

On a malformed position the library may end the process, so `checks.check` looks at everything first
and raises the library's own status as an error with the index of the position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import RANKS, SUIT_LETTERS
from dealerkit.doubledummy import library
from dealerkit.doubledummy.arguments import hands_of, seat_numbers, strain_numbers
from dealerkit.doubledummy.library_calls import apart, batches, solve_some
from dealerkit.doubledummy.position_checks import check, trick_arrays
from dealerkit.doubledummy.status_codes import SolverError
from dealerkit.errors import ArgumentError, UnknownNameError

if TYPE_CHECKING:
    import pandas as pd

_MAXIMA, _QUERIES = 24, 64  # positions in one call for each thread: every card, or one target
_DECK = np.array([*(suit + rank for suit in SUIT_LETTERS for rank in RANKS), None], dtype=object)


def solve_board(
    positions: Any,
    strain: Any,
    leader: Any,
    trick: Any = (),
    target: Any = -1,
    solutions: int = 1,
    mode: int = 1,
) -> pd.DataFrame:
    """The cards to play in full or part-played positions, and the tricks they lead to.

    Parameters
    ----------
    positions : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
        The cards still held, without those on the table: equally many in each hand that has
        not played to the current trick, one fewer in the others. Here hands may have fewer
        than 13 cards, ``N:AK... Q2... 54... J3...`` for example.
    strain : int or str, or a sequence of n
        S H D C N = 0..4, or words and letters.
    leader : int or str, or a sequence of n
        The seat that leads, or led, to the current trick; N E S W = 0..3, or words and letters.
    trick : str or sequence of str, or a sequence of n of these
        Cards on the table in the order they were played, at most three: ``"SA S3"`` or
        ``("SA", "S3")`` for all positions, ``[("SA",), ()]`` for each its own.
    target : int or sequence of n, -1 to 13
        -1: as many tricks as can be had. 1 to 13: can that many be had? 0: any legal card.
    solutions : {1, 2, 3}
        1: one card that does it. 2: all such cards. 3: every legal card, whatever the target.
    mode : {0, 1, 2}
        0: do not search where the player has no choice. 1: always search. 2: as 1, with what
        was learnt from the position before; all positions must have the same cards and strain
        (and may differ in leader and target). The answers are those of mode 1.

    Returns
    -------
    DataFrame
        One row per position and card, the library's order; touching cards share a row. If the
        target is out of reach and solutions is below 3, one row without a card.

        - position: index in `positions`
        - card: ``"SA"``; suit: ``"S"``; rank: ``"A"``
        - equals: ranks of lower cards that are as good, ``"QJ"``
        - tricks (Int8): of the player's side (the leader's when no card is on the table) from
          here on, the current trick included. Under a target with solutions 1 or 2 it is the
          target: at least so many. Missing where the target is out of reach or nothing was searched.
        - reached (boolean): is the target in reach with this card? Missing where nothing was searched.
        - forced (bool): mode 0 found nothing to choose, and did not search.

    Raises
    ------
    SolverError
        With the library's status code and the index of the position: unequal hands, cards held
        twice, no cards, wrong cards in the trick, arguments out of range.
    DealError
        A text that cannot be read.
    FileError
        The solver library is missing.

    References
    ----------
    B. Haglund, S. Hein, DDS 2.9, file doc/DLL-dds.md, function SolveBoard.

    Examples
    --------
    North's two spades are equal, and east's queen and jack keep one of the two tricks:

    >>> solve_board("N:32... QJ... AT... K4...", "notrump", "north", solutions=3)
       position card suit rank equals  tricks  reached  forced
    0         0   S3    S    3      2       1     True   False
    """
    hands = hands_of(positions)
    n = len(hands)
    table = trick_arrays(trick, n)
    strains, leaders = _integers(strain_numbers, strain, n, -18), _integers(seat_numbers, leader, n, -19)
    targets = _integers(np.asarray, target, n, -1)
    check(hands, strains, leaders, table, targets, solutions, mode)
    found = np.zeros(n, library.CARDS)
    each = _QUERIES if solutions < 3 and (targets >= 0).all() else _MAXIMA
    turn = apart(np.column_stack((hands, strains.astype(np.uint64), leaders.astype(np.uint64))))

    def solve(some: np.ndarray, way: int, threads: int | None = None) -> None:
        cards = table[0][some], table[1][some]
        found[some] = solve_some(
            hands[some], strains[some], leaders[some], targets[some], solutions, way, cards, threads
        )

    if mode < 2:
        for some in batches(turn, each, None, None):
            solve(some, mode)
    elif n:
        # What was learnt belongs to a thread: one thread, one after another, and nobody between.
        _same_cards(hands, strains, table)
        with library.alone():
            solve(np.array([0]), 1, threads=1)
            for some in batches(turn[1:], each, 1, None):
                solve(some + 1, mode, threads=1)
    return _frame(found, targets, solutions)


def _integers(read: Callable[[Any], Any], values: Any, n: int, code: int) -> np.ndarray:
    """An argument as int64 [n]; `code` where it is no number at all."""
    try:
        array = np.asarray(read(values))
    except (ArgumentError, UnknownNameError) as reason:
        raise SolverError(code, str(reason)) from None
    if array.size and array.dtype.kind not in "iu":
        raise SolverError(code, f"{values!r} is no whole number")
    if array.ndim and array.shape != (n,):
        raise ArgumentError(f"{values!r:.60} has shape {array.shape}, not ({n},) for {n} positions")
    return np.broadcast_to(array.astype(np.int64), (n,))


def _same_cards(hands: np.ndarray, strain: np.ndarray, trick: tuple[np.ndarray, np.ndarray]) -> None:
    """Mode 2 is right only for the cards and the strain of the position before."""
    differs = (hands != hands[0]).any(axis=1) | (strain != strain[0])
    differs |= (trick[0] != trick[0][0]).any(axis=1) | (trick[1] != trick[1][0]).any(axis=1)
    if differs.any():
        row = int(differs.argmax())
        raise SolverError(
            -17, "mode 2 needs the same cards and strain in all positions; use mode 1 for different ones", row
        )


def _frame(found: np.ndarray, target: np.ndarray, solutions: int) -> pd.DataFrame:
    """What the library found, one row per position and card."""
    import pandas as pd

    # With one card left the library shows it even where it does not reach the target.
    short = (solutions < 3) & (target > 0) & (found["score"][:, 0] != -2) & (found["score"][:, 0] < target)
    rows = np.where(short, 1, np.maximum(found["cards"], 1))
    position = np.repeat(np.arange(len(found)), rows)
    place = np.arange(rows.sum()) - np.repeat(rows.cumsum() - rows, rows)
    suit, rank, equals, score = (found[name][position, place] for name in ("suit", "rank", "equals", "score"))
    none, forced = short[position], score == -2
    reached = score >= target[position]
    card = _DECK[np.where(none, 52, suit * 13 + rank - 2)]
    sets, back = np.unique(equals, return_inverse=True)
    lower = ["".join(RANKS[bit - 2] for bit in range(14, 1, -1) if held >> bit & 1) for held in sets.tolist()]
    return pd.DataFrame(
        {
            "position": position,
            "card": card,
            "suit": [None if c is None else c[0] for c in card],
            "rank": [None if c is None else c[1] for c in card],
            "equals": np.array([*lower, None], dtype=object)[np.where(none, -1, back)],
            "tricks": pd.arrays.IntegerArray(score.astype(np.int8), none | forced),
            "reached": pd.arrays.BooleanArray(reached, forced),
            "forced": forced,
        }
    )
