"""Single calls of a solver, and how deals are sorted and divided into such calls.

`call_boards` and `call_rows` call the library DDS or the own solver, which has the same arguments and results
(`solvers`). Nothing is checked here; callers pass checked deals or positions.

`solve_in_tasks` divides boards and rows into tasks for the workers of `use_executor`. Each process has its
own solver. Deals with their results go through the store of this process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np

from dealerkit.cards.names import FULL_DECK
from dealerkit.doubledummy import library
from dealerkit.doubledummy.library import BOARDS, CARDS, DEALS, MAX_BOARDS, SOLVED, TABLES, encode_holdings
from dealerkit.doubledummy.solvers import OWN, choose_solver, current_solver, use_solver
from dealerkit.runtime.executors import TASK_SECONDS, Workers, current_workers

Progress = Callable[[int, int], None]
# An interrupted call loses its results, and a process cannot end before the call does. So calls that take
# longer than this (a busy or slow machine, hard deals) are followed by smaller ones, and the first call of a
# process is small.
CALL_SECONDS = 0.7
FIRST_PER_THREAD = 4  # boards per thread in the first call
MIN_PER_THREAD = 2  # boards of every call for each thread, however long it takes
CARDS_PER_THREAD, TARGETS_PER_THREAD = 24, 64  # boards per thread in one call: every card, or a target
MIN_DISTRIBUTED = 16  # number of boards from which other processes solve them
FIRST_TASK = 16  # boards of the first tasks
LEAST_TASK = 4
# Boards of the next call, by the largest number of boards per thread and the number of threads
_sizes: dict[tuple[int, int], int] = {}
# Seconds per board in a task, by what is solved
_seconds: dict[Any, float] = {}


def call_boards(
    hands: np.ndarray,
    strain: Any,
    leader: Any,
    target: Any = -1,
    solutions: int = 1,
    mode: int = 1,
    trick: tuple[Any, Any] = (0, 0),
    threads: int | None = None,
) -> np.ndarray:
    """Solve at most 200 boards in one call; boards of equal cards, strain and leader must share a target.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Checked deals or positions.
    strain, leader, target : int or ndarray of int [n]
        Strain S H D C N, leader N E S W of the current trick, number of tricks to reach (-1: the maximum).
    solutions, mode : int
        As for `positions.solve_board`.
    trick : pair of ndarray of int [n, 3]
        Suits S H D C and ranks 2..14 of the cards on the table; 0 and 0 for no card.
    threads : int or None
        As for `library.call`.

    Returns
    -------
    ndarray of `library.CARDS` [n]
        The score is the number of tricks of the side to play.
    """
    if choose_solver() == OWN:
        from dealerkit.doubledummy.solver import boards as own

        return own.solve_boards(hands, strain, leader, target, solutions, mode, trick, threads)
    n = len(hands)
    boards, solved = np.zeros((), BOARDS), np.zeros((), SOLVED)
    boards["count"], boards["solutions"], boards["mode"] = n, solutions, mode
    boards["target"][:n] = target
    deal = boards["deal"][:n]
    deal["trump"], deal["first"], deal["holdings"] = strain, leader, encode_holdings(hands)
    deal["trick_suit"], deal["trick_rank"] = trick
    library.call("SolveAllBoardsBin", boards, solved, threads=threads)
    return solved["board"][:n]


def call_rows(hands: np.ndarray, strain: int, threads: int | None) -> np.ndarray:
    """Solve at most 200 deals in one call, in one strain with each of the four declarers.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Checked deals.
    strain : int
        S H D C N = 0..4.
    threads : int or None
        As for `library.call`.

    Returns
    -------
    ndarray of int32 [n, 4]
        Tricks by declarer N E S W.
    """
    if choose_solver() == OWN:
        from dealerkit.doubledummy.solver import boards as own

        return own.solve_rows(hands, strain, threads)
    deals, tables = np.zeros((), DEALS), np.zeros((), TABLES)
    deals["count"] = len(hands)
    deals["holdings"][: len(hands)] = encode_holdings(hands)
    omitted = (np.arange(5) != strain).astype(np.int32)
    no_par = -1  # the library then does not write to the array of par results
    library.call("CalcAllTables", deals, no_par, omitted, tables, np.zeros(1, np.int32), threads=threads)
    return tables["tricks"][: len(hands), strain]


def solve_in_calls(
    hands: np.ndarray,
    strain: np.ndarray,
    leader: np.ndarray,
    target: np.ndarray,
    per_thread: int,
    solutions: int = 1,
    mode: int = 1,
    trick: tuple[np.ndarray, np.ndarray] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Solve any number of boards in several calls, the longest ones first.

    The boards of a call may differ in strain, since few boards of each strain would leave threads idle.

    Parameters
    ----------
    hands, strain, leader, target, solutions, mode, trick
        As for `call_boards`.
    per_thread, threads, progress
        As for `split_calls`.

    Yields
    ------
    indices : ndarray of int64
        The boards of a call.
    solved : ndarray of `library.CARDS`
    """
    order = order_long_first(hands, leader, strain)
    # Many boards are solved by the workers, if there are any
    workers = current_workers()
    if workers is not None and threads is None and len(order) >= MIN_DISTRIBUTED:
        arrays = [hands, strain, leader, target, *(trick or ())]
        settings = (per_thread, solutions, mode, trick is not None)
        tasks = solve_in_tasks(
            workers, _solve_boards, settings, tuple(array[order] for array in arrays), settings, progress
        )
        for rows, solved in tasks:
            yield order[rows], solved
        return
    # Otherwise here. Boards that differ only in the target must not share a call
    keys = np.column_stack((hands, leader.astype(np.uint64), strain.astype(np.uint64)))[order]
    for part in split_calls(count_earlier_equals(keys), per_thread, threads, progress):
        indices = order[part]
        cards = (0, 0) if trick is None else (trick[0][indices], trick[1][indices])
        boards = hands[indices], strain[indices], leader[indices], target[indices]
        yield indices, call_boards(*boards, solutions, mode, cards, threads)


