"""Single calls of the library: what shares a call, in which order, and the arrays filled and read.

Nothing is checked here: whoever comes with hands has looked at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dealerkit.cards.names import FULL_DECK
from dealerkit.doubledummy import library
from dealerkit.doubledummy.library import BOARDS, DEALS, MOST_BOARDS, SOLVED, TABLES, holdings

Progress = Callable[[int, int], None]


def solve_some(
    hands: np.ndarray,
    strain: Any,
    leader: Any,
    target: Any = -1,
    solutions: int = 1,
    mode: int = 1,
    trick: tuple[Any, Any] = (0, 0),
    threads: int | None = None,
) -> np.ndarray:
    """At most 200 boards in one call; no two of the same cards, strain and leader but other targets.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Checked deals or positions.
    strain, leader, target : int or ndarray of int [n]
        Strain S H D C N, leader N E S W of the current trick, tricks asked (-1: the most).
    solutions, mode : int
        As for `positions.solve_board`.
    trick : pair of ndarray of int [n, 3]
        Suits S H D C and ranks 2..14 of the cards on the table, (0, 0) where there is none.
    threads : int or None
        As for `library.call`.

    Returns
    -------
    ndarray of `library.CARDS` [n]
        A score is the number of tricks of the side that is to play.
    """
    n = len(hands)
    boards, solved = np.zeros((), BOARDS), np.zeros((), SOLVED)
    boards["count"], boards["solutions"], boards["mode"] = n, solutions, mode
    boards["target"][:n] = target
    deal = boards["deal"][:n]
    deal["trump"], deal["first"], deal["holdings"] = strain, leader, holdings(hands)
    deal["trick_suit"], deal["trick_rank"] = trick
    library.call("SolveAllBoardsBin", boards, solved, threads=threads)
    return solved["board"][:n]


def tables_of(hands: np.ndarray, mask: np.ndarray, threads: int | None) -> np.ndarray:
    """The tables of at most 200 boards in one call, a strain of a deal counting as a board.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Checked deals.
    mask : ndarray of bool [5]
        Strains asked.
    threads : int or None
        As for `library.call`.

    Returns
    -------
    ndarray of int32 [n, 5, 4]
        Tricks by strain and declarer, arbitrary in strains that are not asked.
    """
    deals, tables = np.zeros((), DEALS), np.zeros((), TABLES)
    deals["count"] = len(hands)
    deals["holdings"][: len(hands)] = holdings(hands)
    left_out = np.where(mask, 0, 1).astype(np.int32)
    no_par = -1  # then the place for par results is not touched
    library.call("CalcAllTables", deals, no_par, left_out, tables, np.zeros(1, np.int32), threads=threads)
    return tables["tricks"][: len(hands)]


def apart(keys: np.ndarray) -> np.ndarray:
    """For each row of keys how many equal rows come before it.

    Within one call the library takes boards with the same cards, trump and leader for one
    and the same question, whatever their targets: each but the first would get the answer
    of the first. So such boards go into different calls.

    Parameters
    ----------
    keys : ndarray of uint64 [n, k]

    Returns
    -------
    ndarray of int64 [n]

    Examples
    --------
    >>> apart(np.array([[7, 1], [7, 2], [7, 1], [7, 1]], dtype=np.uint64)).tolist()
    [0, 0, 1, 2]
    """
    n = len(keys)
    order = np.lexsort(keys.T)
    equal = np.zeros(n, dtype=bool)
    equal[1:] = (keys[order[1:]] == keys[order[:-1]]).all(axis=1)
    place = np.arange(n)
    first = np.maximum.accumulate(np.where(equal, 0, place))
    before = np.empty(n, dtype=np.int64)
    before[order] = place - first
    return before


def long_first(hands: np.ndarray, *keys: np.ndarray) -> np.ndarray:
    """The order that begins with the deals that probably take longest; equal deals stand together.

    Measured on 400 deals in spades and notrump: voids and hands with few touching cards
    explain most of what the look of a deal says about the nodes searched (correlation 0.37
    with their logarithm; one void is worth seven sequences).
    """
    held = hands & np.uint64(FULL_DECK)
    tops = np.bitwise_count(held & ~(held << np.uint64(1))).sum(axis=1)  # lanes are apart, so none touch
    voids = (holdings(hands) == 0).sum(axis=(1, 2))
    return np.lexsort((*keys, *hands.T, -(tops + 7 * voids.astype(np.int64))))


def batches(
    kind: np.ndarray, each: int, threads: int | None, progress: Progress | None, most: int = MOST_BOARDS
) -> Iterator[np.ndarray]:
    """What goes into one call of the library after another.

    Parameters
    ----------
    kind : ndarray [n]
        Only what is of one kind shares a call.
    each : int
        Boards or deals of one call for each of the library's threads.
    threads, progress
        As for `solver.solve_boards`.
    most : int
        The library's limit for one call.

    Yields
    ------
    ndarray of int64
        Positions in `kind`; within a kind in their order.
    """
    size = min(most, each * library.threads_of(threads))
    order = np.argsort(kind, kind="stable")
    done = 0
    for group in np.split(order, np.flatnonzero(np.diff(kind[order])) + 1):
        for start in range(0, len(group), size):
            part = group[start : start + size]
            yield part
            done += len(part)
            if progress is not None:
                progress(done, len(kind))
