"""Where double-dummy answers come from: beside the deals, the store, bounds, and last the solver.

A question is a strain, a declarer and either nothing (how many tricks?) or a number (at least so
many?). `many` answers several about the same deals together. What is open after companions and
store is put to the solver in the cheapest way: a number that is known to within one trick and "at
least k" are single queries; two declarers of one strain are a row. A deal that occurs several times
is solved once, and what is learned goes to the store while solving proceeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEAT_LETTERS, STRAIN_LETTERS
from dealerkit.doubledummy.arguments import numbers, seat_mask, strain_mask
from dealerkit.doubledummy.batches import Progress
from dealerkit.doubledummy.bounds import Search
from dealerkit.doubledummy.ledger import Ledger, current_ledger
from dealerkit.doubledummy.store.database import current_store
from dealerkit.errors import ArgumentError

Question = tuple[Any, Any, Any]

STEP = 1 << 17  # deals looked up together


def tricks(
    deals: Deals, strain: Any, declarer: Any, ledger: Ledger | None = None, **options: Any
) -> np.ndarray:
    """Declarer's tricks, double dummy.

    Parameters
    ----------
    deals : Deals
        Its companion `tables` is believed.
    strain : int or ndarray of int [n]
        S H D C N = 0..4.
    declarer : int or ndarray of int [n]
        N E S W = 0..3.
    ledger : Ledger, optional
        Is added to.
    **options
        `threads` and `progress`, as for `many`.

    Returns
    -------
    ndarray of int8 [n], 0 to 13

    Raises
    ------
    DealError, ArgumentError, FileError
        As `many`.

    Examples
    --------
    >>> deals = Deals.from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    >>> tricks(deals.replace(tables=np.full((1, 5, 4), 7)), 0, 2)
    array([7], dtype=int8)
    """
    return many(deals, [(strain, declarer, None)], ledger, **options)[0]


def at_least(
    deals: Deals, strain: Any, declarer: Any, k: Any, ledger: Ledger | None = None, **options: Any
) -> np.ndarray:
    """Does declarer take at least k tricks? About six times cheaper to solve than how many.

    Parameters
    ----------
    deals, strain, declarer, ledger, **options
        As for `tricks`.
    k : int or ndarray of int [n]
        Any; 0 and less are always reached, 14 and more never.

    Returns
    -------
    ndarray of bool [n]

    Raises
    ------
    DealError, ArgumentError, FileError
        As `many`.
    """
    return many(deals, [(strain, declarer, k)], ledger, **options)[0]


def rows(deals: Deals, strain: Any, ledger: Ledger | None = None, **options: Any) -> np.ndarray:
    """Tricks of the four declarers in one strain.

    Parameters
    ----------
    deals, strain, ledger, **options
        As for `tricks`.

    Returns
    -------
    ndarray of int8 [n, 4], 0 to 13
        By declarer N E S W.
    """
    return np.stack(many(deals, [(strain, seat, None) for seat in range(4)], ledger, **options), axis=1)


def full_tables(
    deals: Deals,
    strains: Any = STRAIN_LETTERS,
    declarers: Any = SEAT_LETTERS,
    ledger: Ledger | None = None,
    **options: Any,
) -> np.ndarray:
    """Tables of tricks, of all or some strains and declarers.

    Parameters
    ----------
    deals, ledger, **options
        As for `tricks`.
    strains, declarers : str or sequence of bool
        Letters of ``SHDCN`` and ``NESW``, in any case, or a truth value for each.

    Returns
    -------
    ndarray of int8 [n, 5, 4]
        0 to 13 by strain (S H D C N) and declarer (N E S W); -1 where nothing was asked.

    Raises
    ------
    ArgumentError
        A letter that is no strain or no seat, or none at all.
    DealError, FileError
        As `many`.
    """
    chosen, seats = np.flatnonzero(strain_mask(strains)), np.flatnonzero(seat_mask(declarers))
    cells = [(s, d, None) for s in chosen.tolist() for d in seats.tolist()]
    table = np.full((len(deals), 5, 4), -1, np.int8)
    for (s, d, _), value in zip(cells, many(deals, cells, ledger, **options), strict=True):
        table[:, s, d] = value
    return table


def many(
    deals: Deals,
    questions: Sequence[Question],
    ledger: Ledger | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[np.ndarray]:
    """Answers to several questions about the same deals.

    Parameters
    ----------
    deals : Deals
    questions : sequence of (strain, declarer, k)
        Numbers or arrays [n]: strain S H D C N = 0..4, declarer N E S W = 0..3; k None for the
        number of tricks, else for whether there are at least k.
    ledger : Ledger, optional
        Is added to; else that of the `counting` around the call, if there is one.
    threads : int, optional
        Of the solver; else as `library.set_threads` said.
    progress : callable, optional
        ``progress(done, total)``, questions to the solver.

    Returns
    -------
    list of ndarray [n]
        For each question int8 tricks 0 to 13, or bool.

    Raises
    ------
    DealError
        A deal that must be looked up or solved has not 52 cards, 13 in each hand; with its index.
    ArgumentError
        A strain or declarer that is none, an array of another length.
    FileError
        Something must be solved, and the solver's library is missing.

    Examples
    --------
    >>> deals = Deals.from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    >>> deals, ledger = deals.replace(tables=np.full((1, 5, 4), 7)), Ledger()
    >>> many(deals, [(4, 2, None), (4, 2, 9)], ledger)
    [array([7], dtype=int8), array([False])]
    >>> ledger.companions
    2
    """
    n = len(deals)
    asked = [_checked(question, n) for question in questions]
    known = [_companion(deals.tables, strain, declarer, n) for strain, declarer, _ in asked]
    unknown = [values < 0 for values in known]
    results = [v if k is None else v >= k for v, (_, _, k) in zip(known, asked, strict=True)]
    count = Ledger(asked=n * len(asked))
    left = sum(int(mask.sum()) for mask in unknown)
    count.companions = count.asked - left
    need = np.flatnonzero(np.logical_or.reduce(unknown)) if left else np.empty(0, np.int64)
    try:
        for start in range(0, len(need), STEP):
            part = need[start : start + STEP]
            search = Search(deals, part, current_store(), count)
            for question, mask in zip(asked, unknown, strict=True):
                which = mask[part]
                search.ask(which, *(_of_rows(value, part[which]) for value in question))
            search.solve(threads, progress)
            for result, mask, answer in zip(results, unknown, search.answers(), strict=True):
                result[part[mask[part]]] = answer
    finally:
        into = current_ledger() if ledger is None else ledger
        if into is not None:
            into += count
    return results


def _of_rows(value: Any, rows: np.ndarray) -> Any:
    return value if value is None or np.ndim(value) == 0 else np.asarray(value)[rows]


def _checked(question: Question, n: int) -> Question:
    strain, declarer, k = question
    numbers("strain", strain, n, 4)
    numbers("declarer", declarer, n, 3)
    number = np.asarray(0 if k is None else k)
    if number.dtype.kind not in "iu" or number.shape not in ((), (n,)):
        raise ArgumentError(f"k is {k!r}; give a whole number of tricks, or {n} of them for {n} deals")
    return strain, declarer, k


def _companion(tables: np.ndarray | None, strain: Any, declarer: Any, n: int) -> np.ndarray:
    """Tricks as far as they stand beside the deals, else -1; a new array."""
    if tables is None:
        return np.full(n, -1, np.int8)
    if np.ndim(strain) == np.ndim(declarer) == 0:
        return tables[:, strain, declarer].copy()
    return tables[np.arange(n), strain, declarer]
