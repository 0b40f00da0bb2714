"""The batch solver: many deals, one question each, arrays in and arrays out.

Three questions, from dear to cheap: whole tables, rows (one strain, the four declarers), and
boards (one strain, one declarer), of which the cheapest is whether declarer makes at least k
tricks: six times cheaper than how many.

All three fill an array of results call by call of the library. Such an array may be given as
`out`: what is known in it (>= 0) is not asked again, and after a KeyboardInterrupt it holds all
that was solved before, so the same call once more goes on from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.cards.names import STRAIN_LETTERS
from dealerkit.cards.text import find_fault
from dealerkit.doubledummy.arguments import numbers, strain_mask
from dealerkit.doubledummy.library import MOST_BOARDS
from dealerkit.doubledummy.library_calls import Progress, apart, batches, long_first, solve_some, tables_of
from dealerkit.errors import ArgumentError, DealError

# Boards, rows of one strain and strains of tables in one call, for each thread. An interrupt waits
# until the call ends, and threads idle while its last board is solved: about a second of work for
# each thread loses 3 % (reckoned from the nodes of 400 boards at notrump; 4 % at half, 8 % at a third).
_QUERIES, _MAXIMA, _ROWS, _STRAINS = 100, 32, 24, 32


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
    """Declarer's tricks in one strain, or whether there are at least so many.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Deals; layout in `dealerkit.cards.names`.
    strain : int or ndarray of int [n]
        S H D C N = 0..4.
    declarer : int or ndarray of int [n]
        N E S W = 0..3.
    target : int or ndarray of int [n], optional
        Tricks 0..13 that declarer is to reach; 0 is always reached and not asked.
    threads : int, optional
        The library's threads; as `library.set_threads` said.
    progress : callable, optional
        ``progress(done, total)``, boards, after each call of the library.
    out : ndarray of int8 [n], optional
        Filled and returned; -1 where the answer is wanted, other entries stay.

    Returns
    -------
    ndarray of int8 [n]
        Tricks 0..13; with `target` 1 where declarer makes at least so many, else 0.

    Raises
    ------
    DealError
        With the index of the first deal that has not 52 cards, 13 in each hand.
    ArgumentError
        An array has not n entries or is out of range.
    FileError
        The solver library is missing.

    Examples
    --------
    >>> spades = np.array([[0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]], dtype=np.uint64)
    >>> solve_boards(spades, 0, [0]), solve_boards(spades, 1, 0, 1)  # north has all spades
    (array([13], dtype=int8), array([0], dtype=int8))
    """
    hands, result = _begun(hands, out)
    n = len(hands)
    strain = numbers("strain", strain, n, 4)
    declarer = numbers("declarer", declarer, n, 3)
    wanted = result < 0
    score = numbers("target", 0 if target is None else target, n, 13)
    if target is not None:
        result[wanted & (score == 0)] = 1
        wanted &= score > 0
    rows = np.flatnonzero(wanted)
    rows = rows[long_first(hands[rows], declarer[rows], strain[rows])]
    keys = np.column_stack((hands[rows], strain[rows], declarer[rows]))
    each = _MAXIMA if target is None else _QUERIES
    # The strains of a call may differ: few boards of each would leave threads without work.
    for part in batches(apart(keys), each, threads, progress):
        some = rows[part]
        # The library counts the tricks of the leader's side: the defence must not get 14 - k.
        goal: Any = -1 if target is None else 14 - score[some].astype(np.int32)
        leader = (declarer[some] + 1) % 4
        reached = solve_some(hands[some], strain[some], leader, goal, threads=threads)["score"][:, 0]
        # A goal out of reach has the score -1, or 0 where there is no card for goal 1.
        result[some] = 13 - reached if target is None else reached < goal
    return result


def solve_rows(
    hands: np.ndarray,
    strain: Any,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """The tricks of the four declarers in one strain: less than twice the work of one declarer.

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
    hands, result = _begun(hands, out, 4)
    strain = numbers("strain", strain, len(hands), 4)
    rows = np.flatnonzero((result < 0).any(axis=1))
    rows = rows[long_first(hands[rows])]
    for part in batches(strain[rows], _ROWS, threads, progress):
        some = rows[part]
        only = int(strain[some[0]])
        result[some] = tables_of(hands[some], np.arange(5) == only, threads)[:, only]
    return result


def solve_tables(
    hands: np.ndarray,
    strains: Any = STRAIN_LETTERS,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """Tables of double dummy tricks, of all strains or of some.

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
        Tricks 0..13 by strain (S H D C N) and declarer (N E S W); -1 in strains not asked.

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
    hands, result = _begun(hands, out, 5, 4)
    mask = strain_mask(strains)
    rows = np.flatnonzero((result[:, mask] < 0).any(axis=(1, 2)))
    rows = rows[long_first(hands[rows])]
    each = _STRAINS // int(mask.sum())
    most = MOST_BOARDS // int(mask.sum())
    for part in batches(np.zeros(len(rows)), each, threads, progress, most):
        some = rows[part]
        result[np.ix_(some, mask)] = tables_of(hands[some], mask, threads)[:, mask]
    return result


def _begun(hands: Any, out: np.ndarray | None, *shape: int) -> tuple[np.ndarray, np.ndarray]:
    """Hands, uint64 [n, 4], that all are deals, and the results int8 [n, *shape], -1 where one is wanted."""
    words = np.asarray(hands)
    if words.dtype != np.uint64 or words.ndim != 2 or words.shape[1] != 4:
        raise ArgumentError(
            f"hands is {words.dtype} {words.shape}; it takes uint64 (n, 4): north east south west"
        )
    if found := find_fault(words):
        raise DealError(
            f"deal {found[0]}: {found[1]}; only whole deals are solved here, positions by solve_board"
        )
    whole = (len(words), *shape)
    if out is None:
        out = np.full(whole, -1, dtype=np.int8)
    if out.dtype != np.int8 or out.shape != whole:
        raise ArgumentError(
            f"out is {out.dtype} {out.shape}; it takes int8 {whole}, -1 where an answer is wanted"
        )
    return words, out
