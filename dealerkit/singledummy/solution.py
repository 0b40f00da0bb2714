"""All lines of a suit that are not dominated; if time is short, some of them, with bounds."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from dealerkit.singledummy.fronts import pack, prune, unpack
from dealerkit.singledummy.search import ALL, OutOfTime, Search
from dealerkit.singledummy.states import State
from dealerkit.singledummy.strategies import list_outcomes

SHARE_EXACT = 0.5  # share of the time for the exact search; the rest is for the search with limited fronts
SHARE_AFTER = 0.1  # share of the time for the search with limited fronts after an interrupt
LIMITS = (2, 16, 128, 1024)  # limits of fronts that are tried one after another while there is time


@dataclass(frozen=True, eq=False)
class Solution:
    """The lines of a suit.

    Attributes
    ----------
    search : Search
        The search that has the fronts of the lines.
    outcomes : ndarray of bool [lines, tricks, worlds]
        Whether a line makes at least 1, 2, ... tricks in a world; False for impossible worlds.
    chances : dict of int to (float, float)
        Number of tricks to the lower and upper bound of the best line's probability; equal if it is exact.
    mean : tuple of (float, float)
        Lower and upper bound of the largest mean number of tricks.
    is_complete : bool
        Whether `outcomes` has all lines that are not dominated.
    reason : {"", "time", "interrupt"}
        Why it does not; empty if it does.
    """

    search: Search
    outcomes: np.ndarray
    chances: dict[int, tuple[float, float]]
    mean: tuple[float, float]
    is_complete: bool
    reason: str = ""


def solve(state: State, shares: np.ndarray, merge: bool = True, seconds: float | None = None) -> Solution:
    """Return the lines of a state.

    Parameters
    ----------
    state : State
    shares : ndarray of float [worlds]
        Probabilities of the worlds.
    merge : bool
        See `Search`.
    seconds : float, optional
        Processor time after which bounds are returned instead of exact values; Ctrl-C has the same effect at
        once. By default there is no limit.

    Returns
    -------
    Solution

    Examples
    --------
    >>> from dealerkit.singledummy.combination import Combination, split_blocks
    >>> from dealerkit.singledummy.priors import sum_worlds, weigh_layouts
    >>> from dealerkit.singledummy.strategies import build_state
    >>> combination = Combination("AQ432", "765")
    >>> blocks = split_blocks(combination)
    >>> shares = sum_worlds(combination, blocks.groups, weigh_layouts(combination))
    >>> solution = solve(build_state(blocks), shares)
    >>> {level: round(low, 4) for level, (low, high) in solution.chances.items()}
    {1: 1.0, 2: 0.9804, 3: 0.8478, 4: 0.3391, 5: 0.0}
    """
    start = time.thread_time()
    search = Search(merge, deadline=None if seconds is None else start + SHARE_EXACT * seconds)
    # Begin with few and many tricks, which are quick; if the time ends, the numbers between them are missing.
    levels = sorted(range(1, state.longest + 1), key=lambda level: min(level - 1, state.longest - level))
    exact: dict[int, float] = {}
    outcomes, reason = None, ""
    try:
        for level in levels:
            exact[level] = _find_best(list_outcomes(search, state, level), shares)
        outcomes = list_outcomes(search, state, ALL)
    except OutOfTime:
        reason = "time"
    except KeyboardInterrupt:
        reason = "interrupt"
    if outcomes is not None:
        search.deadline = None
        outcomes = _keep_possible(outcomes, shares)
        mean = float((outcomes.sum(axis=1) @ shares).max())
        best = {level: (exact[level], exact[level]) for level in sorted(exact)}
        return Solution(search, outcomes, best, (mean, mean), True)
    return _find_bounds(state, shares, search, exact, reason, start, seconds)


def _find_bounds(
    state: State, shares: np.ndarray, exact_search: Search, exact: dict[int, float], reason: str,
    start: float, seconds: float | None,
) -> Solution:  # fmt: skip
    """Return some lines with their correct outcomes, and upper bounds from double dummy."""
    double = exact_search.find_double_dummy(state)
    seconds = 10.0 if seconds is None else seconds
    end = start + seconds if reason == "time" else time.thread_time() + SHARE_AFTER * seconds
    search, outcomes, best = exact_search, double[:0], -1.0
    for limit in LIMITS:
        limited = Search(exact_search.merge, limit, None if limit == LIMITS[0] else end)
        try:
            found = _keep_possible(list_outcomes(limited, state, ALL), shares)
        except OutOfTime:
            break
        average = float((found.sum(axis=1) @ shares).max())
        if average > best:
            search, outcomes, best = limited, found, average
    search.deadline = None
    chances = {}
    for level in range(1, state.longest + 1):
        upper = exact.get(level, float((double >= level) @ shares))
        lower = float((outcomes[:, level - 1] @ shares).max())
        chances[level] = (exact.get(level, lower), upper)
    mean = best, sum(upper for _, upper in chances.values())
    return Solution(search, outcomes, chances, mean, False, reason)


def _find_best(outcomes: np.ndarray, shares: np.ndarray) -> float:
    return float((outcomes[:, 0] @ shares).max())


def _keep_possible(outcomes: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the outcomes set to False in impossible worlds, and without lines that are then dominated."""
    outcomes = outcomes & (shares > 0)
    n_bits = outcomes.shape[1] * outcomes.shape[2]
    kept = prune(pack(outcomes.reshape(len(outcomes), n_bits)))
    return unpack(kept, n_bits).astype(bool).reshape(len(kept), *outcomes.shape[1:])
