"""Full and part-played positions: the best cards, the tricks of every card, whether a target is reached.

A malformed position may make the library end the process. So `position_checks.check_positions` checks
all input first and raises the library's own status as an error with the index of the position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import RANKS, SUIT_LETTERS
from dealerkit.doubledummy import library
from dealerkit.doubledummy.arguments import to_hands, to_seat_numbers, to_strain_numbers
from dealerkit.doubledummy.library_calls import CARDS_PER_THREAD, TARGETS_PER_THREAD, solve_in_calls
from dealerkit.doubledummy.position_checks import check_positions, parse_tricks
from dealerkit.doubledummy.status_codes import SolverError
from dealerkit.errors import ArgumentError, UnknownNameError

if TYPE_CHECKING:
    import pandas as pd

_CARD_NAMES = np.array([*(suit + rank for suit in SUIT_LETTERS for rank in RANKS), None], dtype=object)


def solve_board(
    positions: Any,
    strain: Any,
    leader: Any,
    trick: Any = (),
    target: Any = -1,
    solutions: int = 1,
    mode: int = 1,
) -> pd.DataFrame:
    """Solve full or part-played positions: the cards to play, and the tricks they take.

    Parameters
    ----------
    positions : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
        The cards still held, without those on the table: equally many in each hand that has
        not played to the current trick, one fewer in the others. Hands may have fewer than 13
        cards, as in ``N:AK... Q2... 54... J3...``.
    strain : int or str, or a sequence of n
        S H D C N = 0..4, or names and letters.
    leader : int or str, or a sequence of n
        The seat that leads, or led, to the current trick; N E S W = 0..3, or names and letters.
    trick : str or sequence of str, or a sequence of n of these
        Cards on the table in the order they were played, at most three: ``"SA S3"`` or
        ``("SA", "S3")`` for all positions, ``[("SA",), ()]`` for one each.
    target : int or sequence of n, -1 to 13
        -1: the maximum. 1 to 13: can this number of tricks be reached? 0: any legal card.
    solutions : {1, 2, 3}
        1: one best card, or one that reaches the target. 2: all of these. 3: every legal card.
    mode : {0, 1, 2}
        0: do not search if the player has no choice. 1: always search. 2: as 1, but reuse the search
        of the previous position; all positions must have the same cards and strain (and may differ in
        leader and target). The results are those of mode 1.

    Returns
    -------
    DataFrame
        One row per position and card, in the library's order; touching cards share a row. If the
        target is out of reach and solutions is below 3, one row without a card.

        - position: index in `positions`
        - card: ``"SA"``; suit: ``"S"``; rank: ``"A"``
        - equals: ranks of lower cards that are as good, ``"QJ"``
        - tricks (Int8): of the player's side (the leader's if no card is on the table), the current
          trick included. Given a target with solutions 1 or 2 it is the target: at least that many.
          Missing if the target is out of reach or nothing was searched.
        - reached (boolean): does this card reach the target? Missing if nothing was searched.
        - forced (bool): the player had no choice, and mode 0 did not search.

    Raises
    ------
    SolverError
        With the library's status code and the index of the position: unequal hands, cards held
        twice, no cards, wrong cards in the trick, arguments out of range.
    DealError
        A text that is not a position.
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
    hands = to_hands(positions)
    n = len(hands)
    played = parse_tricks(trick, n)
    strains = _to_integers(to_strain_numbers, strain, n, -18)
    leaders = _to_integers(to_seat_numbers, leader, n, -19)
    targets = _to_integers(np.asarray, target, n, -1)
    check_positions(hands, strains, leaders, played, targets, solutions, mode)
    solved = np.zeros(n, library.CARDS)
    per_thread = TARGETS_PER_THREAD if solutions < 3 and (targets >= 0).all() else CARDS_PER_THREAD

    def solve(rows: slice, mode: int, threads: int | None = None) -> None:
        boards = hands[rows], strains[rows], leaders[rows], targets[rows]
        trick = played[0][rows], played[1][rows]
        for batch, cards in solve_in_calls(*boards, per_thread, solutions, mode, trick, threads):
            solved[rows][batch] = cards

    if mode < 2:
        solve(slice(None), mode)
    elif n:
        # A search can be reused only by the thread that made it: one thread, and no other call between.
        _check_same_cards(hands, strains, played)
        with library.lock:
            solve(slice(1), 1, threads=1)
            solve(slice(1, None), mode, threads=1)
    return _build_frame(solved, targets, solutions)


def _to_integers(convert: Callable[[Any], Any], values: Any, n: int, code: int) -> np.ndarray:
    """Return an argument as int64 [n]; raise a SolverError with `code` if it is not an integer."""
    try:
        array = np.asarray(convert(values))
    except (ArgumentError, UnknownNameError) as reason:
        raise SolverError(code, str(reason)) from None
    if array.size and array.dtype.kind not in "iu":
        raise SolverError(code, f"{values!r} is not a whole number")
    if array.ndim and array.shape != (n,):
        raise ArgumentError(f"{values!r:.60} has shape {array.shape}, not ({n},) for {n} positions")
    return np.broadcast_to(array.astype(np.int64), (n,))


def _check_same_cards(hands: np.ndarray, strain: np.ndarray, trick: tuple[np.ndarray, np.ndarray]) -> None:
    """Raise an error unless all cards and strains are equal, without which mode 2 gives wrong results."""
    arrays = hands, strain[:, None], *trick
    differs = np.logical_or.reduce([(array != array[0]).any(axis=1) for array in arrays])
    if differs.any():
        row = int(differs.argmax())
        raise SolverError(
            -17, "mode 2 needs the same cards and strain in all positions; use mode 1 for different ones", row
        )


def _build_frame(solved: np.ndarray, target: np.ndarray, solutions: int) -> pd.DataFrame:
    """Return the results of the library, one row per position and card."""
    import pandas as pd

    # If only one card remains, the library returns it even if it does not reach the target.
    first = solved["score"][:, 0]
    missed = (solutions < 3) & (target > 0) & (first != -2) & (first < target)
    rows = np.where(missed, 1, np.maximum(solved["cards"], 1))
    position = np.repeat(np.arange(len(solved)), rows)
    number = np.arange(rows.sum()) - np.repeat(rows.cumsum() - rows, rows)
    suit, rank, equals, score = (
        solved[name][position, number] for name in ("suit", "rank", "equals", "score")
    )
    none, forced = missed[position], score == -2
    reached = score >= target[position]
    card = _CARD_NAMES[np.where(none, 52, suit * 13 + rank - 2)]
    sets, inverse = np.unique(equals, return_inverse=True)
    lower = ["".join(RANKS[bit - 2] for bit in range(14, 1, -1) if held >> bit & 1) for held in sets.tolist()]
    return pd.DataFrame(
        {
            "position": position,
            "card": card,
            "suit": [None if name is None else name[0] for name in card],
            "rank": [None if name is None else name[1] for name in card],
            "equals": np.array([*lower, None], dtype=object)[np.where(none, -1, inverse)],
            "tricks": pd.arrays.IntegerArray(score.astype(np.int8), none | forced),
            "reached": pd.arrays.BooleanArray(reached, forced),
            "forced": forced,
        }
    )
