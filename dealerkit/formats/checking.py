"""Checks that double-dummy tables belong to their deals: by statistics, and by solving some deals again.

A file in which each deal has the table of the next deal, or of the other side, or with strains in another
order, looks like a good file. Two correlations, measured on solved deals, distinguish them:

===================================================  ====  =======  ======  ========
correlation over deals                               true  shifted  turned  reversed
===================================================  ====  =======  ======  ========
points of north-south, north's notrump tricks        0.86     0.04   -0.86      0.68
club length, tricks in clubs minus those in notrump  0.73    -0.01             -0.73
===================================================  ====  =======  ======  ========

"Shifted": tables of the next deal; "turned": tables of the next seat; "reversed": strains in the opposite
order.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, STRAINS
from dealerkit.doubledummy.lookup import look_up_tables
from dealerkit.errors import ArgumentError, FileError
from dealerkit.formats.library import Library, choose_numbers

MIN_DEALS = 100  # from this many deals on, correlations are within 0.1 of those above
MIN_CORRELATION = 0.5
# In random deals, the standard deviations are 4.8 points and 1.8 clubs; selected deals may be too similar.
_MIN_SPREADS = (3.5, 1.2)
_HONOURS = [(np.uint64(0x1000_1000_1000_1000 >> k), 4 - k) for k in range(4)]
_CLUBS = np.uint64(0x1FFF)


def check_pairing(deals: Deals, name: str) -> list[str]:
    """Check a sample of a file, and return the reasons why a check was impossible.

    Parameters
    ----------
    deals : Deals
        They must have tables; deals whose table is unknown are ignored.
    name : str
        Name of the file.

    Returns
    -------
    list of str
        Reasons why a check was impossible; empty if both checks were made.

    Raises
    ------
    FileError
        The tables do not belong to the deals.
    """
    assert deals.tables is not None
    solved = deals[np.asarray((deals.tables >= 0).all(axis=(1, 2)))]
    if len(solved) < MIN_DEALS:
        return [
            f"whether the tables belong to the deals: {len(solved)} are solved; the check needs {MIN_DEALS}"
        ]
    # Measures of north and south, and corresponding tricks of north: see the table in the module docstring.
    assert solved.tables is not None
    pair, north = solved.hands[:, [0, 2]], solved.tables[:, :, 0].astype(float)
    points = sum(value * np.bitwise_count(pair & cards).sum(axis=1, dtype=float) for cards, value in _HONOURS)
    clubs = np.bitwise_count(pair & _CLUBS).sum(axis=1, dtype=float)
    checks = [
        (points, north[:, 4], "the points of north and south", "north's tricks in notrump", 0.86),
        (
            clubs,
            north[:, 3] - north[:, 4],
            "the number of their clubs",
            "north's tricks in clubs minus those in notrump",
            0.73,
        ),
    ]
    # Deals that are all alike, such as those of a condition, have no correlation to compare.
    unchecked = []
    for (measure, tricks, what, other, usual), least in zip(checks, _MIN_SPREADS, strict=True):
        if measure.std() < least:
            unchecked.append(
                f"whether tricks depend on {what} as usual (the deals are selected, so these hardly differ)"
            )
            continue
        correlation = float(np.corrcoef(measure, tricks)[0, 1]) if tricks.std() else 0.0
        if correlation < MIN_CORRELATION:
            reason = (
                "the tables belong to other deals, or to other seats"
                if measure is points
                else "the strains of the tables are in another order"
            )
            raise FileError(
                f"{name}: {reason}. The correlation of {what} with {other} is "
                f"{round(correlation, 2) + 0.0:.2f} in {len(solved)} deals of the file, but about {usual} "
                "with correct tables; get a new copy of the file"
            )
    return unchecked


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
        Number of deals; all deals if there are fewer.
    seed : int or None
        Seed of the choice; None takes a new one.
    threads : int or None
        Number of threads of the solver.

    Returns
    -------
    SolvedAgain

    Raises
    ------
    FileError
        A result differs; the message gives the first and how many differ.
    ArgumentError
        The deals have no tables.
    """
    # Include the first and the last deal, at which a shifted file shows.
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
    # Unknown results, -1, are not compared.
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
