"""Unusual deals with their double-dummy tables, beside the sample of random deals.

Random deals have few freaks, slams and misfits. These deals have many: some train the trick model, so that it
knows such hands, and others measure its errors on them. `POPULATIONS` has the conditions, `SEEDS` the seeds,
and the files ``data/unusual_deals_*.npz`` have the solved deals.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import dealerkit as dk
from dealerkit.cards.deals import Deals
from dealerkit.formats.checking import check_pairing
from dealerkit.formats.sample import add_west
from dealerkit.runtime.files import write_atomically

FOLDER = Path(__file__).parents[2] / "data"
POPULATIONS = {
    "neither side has eight cards of a suit": "fit(NS) <= 7 and fit(EW) <= 7",
    "north-south have at most 6 points": "hcp(north) + hcp(south) <= 6",
    "north-south have two fits of nine cards": " + ".join(
        f"(fit(NS, {suit}) >= 9)" for suit in ("spades", "hearts", "diamonds", "clubs")
    )
    + " >= 2",
    "north has 7-4 or longer suits": "shape{north, (74+xx) + (8+xxx)}",
    "north-south have 31 points and a fit": "hcp(north) + hcp(south) >= 31 and fit(NS) >= 8",
    "north has nine cards of a suit": "shape{north, (9+xxx)}",
}
PARTS = {
    "held out": (700, 20261127),
    "training": (1_000, 20261128),
}  # deals of each population, and their seed
N_AT_ONCE = 250


def deal_population(name: str, part: str) -> Deals:
    """Return the deals of a population, unsolved."""
    n_deals, seed = PARTS[part]
    return dk.deal(n_deals, given=POPULATIONS[name], seed=seed)


def solve_part(part: str, folder: Path = FOLDER) -> Path:
    """Solve a part of all populations and write its file: `hands` [6, n, 3] and `tables` [6, n, 5, 4].

    Hands are those of north, east and south. The store of solved deals keeps what is solved, so that an
    interrupted command goes on where it was.
    """
    solved: list[Deals] = []
    for name in POPULATIONS:
        deals = deal_population(name, part)
        tables = [
            dk.dd_table(deals[first : first + N_AT_ONCE], progress=False)
            for first in range(0, len(deals), N_AT_ONCE)
        ]
        solved.append(deals.replace(tables=np.concatenate(tables)))
        check_pairing(solved[-1], name)
        print(f"{name}, {part}: {len(deals):,} deals", flush=True)
    path = find_file(part, folder)
    with write_atomically(path) as beside, open(beside, "wb") as file:
        np.savez_compressed(
            file,
            hands=np.stack([deals.hands[:, :3] for deals in solved]),
            tables=np.stack([np.asarray(deals.tables, np.int8) for deals in solved]),
        )
    return path


def find_file(part: str, folder: Path = FOLDER) -> Path:
    """Return the file of a part.

    >>> find_file("held out").name
    'unusual_deals_held_out.npz'
    """
    return folder / f"unusual_deals_{part.replace(' ', '_')}.npz"


def load_population(name: str, part: str, folder: Path = FOLDER) -> Deals:
    """Return the solved deals of a part of a population.

    Parameters
    ----------
    name : str
        Of `POPULATIONS`.
    part : {"held out", "training"}

    Returns
    -------
    Deals
        With complete `tables`: 700 held-out deals, or 1,000 for training.
    """
    place = list(POPULATIONS).index(name)
    with np.load(find_file(part, folder)) as stored:
        hands, tables = stored["hands"][place], stored["tables"][place]
    return Deals(add_west(hands), tables=tables)