def _solve_boards(*arguments: Any) -> np.ndarray:
    """Solve the boards of a task: the arrays, then the settings of `solve_in_calls`."""
    *arrays, per_thread, solutions, mode, has_trick = arguments
    hands, strain, leader, target, *rest = arrays
    trick = (rest[0], rest[1]) if has_trick else None
    results = np.empty(len(hands), CARDS)
    for rows, solved in solve_in_calls(hands, strain, leader, target, per_thread, solutions, mode, trick):
        results[rows] = solved
    return results


def count_earlier_equals(keys: np.ndarray) -> np.ndarray:
    """Return, for each row of keys, how many equal rows come before it.

    Within one call, the library treats boards with the same cards, trumps and leader as one board, even if
    their targets differ: all get the result of the first. So such boards go into different calls.

    Parameters
    ----------
    keys : ndarray of uint64 [n, k]

    Returns
    -------
    ndarray of int64 [n]

    Examples
    --------
    >>> count_earlier_equals(np.array([[7, 1], [7, 2], [7, 1], [7, 1]], dtype=np.uint64)).tolist()
    [0, 0, 1, 2]
    """
    n = len(keys)
    order = np.lexsort(keys.T)
    equal = np.zeros(n, dtype=bool)
    equal[1:] = (keys[order[1:]] == keys[order[:-1]]).all(axis=1)
    position = np.arange(n)
    first = np.maximum.accumulate(np.where(equal, 0, position))
    before = np.empty(n, dtype=np.int64)
    before[order] = position - first
    return before


def order_long_first(hands: np.ndarray, *keys: np.ndarray) -> np.ndarray:
    """Return the order that puts the deals expected to take longest first; equal deals are adjacent.

    Measured on 400 deals in spades and notrump: of all features of a deal, voids and hands with few touching
    cards predict the number of searched nodes best (correlation 0.37 with its logarithm; one void counts as
    much as seven sequences).
    """
    held = hands & np.uint64(FULL_DECK)
    # There are unused bits between the lanes, so cards of different suits never touch
    sequences = np.bitwise_count(held & ~(held << np.uint64(1))).sum(axis=1)
    voids = (encode_holdings(hands) == 0).sum(axis=(1, 2))
    return np.lexsort((*keys, *hands.T, -(sequences + 7 * voids.astype(np.int64))))


