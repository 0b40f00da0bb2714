"""Unusual deals with their double-dummy tables, beside the sample of random deals.

Random deals have few freaks, slams and misfits. These deals have many: some train the trick model, so that it
knows such hands, and others measure its errors on them. `POPULATIONS` has the conditions, `SEEDS` the seeds,
and ``data/unusual_deals.npz`` the solved deals.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import dealerkit as dk
from dealerkit.cards.deals import Deals
from dealerkit.formats.checking import check_pairing
from dealerkit.runtime.files import write_atomically

FILE = Path(__file__).parents[2] / "data" / "unusual_deals.npz"
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


def solve_populations(path: Path = FILE) -> None:
    """Solve all populations and write the file: `hands` [6, 1700, 3] and `tables` [6, 1700, 5, 4].

    Hands are those of north, east and south. Of each population the held-out deals come first.
    The store of solved deals keeps what is solved, so that an interrupted command goes on where it was.
    """
    solved: dict[tuple[str, str], Deals] = {}
    for part in PARTS:  # those that measure the model first
        for name in POPULATIONS:
            deals = deal_population(name, part)
            tables = [
                dk.dd_table(deals[first : first + N_AT_ONCE], progress=False)
                for first in range(0, len(deals), N_AT_ONCE)
            ]
            solved[name, part] = deals.replace(tables=np.concatenate(tables))
            check_pairing(solved[name, part], name)
            print(f"{name}, {part}: {len(deals):,} deals", flush=True)
    arrays: dict[str, Any] = {
        "hands": np.stack(
            [np.concatenate([solved[name, part].hands[:, :3] for part in PARTS]) for name in POPULATIONS]
        ),
        "tables": np.stack(
            [np.concatenate([solved[name, part].tables for part in PARTS]) for name in POPULATIONS]
        ),
    }
    with write_atomically(path) as beside, open(beside, "wb") as file:
        np.savez_compressed(file, **arrays)


def load_population(name: str, part: str, path: Path = FILE) -> Deals:
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
    n_held_out = PARTS["held out"][0]
    chosen = slice(0, n_held_out) if part == "held out" else slice(n_held_out, None)
    with np.load(path) as stored:
        three, tables = stored["hands"][place, chosen], stored["tables"][place, chosen]
    full = np.uint64(0x1FFF_1FFF_1FFF_1FFF)
    west = full & ~np.bitwise_or.reduce(three, axis=1)
    return Deals(np.concatenate([three, west[:, None]], axis=1), tables=tables)
