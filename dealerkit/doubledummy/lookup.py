"""Double-dummy results of deals, looked up or solved: the entry point for all other packages.

A query is a strain, a declarer and a threshold: None for the number of tricks, or a number k for "does
declarer take at least k tricks?". A result comes from the first source that has it:

1. **attached**: the attached column `tables` of the deals, which is assumed to be correct;
2. **stored**: the number of tricks in the store of earlier results (`store.database`);
3. **bounded**: known bounds that decide a threshold, such as "at most 8" for k = 9 (`bounds`);
4. **solved**: the solver (`batches`), called in the cheapest way. A threshold, or a number known to
   within one trick, needs one threshold test; two declarers of one strain are solved as a row of four.

Equal deals are solved once, and new results are written to the store during solving. The open `Ledger` counts
each result under its source.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEAT_LETTERS, STRAIN_LETTERS
from dealerkit.doubledummy.arguments import to_numbers, to_seat_mask, to_strain_mask
from dealerkit.doubledummy.bounds import SavedBounds, TrickBounds
from dealerkit.doubledummy.ledger import Ledger, current_ledger
from dealerkit.doubledummy.store.database import current_store
from dealerkit.errors import ArgumentError
from dealerkit.runtime.progress import Progress, show_progress

BATCH = 1 << 17  # deals that are looked up together

_last = threading.local()  # `tables`: hands, tables and known attached tricks of the last `share_tables`


class Query(NamedTuple):
    """A double-dummy query; each field is a number or an ndarray of int [n].

    Parameters
    ----------
    strain : int or ndarray
        S H D C N = 0..4.
    declarer : int or ndarray
        N E S W = 0..3.
    threshold : int, ndarray or None
        None for the number of tricks; otherwise for whether declarer takes at least that many: 0 or less is
        always reached, 14 or more never. Solving it costs about a sixth of the number of tricks.
    """

    strain: Any
    declarer: Any
    threshold: Any = None


def look_up(
    deals: Deals,
    queries: Sequence[Query | tuple],
    *,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    store: SavedBounds | None = None,
) -> list[np.ndarray]:
    """Return the results of several queries about the same deals.

    Parameters
    ----------
    deals : Deals
    queries : sequence of Query, or of tuples with its fields
    threads : int, optional
        Number of threads of the solver; by default that of `library.set_threads`.
    progress : bool, callable or None
        Whether to show a progress bar; None: on a terminal or in a notebook, after a second. Or
        ``progress(done, total)``, called with numbers of solver calculations, weighted by their usual time.
    store : SavedBounds, optional
        Store of a checkpoint, used instead of the current store.

    Returns
    -------
    list of ndarray [n]
        For each query, int8 tricks 0 to 13, or bool.

    Raises
    ------
    DealError
        A deal without attached results does not have 52 cards, 13 in each hand; the message gives its index.
    ArgumentError
        A strain or declarer is unknown, or an array has another length.
    FileError
        Something must be solved, but the solver's library is missing.

    Examples
    --------
    >>> from dealerkit.doubledummy.ledger import open_ledger
    >>> deals = Deals.from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    >>> deals = deals.replace(tables=np.full((1, 5, 4), 7))
    >>> with open_ledger() as ledger:
    ...     look_up(deals, [(4, 2), (4, 2, 9)])
    [array([7], dtype=int8), array([False])]
    >>> ledger.attached
    2
    """
    n = len(deals)
    # Attached tables answer what they can
    checked = [_check_query(Query(*query), n) for query in queries]
    attached = [_attached_tricks(deals.tables, strain, declarer, n) for strain, declarer, _ in checked]
    missing = [tricks < 0 for tricks in attached]
    results = [
        tricks if query.threshold is None else tricks >= query.threshold
        for tricks, query in zip(attached, checked, strict=True)
    ]
    n_missing = sum(int(mask.sum()) for mask in missing)
    ledger = Ledger(requested=n * len(checked), attached=n * len(checked) - n_missing)
    # Everything else is looked up in the store, or solved, in batches of deals
    rows = np.flatnonzero(np.logical_or.reduce(missing)) if n_missing else np.empty(0, np.int64)
    try:
        with show_progress(progress, "calculations") as report:
            for start in range(0, len(rows), BATCH):
                part = rows[start : start + BATCH]
                bounds = TrickBounds(deals, part, store or current_store(), ledger)
                for query, mask in zip(checked, missing, strict=True):
                    chosen = mask[part]
                    bounds.add_query(chosen, *(_take_rows(value, part[chosen]) for value in query))
                bounds.solve(threads, partial(_report_part, report, len(rows), start, len(part)))
                for result, mask, values in zip(results, missing, bounds.results(), strict=True):
                    result[part[mask[part]]] = values
    finally:
        if (opened := current_ledger()) is not None:
            opened += ledger
    return results


def look_up_tricks(
    deals: Deals, strain: Any, declarer: Any, threshold: Any = None, **options: Any
) -> np.ndarray:
    """Return the result of one query: declarer's tricks, or whether they reach a threshold.

    Parameters
    ----------
    deals : Deals
    strain, declarer, threshold
        The fields of `Query`.
    **options
        `threads`, `progress` and `store`, as for `look_up`.

    Returns
    -------
    ndarray [n]
        int8 tricks 0 to 13, or bool; errors are those of `look_up`.
    """
    return look_up(deals, [Query(strain, declarer, threshold)], **options)[0]


def look_up_tables(
    deals: Deals, strains: Any = STRAIN_LETTERS, declarers: Any = SEAT_LETTERS, **options: Any
) -> np.ndarray:
    """Return tables of tricks, for all or some strains and declarers.

    Parameters
    ----------
    deals : Deals
    strains, declarers : str or sequence of bool
        Letters of ``SHDCN`` and ``NESW``, in upper or lower case, or a truth value for each.
    **options
        `threads`, `progress` and `store` of `look_up`.

    Returns
    -------
    ndarray of int8 [n, 5, 4]
        0 to 13 by strain (S H D C N) and declarer (N E S W); -1 for results that were not requested.

    Raises
    ------
    ArgumentError
        A letter is unknown, or there is none.
    DealError, FileError
        As `look_up`.
    """
    pairs = np.argwhere(np.outer(to_strain_mask(strains), to_seat_mask(declarers))).tolist()
    cells = [Query(strain, declarer) for strain, declarer in pairs]
    table = np.full((len(deals), 5, 4), -1, np.int8)
    for (strain, declarer, _), tricks in zip(cells, look_up(deals, cells, **options), strict=True):
        table[:, strain, declarer] = tricks
    return table


def share_tables(deals: Deals) -> np.ndarray:
    """Return complete tables, read-only int8 [n, 5, 4]; those of the last deals are kept for the next call.

    The items of a report line use par and tricks of the same deals in successive calls.
    """
    attached = np.full((len(deals), 5, 4), -1, np.int8) if deals.tables is None else deals.tables
    hands, tables, was_attached = getattr(_last, "tables", (lambda: None, attached, attached))
    if hands() is not deals.hands or np.where(attached < 0, was_attached, attached != tables).any():
        tables = look_up_tables(deals)
        tables.flags.writeable = False
        _last.tables = weakref.ref(deals.hands), tables, attached >= 0
    return tables


def _report_part(report: Progress, n_rows: int, start: int, size: int, done: int, total: int) -> None:
    """Report the progress of a part of the rows as progress of all, assuming equal times."""
    report((start * total + done * size) // size, n_rows * total // size)


def _take_rows(value: Any, rows: np.ndarray) -> Any:
    """Return the field of a query for some rows."""
    return value if value is None or np.ndim(value) == 0 else np.asarray(value)[rows]


def _check_query(query: Query, n: int) -> Query:
    """Return the query, or raise ArgumentError."""
    to_numbers("strain", query.strain, n, 4)
    to_numbers("declarer", query.declarer, n, 3)
    threshold = np.asarray(0 if query.threshold is None else query.threshold)
    if threshold.dtype.kind not in "iu" or threshold.shape not in ((), (n,)):
        raise ArgumentError(
            f"threshold is {query.threshold!r}; give a whole number of tricks, or {n} of them for {n} deals"
        )
    return query


def _attached_tricks(tables: np.ndarray | None, strain: Any, declarer: Any, n: int) -> np.ndarray:
    """Return a new array of the tricks in the attached tables, -1 where they are unknown."""
    if tables is None:
        return np.full(n, -1, np.int8)
    if np.ndim(strain) == np.ndim(declarer) == 0:
        return tables[:, strain, declarer].copy()
    return tables[np.arange(n), strain, declarer]