def split_calls(
    group: np.ndarray, per_thread: int, threads: int | None, progress: Progress | None
) -> Iterator[np.ndarray]:
    """Divide boards or deals into calls of the library, and report progress after each call.

    Parameters
    ----------
    group : ndarray [n]
        Boards of different groups do not share a call.
    per_thread : int
        Largest number of boards or deals in one call per thread of the library; fewer if the calls take
        longer than `CALL_SECONDS`.
    threads, progress
        As for `batches.solve_boards`.

    Yields
    ------
    ndarray of int64
        Indices into `group`, ascending within a group.
    """
    # The first call has the size with which the last call of this kind ended
    n_threads = library.n_threads(threads)
    key, largest = (per_thread, n_threads), min(MAX_BOARDS, per_thread * n_threads)
    smallest = min(largest, MIN_PER_THREAD * n_threads)
    size = _sizes.get(key, min(largest, FIRST_PER_THREAD * n_threads))
    order = np.argsort(group, kind="stable")
    done = 0
    for members in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        start = 0
        while start < len(members):
            part = members[start : start + size]
            begin = time.perf_counter()
            yield part
            seconds = time.perf_counter() - begin
            start += len(part)
            done += len(part)
            if progress is not None:
                progress(done, len(group))
            # Aim at `CALL_SECONDS`, but at most double the size
            if len(part) == size or seconds > CALL_SECONDS:
                possible = int(len(part) * CALL_SECONDS / max(seconds, 1e-9))
                size = _sizes[key] = min(largest, max(smallest, min(possible, 2 * size)))


def solve_in_tasks(
    workers: Workers,
    solve: Callable[..., np.ndarray],
    key: Any,
    arrays: tuple[np.ndarray, ...],
    arguments: tuple = (),
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[slice, np.ndarray]]:
    """Solve rows of arrays in tasks, and yield the results in order.

    Parameters
    ----------
    workers : Workers
    solve : callable
        A function of a module: ``solve(*rows of the arrays, *arguments)`` returns an array with one result
        per row.
    key : hashable
        Rows with equal keys cost about the same.
    arrays : tuple of ndarray [n, ...]
    arguments : tuple
    progress : callable, optional
        ``progress(done, total)`` after each task.

    Yields
    ------
    rows : slice
    results : ndarray
    """
    n, n_tasks, solver = len(arrays[0]), workers.n_tasks, current_solver()

    # The size follows the measured cost; small tasks at the end keep all workers busy
    def divide() -> Iterator[tuple[slice, list[np.ndarray], tuple, str]]:
        first = 0
        while first < n:
            size = int(TASK_SECONDS / _seconds[key]) if key in _seconds else FIRST_TASK
            size = max(LEAST_TASK, min(size, -(-(n - first) // (2 * n_tasks))))
            rows = slice(first, min(first + size, n))
            yield rows, [array[rows] for array in arrays], arguments, solver
            first = rows.stop

    with closing(workers.map(workers.share(solve, "the solver"), _solve_task, divide())) as tasks:
        for (rows, *_), (results, seconds) in tasks:
            # A moving average of the cost of a row
            cost = seconds / (rows.stop - rows.start)
            _seconds[key] = cost if key not in _seconds else 0.7 * _seconds[key] + 0.3 * cost
            yield rows, results
            if progress is not None:
                progress(rows.stop, n)


def _solve_task(
    solve: Callable[..., np.ndarray], rows: slice, arrays: list[np.ndarray], arguments: tuple, solver: str
) -> tuple[np.ndarray, float]:
    """Solve the rows of a task; return the results and the seconds used."""
    began = time.perf_counter()
    with use_solver(solver):
        return solve(*arrays, *arguments), time.perf_counter() - began
