"""The batch solver, from arrays of deals to arrays of results.

It solves rows (one strain, all four declarers) and boards (one strain, one declarer). The threshold test of a
board, "does declarer take at least k tricks?", costs a sixth of finding the number of tricks.

Each function fills an array of results, one call of the library after another. The array can be passed as
`out`: entries >= 0 are not solved again, and after a KeyboardInterrupt it contains all results solved so far,
so a second call with the same array continues there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.cards.text import find_fault
from dealerkit.doubledummy.arguments import to_numbers
from dealerkit.doubledummy.library_calls import (
    MIN_DISTRIBUTED,
    Progress,
    call_rows,
    order_long_first,
    solve_in_calls,
    solve_in_tasks,
    split_calls,
)
from dealerkit.errors import ArgumentError, DealError
from dealerkit.runtime.executors import current_workers

# Numbers of threshold tests, numbers of tricks and rows in one call, for each thread. An interrupt waits
# until the call ends, and threads are idle while its last board is solved. About a second of work per thread
# wastes 3 % (computed from the nodes of 400 boards at notrump; half a second 4 %, a third 8 %).
TESTS_PER_THREAD, MAXIMA_PER_THREAD, ROWS_PER_THREAD = 100, 32, 24


def solve_boards(
    hands: np.ndarray,
    strain: Any,
    declarer: Any,
    target: Any = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """Solve declarer's tricks in one strain, or whether they reach a target.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Deals; layout in `dealerkit.cards.names`.
    strain : int or ndarray of int [n]
        S H D C N = 0..4.
    declarer : int or ndarray of int [n]
        N E S W = 0..3.
    target : int or ndarray of int [n], optional
        Number of tricks, 0..13, that declarer must reach; 0 is always reached and not solved.
    threads : int, optional
        Number of threads of the library; by default that of `library.set_threads`.
    progress : callable, optional
        ``progress(done, total)``, called with numbers of boards after each call of the library.
    out : ndarray of int8 [n], optional
        Filled and returned; entries of -1 are solved, the others stay as they are.

    Returns
    -------
    ndarray of int8 [n]
        Tricks 0..13; with `target`, 1 if declarer takes at least that many, otherwise 0.

    Raises
    ------
    DealError
        A deal does not have 52 cards, 13 in each hand; the message gives the index of the first.
    ArgumentError
        An array does not have n entries, or an entry is out of range.
    FileError
        The solver library is missing.

    Examples
    --------
    >>> spades = np.array([[0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]], dtype=np.uint64)
    >>> solve_boards(spades, 0, [0]), solve_boards(spades, 1, 0, 1)  # north has all spades
    (array([13], dtype=int8), array([0], dtype=int8))
    """
    hands, result = _prepare(hands, out)
    n = len(hands)
    strain = to_numbers("strain", strain, n, 4)
    declarer = to_numbers("declarer", declarer, n, 3)
    unsolved = result < 0
    threshold = to_numbers("target", 0 if target is None else target, n, 13)
    if target is not None:
        result[unsolved & (threshold == 0)] = 1
        unsolved &= threshold > 0
    rows = np.flatnonzero(unsolved)
    leader = (declarer[rows] + 1) % 4
    # The library counts the tricks of the leader's side, so the defence must not take 14 - k.
    goal = np.full(len(rows), -1) if target is None else 14 - threshold[rows].astype(np.int32)
    per_thread = MAXIMA_PER_THREAD if target is None else TESTS_PER_THREAD
    calls = solve_in_calls(
        hands[rows], strain[rows], leader, goal, per_thread, threads=threads, progress=progress
    )
    for batch, solved in calls:
        score = solved["score"][:, 0]
        # The score is -1 if a goal is out of reach, or 0 if no card reaches goal 1.
        result[rows[batch]] = 13 - score if target is None else score < goal[batch]
    return result


def solve_rows(
    hands: np.ndarray,
    strain: Any,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """Solve the tricks of all four declarers in one strain, in less than twice the time of one declarer.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Deals.
    strain : int or ndarray of int [n]
        S H D C N = 0..4.
    threads, progress
        As for `solve_boards`, with progress in rows.
    out : ndarray of int8 [n, 4], optional
        Filled and returned; rows that contain a -1 are solved.

    Returns
    -------
    ndarray of int8 [n, 4]
        Tricks 0..13 by declarer N E S W.

    Raises
    ------
    DealError, ArgumentError, FileError
        As `solve_boards`.

    Examples
    --------
    >>> spades = np.array([[0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]], dtype=np.uint64)
    >>> solve_rows(spades, 0), solve_rows(spades, 4)
    (array([[13,  0, 13,  0]], dtype=int8), array([[0, 0, 0, 0]], dtype=int8))
    """
    hands, result = _prepare(hands, out, 4)
    strain = to_numbers("strain", strain, len(hands), 4)
    rows = np.flatnonzero((result < 0).any(axis=1))
    rows = rows[order_long_first(hands[rows])]
    workers = current_workers()
    if workers is not None and threads is None and len(rows) >= MIN_DISTRIBUTED:
        tasks = solve_in_tasks(workers, solve_rows, "rows", (hands[rows], strain[rows]), (), progress)
        for chosen, solved in tasks:
            result[rows[chosen]] = solved
        return result
    for part in split_calls(strain[rows], ROWS_PER_THREAD, threads, progress):
        batch = rows[part]
        result[batch] = call_rows(hands[batch], int(strain[batch[0]]), threads)
    return result


def _prepare(hands: Any, out: np.ndarray | None, *shape: int) -> tuple[np.ndarray, np.ndarray]:
    """Return checked hands, uint64 [n, 4], and the results, int8 [n, *shape] with -1 if unsolved."""
    hands = np.asarray(hands)
    if hands.dtype != np.uint64 or hands.ndim != 2 or hands.shape[1] != 4:
        raise ArgumentError(
            f"hands is {hands.dtype} {hands.shape}; it must be uint64 (n, 4): north east south west"
        )
    if fault := find_fault(hands):
        raise DealError(
            f"deal {fault[0]}: {fault[1]}; only whole deals are solved here, positions by solve_board"
        )
    expected = (len(hands), *shape)
    if out is None:
        out = np.full(expected, -1, dtype=np.int8)
    if out.dtype != np.int8 or out.shape != expected:
        raise ArgumentError(f"out is {out.dtype} {out.shape}; give int8 {expected}, -1 for results to solve")
    return hands, out
