"""Using the deals of results: conditions that they meet, measures as columns, contracts that were played."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.arguments import Params
from dealerkit.cards.names import MISSING
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.studies.sides import PlayedContracts
from dealerkit.tournaments.frames import TournamentFrames
from dealerkit.tournaments.solving import Situations, known_deals

if TYPE_CHECKING:
    import pandas as pd


def find_known(read: TournamentFrames) -> np.ndarray:
    """Return the indices of the deals whose cards are known.

    Raises
    ------
    ArgumentError
        No deal has known cards.
    """
    known = np.flatnonzero(known_deals(read).hands[:, 0] != np.uint64(MISSING))
    if not len(known):
        raise ArgumentError(
            "the files have no cards; give the deals to dealerkit.results as ", Parameter("deals=")
        )
    return known


def select_results(read: TournamentFrames, condition: str | os.PathLike[str], params: Params) -> np.ndarray:
    """Return which results are from deals that meet a condition, bool [n]; unknown cards do not meet it."""
    known = find_known(read)
    # Evaluate each deal once, however many tables played it.
    meets = np.zeros(len(read.boards), bool)
    meets[known] = np.asarray(known_deals(read)[known].eval(condition, params=params)).astype(bool)
    return meets[read.results.deal_id.to_numpy()]


def evaluate_deals(
    read: TournamentFrames, names: tuple[str, ...], expressions: dict[str, Any], params: Params
) -> pd.DataFrame:
    """Return the results with measures of their deals as columns, which are missing if cards are unknown."""
    known = find_known(read)
    frame = known_deals(read)[known].to_frame(*names, params=params, **expressions).drop(columns="deal")
    for name in frame.columns:
        if name in read.results:
            raise ArgumentError(f"the results already have a column {name!r}; give the measure another name")
    # Repeat the values of deals for their results.
    frame.index = known
    joined = frame.reindex(read.results.deal_id.to_numpy())
    joined.index = read.results.index
    return read.results.join(joined)


def list_contracts(read: TournamentFrames) -> PlayedContracts:
    """Return the contracts that were played, if cards and tricks are known; tables of a deal are a cluster.

    Raises
    ------
    ArgumentError
        There is no such contract.
    """
    found = Situations(read)
    chosen = (found.tricks >= 0) & (read.results.kind.to_numpy()[found.rows] == "played")
    if not chosen.any():
        raise ArgumentError(
            "no result has a contract, tricks and known cards; give the deals to dealerkit.results as ",
            Parameter("deals="),
        )
    # Repeat the deal for each contract; its number is the cluster.
    deal = found.deal[chosen]
    deals = known_deals(read)[deal].replace(tables=None, weight=None, cluster=deal)
    strain, side = found.strain[chosen], found.declarer[chosen] % 2
    return PlayedContracts(
        deals, strain.astype(np.int8), side.astype(np.int8), found.tricks[chosen].astype(np.int8)
    )
