"""Results of deals that meet a condition, and evaluations of the deals as columns of results."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.arguments import Params
from dealerkit.cards.names import MISSING
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.tournaments.data import TournamentFrames
from dealerkit.tournaments.solving import known_deals

if TYPE_CHECKING:
    import pandas as pd


def find_known(read: TournamentFrames) -> np.ndarray:
    """Return the numbers of the deals whose cards are known.

    Raises
    ------
    ArgumentError
        No cards are known.
    """
    known = np.flatnonzero(known_deals(read).hands[:, 0] != np.uint64(MISSING))
    if not len(known):
        raise ArgumentError("the files have no cards; dealerkit.results takes them as ", Parameter("deals="))
    return known


def select_results(read: TournamentFrames, condition: str | os.PathLike[str], params: Params) -> np.ndarray:
    """Return which results are of deals that meet a condition, bool [n]; those of unknown cards are not."""
    known = find_known(read)
    meets = np.zeros(len(read.boards), bool)
    meets[known] = np.asarray(known_deals(read)[known].eval(condition, params=params)).astype(bool)
    return meets[read.results.deal_id.to_numpy()]


def evaluate_deals(
    read: TournamentFrames, names: tuple[str, ...], expressions: dict[str, Any], params: Params
) -> pd.DataFrame:
    """Return the results with measures of their deals as columns, missing where the cards are unknown."""
    known = find_known(read)
    frame = known_deals(read)[known].to_frame(*names, params=params, **expressions).drop(columns="deal")
    for name in frame.columns:
        if name in read.results:
            raise ArgumentError(f"the results have a column {name!r}; give the measure another name")
    frame.index = known
    joined = frame.reindex(read.results.deal_id.to_numpy())
    joined.index = read.results.index
    return read.results.join(joined)
