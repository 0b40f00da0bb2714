"""Tables of a library compared with the solver."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.names import SEATS, STRAINS
from dealerkit.doubledummy.lookup import look_up_tables
from dealerkit.errors import ArgumentError, FileError
from dealerkit.formats.library import Library
from dealerkit.formats.sampling import choose_numbers


class SolvedAgain(NamedTuple):
    """Deals whose tables equal those of the solver: numbers in the file, and the results compared."""

    numbers: np.ndarray
    n_results: int


def check_tables(
    library: Library, n: int = 20, seed: int | None = None, threads: int | None = None
) -> SolvedAgain:
    """Solve some deals of a library again: the first, the last, and others at random.

    Parameters
    ----------
    library : Library
    n : int
        How many deals; all, if there are not so many.
    seed : int or None
        Of the choice; None: a new one.
    threads : int or None
        Of the solver.

    Raises
    ------
    FileError
        A result differs; the message has the first that does, and how many differ.
    ArgumentError
        The deals have no tables.
    """
    n = min(check_integer("n", n, 1), len(library))
    seed = int.from_bytes(os.urandom(4), "little") if seed is None else check_integer("seed", seed)
    others = choose_numbers(len(library), n, seed)
    ends = np.array([0, len(library) - 1])[:n]
    chosen = np.unique(np.concatenate([ends, others[~np.isin(others, ends)][: n - len(ends)]]))
    part = library[chosen]
    deals = part.deals
    known = np.zeros(0, bool) if deals.tables is None else deals.tables >= 0
    if deals.tables is None or not known.any():
        raise ArgumentError(f"{library.content.name}: there are no tables in {n} deals of the file")
    solved = look_up_tables(deals.replace(tables=None), threads=threads)
    wrong = known & (solved != deals.tables)
    if wrong.any():
        row, strain, seat = np.argwhere(wrong)[0]
        raise FileError(
            f"{library.content.name}: {wrong.sum()} of {known.sum()} results differ from the solver's. Deal "
            f"{part.numbers[row]:,} has {deals.tables[row, strain, seat]} tricks for {SEATS[seat]} in "
            f"{STRAINS[strain]}, and the solver {solved[row, strain, seat]}"
        )
    return SolvedAgain(part.numbers, int(known.sum()))
