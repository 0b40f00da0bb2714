"""The batch solver: arrays of deals in, arrays of results out.

From the most to the least expensive it solves whole tables, rows (one strain, all four declarers) and
boards (one strain, one declarer). The threshold test of a board, "does declarer take at least k
tricks?", costs a sixth of the number of tricks.

Each function fills an array of results, one call of the library after another. The array may be given
as `out`: entries >= 0 are not solved again, and after a KeyboardInterrupt it holds all results solved
before, so that a second call with the same array continues there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.cards.names import STRAIN_LETTERS
from dealerkit.cards.text import find_fault
from dealerkit.doubledummy.arguments import to_numbers, to_strain_mask
from dealerkit.doubledummy.library import MAX_BOARDS
from dealerkit.doubledummy.library_calls import (
    Progress,
    call_tables,
    order_long_first,
    solve_in_calls,
    split_batches,
)
from dealerkit.errors import ArgumentError, DealError

# Threshold tests, maxima, rows of one strain and strains of tables in one call, for each thread. An
# interrupt waits until the call ends, and threads idle while its last board is solved. About a second of
# work for each thread loses 3 % (computed from the nodes of 400 boards at notrump; half a second 4 %, a
# third 8 %).
TESTS_PER_THREAD, MAXIMA_PER_THREAD, ROWS_PER_THREAD, STRAINS_PER_THREAD = 100, 32, 24, 32


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
        Tricks 0..13 that declarer must reach; 0 is always reached and not solved.
    threads : int, optional
        The library's threads; by default the number of `library.set_threads`.
    progress : callable, optional
        ``progress(done, total)``, boards, after each call of the library.
    out : ndarray of int8 [n], optional
        Filled and returned; entries of -1 are solved, the others stay.

    Returns
    -------
    ndarray of int8 [n]
        Tricks 0..13; with `target` 1 if declarer takes at least that many, else 0.

    Raises
    ------
    DealError
        With the index of the first deal that does not have 52 cards, 13 in each hand.
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
    # The library counts the tricks of the leader's side: the defence must not take 14 - k.
    goal = np.full(len(rows), -1) if target is None else 14 - threshold[rows].astype(np.int32)
    per_thread = MAXIMA_PER_THREAD if target is None else TESTS_PER_THREAD
    calls = solve_in_calls(
        hands[rows], strain[rows], leader, goal, per_thread, threads=threads, progress=progress
    )
    for batch, solved in calls:
        score = solved["score"][:, 0]
        # A goal out of reach has the score -1, or 0 if no card reaches goal 1.
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
    """Solve the tricks of the four declarers in one strain, in less than twice the time of one declarer.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Deals.
    strain : int or ndarray of int [n]
        S H D C N = 0..4.
    threads, progress
        As for `solve_boards`; progress counts rows.
    out : ndarray of int8 [n, 4], optional
        Filled and returned; rows with a -1 are solved.

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
    for part in split_batches(strain[rows], ROWS_PER_THREAD, threads, progress):
        batch = rows[part]
        common = int(strain[batch[0]])
        result[batch] = call_tables(hands[batch], np.arange(5) == common, threads)[:, common]
    return result


def solve_tables(
    hands: np.ndarray,
    strains: Any = STRAIN_LETTERS,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """Solve tables of double-dummy tricks, of all strains or of some.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Deals.
    strains : str or sequence of five bool
        Letters of ``SHDCN``, or a truth value for each.
    threads, progress
        As for `solve_boards`; progress counts tables.
    out : ndarray of int8 [n, 5, 4], optional
        Filled and returned; tables with a -1 in one of the strains are solved.

    Returns
    -------
    ndarray of int8 [n, 5, 4]
        Tricks 0..13 by strain (S H D C N) and declarer (N E S W); -1 in the other strains.

    Raises
    ------
    DealError, ArgumentError, FileError
        As `solve_boards`; ArgumentError also for no strain or an unknown one.

    Examples
    --------
    >>> spades = np.array([[0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]], dtype=np.uint64)
    >>> solve_tables(spades, "SC")[0].tolist()
    [[13, 0, 13, 0], [-1, -1, -1, -1], [-1, -1, -1, -1], [0, 13, 0, 13], [-1, -1, -1, -1]]
    """
    hands, result = _prepare(hands, out, 5, 4)
    mask = to_strain_mask(strains)
    rows = np.flatnonzero((result[:, mask] < 0).any(axis=(1, 2)))
    rows = rows[order_long_first(hands[rows])]
    per_thread, limit = STRAINS_PER_THREAD // int(mask.sum()), MAX_BOARDS // int(mask.sum())
    for part in split_batches(np.zeros(len(rows)), per_thread, threads, progress, limit):
        batch = rows[part]
        result[np.ix_(batch, mask)] = call_tables(hands[batch], mask, threads)[:, mask]
    return result


def _prepare(hands: Any, out: np.ndarray | None, *shape: int) -> tuple[np.ndarray, np.ndarray]:
    """Return checked hands, uint64 [n, 4], and the results, int8 [n, *shape] with -1 if unsolved."""
    words = np.asarray(hands)
    if words.dtype != np.uint64 or words.ndim != 2 or words.shape[1] != 4:
        raise ArgumentError(
            f"hands is {words.dtype} {words.shape}; it takes uint64 (n, 4): north east south west"
        )
    if problem := find_fault(words):
        raise DealError(
            f"deal {problem[0]}: {problem[1]}; only whole deals are solved here, positions by solve_board"
        )
    expected = (len(words), *shape)
    if out is None:
        out = np.full(expected, -1, dtype=np.int8)
    if out.dtype != np.int8 or out.shape != expected:
        raise ArgumentError(f"out is {out.dtype} {out.shape}; give int8 {expected}, -1 for results to solve")
    return words, out
