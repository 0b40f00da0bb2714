"""Double-dummy results of deals: tables, tricks, contracts that make.

Results in attached tables or in the store are not solved again; see `lookup`.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEAT_LETTERS, STRAIN_LETTERS
from dealerkit.doubledummy.arguments import find_deals, to_hands, to_seat_numbers, to_strain_numbers
from dealerkit.doubledummy.bounds import save_bounds
from dealerkit.doubledummy.lookup import look_up_tables, look_up_tricks
from dealerkit.doubledummy.solvers import use_solver
from dealerkit.errors import ArgumentError
from dealerkit.runtime.executors import use_executor
from dealerkit.runtime.progress import Progress, long_work
from dealerkit.scoring import parse_contracts


@long_work
def dd_table(
    deals: Any,
    strains: Any = STRAIN_LETTERS,
    declarers: Any = SEAT_LETTERS,
    *,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    executor: Any = None,
    checkpoint: str | os.PathLike | None = None,
    solver: str | None = None,
) -> np.ndarray:
    """Return tables of double-dummy tricks.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
        Known tricks in the attached column `tables` are used.
    strains, declarers : str or sequence of bool
        Results to return: letters of ``SHDCN`` and ``NESW``, or a truth value for each. Two declarers in one
        strain cost little more than one.
    threads : int, optional
        Number of threads of the solver.
    progress : bool, callable or None
        Whether to show a progress bar; None: on a terminal or in a notebook, after a second. Or
        ``progress(done, total)``, called with numbers of solver calculations. An interrupt keeps what is
        solved in the store, from which the next call continues.
    executor : distributed.Client, concurrent.futures.Executor or str, optional
        Solve in other processes, as for `dealerkit.run`; `threads` is then ignored.
    checkpoint : str or os.PathLike, optional
        A file that receives what is solved, every 10 seconds, at an interrupt and at the end. If it exists,
        the same call continues from it; a file of another call is refused.
    solver : {"auto", "dds", "own"}, optional
        The solver to use: the library DDS ("dds") or the solver of this package ("own"). By default that of
        the variable ``DEALERKIT_SOLVER``, otherwise ``auto``: DDS if it is installed. Both give the same
        numbers.

    Returns
    -------
    ndarray of int8 [n, 5, 4]
        Tricks 0..13 by strain (S H D C N) and declarer (N E S W); -1 for the other results.

    Raises
    ------
    DealError
        A deal does not have 52 cards, 13 in each hand; the message gives the index of the first.
    ArgumentError
        Strains or declarers are unknown, or there are none.
    FileError
        Something must be solved, and the library of the chosen solver is missing.

    Examples
    --------
    >>> suits = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    >>> dd_table(suits, "SN", "NE")[0].tolist()
    [[13, 0, -1, -1], [-1, -1, -1, -1], [-1, -1, -1, -1], [-1, -1, -1, -1], [0, 0, -1, -1]]
    """
    deals = _to_deals(deals)
    arguments = {"deals": deals, "strains": strains, "declarers": declarers}
    with (
        use_solver(solver),
        use_executor(executor) as workers,
        save_bounds(checkpoint, "dd_table", arguments) as store,
    ):
        return look_up_tables(
            deals, strains, declarers, threads=None if workers else threads, progress=progress, store=store
        )


@long_work
def dd_tricks(
    deals: Any,
    strain: Any,
    declarer: Any,
    *,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    executor: Any = None,
    checkpoint: str | os.PathLike | None = None,
    solver: str | None = None,
) -> np.ndarray:
    """Return declarer's double-dummy tricks in one strain.

    Parameters
    ----------
    deals
        As for `dd_table`.
    strain : int or str, or a sequence of n
        S H D C N = 0..4, or names and letters.
    declarer : int or str, or a sequence of n
        N E S W = 0..3, or names and letters.
    threads, progress, executor, checkpoint, solver
        As for `dd_table`.

    Returns
    -------
    ndarray of int8 [n], 0 to 13

    Raises
    ------
    DealError, ArgumentError, FileError
        As `dd_table`.

    Examples
    --------
    >>> suits = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    >>> dd_tricks([suits, suits], "hearts", ["east", "south"])
    array([13,  0], dtype=int8)
    """
    deals, strains, seats = _to_deals(deals), to_strain_numbers(strain), to_seat_numbers(declarer)
    arguments = {"deals": deals, "strain": strains, "declarer": seats}
    with (
        use_solver(solver),
        use_executor(executor) as workers,
        save_bounds(checkpoint, "dd_tricks", arguments) as store,
    ):
        return look_up_tricks(
            deals, strains, seats, threads=None if workers else threads, progress=progress, store=store
        )


@long_work
def dd_makes(
    deals: Any,
    contract: Any,
    declarer: Any,
    *,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    executor: Any = None,
    checkpoint: str | os.PathLike | None = None,
    solver: str | None = None,
) -> np.ndarray:
    """Return whether a contract makes, double dummy; solving this costs a sixth of the number of tricks.

    Parameters
    ----------
    deals
        As for `dd_table`.
    contract : str or Contract, or a sequence of n
        ``"4S"``, ``"3NT"``, ``"4Sx"``.
    declarer : int or str, or a sequence of n
        N E S W = 0..3, or names and letters.
    threads, progress, executor, checkpoint, solver
        As for `dd_table`.

    Returns
    -------
    ndarray of bool [n]

    Raises
    ------
    DealError, ArgumentError, FileError
        As `dd_table`; ArgumentError also for a text that is not a contract.

    Examples
    --------
    >>> suits = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    >>> dd_makes([suits, suits], ["7Sx", "1NT"], "north")
    array([ True, False])
    """
    deals = _to_deals(deals)
    level, strain, _ = parse_contracts(contract)
    if np.ndim(level) and len(level) != len(deals):
        raise ArgumentError(f"there are {len(level)} contracts for {len(deals)} deals")
    threshold, seats = level + 6, to_seat_numbers(declarer)
    arguments = {"deals": deals, "strain": strain, "declarer": seats, "tricks": threshold}
    with (
        use_solver(solver),
        use_executor(executor) as workers,
        save_bounds(checkpoint, "dd_makes", arguments) as store,
    ):
        return look_up_tricks(
            deals,
            strain,
            seats,
            threshold,
            threads=None if workers else threads,
            progress=progress,
            store=store,
        )


def _to_deals(deals: Any) -> Deals:
    """Return deals in any supported form as Deals."""
    found = find_deals(deals)
    return Deals(to_hands(deals)) if found is None else found
