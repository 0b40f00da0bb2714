"""Events whose probability is predicted: game and slam in the strain played, or any condition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dealerkit.arguments import is_listing
from dealerkit.errors import ArgumentError, SmallSample, suggest_name, warn_caller
from dealerkit.studies.contract_patterns import LEVELS

NEEDED = {  # tricks in each strain
    "game": np.array(LEVELS["game"]) + 6,
    "slam": np.array(LEVELS["small slam"]) + 6,
    "grand slam": np.array(LEVELS["grand slam"]) + 6,
}
MIN_CASES = 10  # deals with the event, and without it
FEW_CASES = 30


def collect_events(
    events: Any, tricks: np.ndarray, strain: np.ndarray, evaluate: Callable[[str], np.ndarray]
) -> dict[str, np.ndarray]:
    """Return by name in which rows each event occurs: bool [rows].

    Parameters
    ----------
    events : iterable of str, or mapping of str to str
        ``game`` (10 tricks in a major, 11 in a minor, 9 in notrump), ``slam`` (12), ``grand slam`` (13), or
        conditions for north and south such as ``tricks >= 9``; a mapping gives them names.
    tricks : ndarray of float64 [shape=(rows,)]
        Of the side in the strain played.
    strain : ndarray of int [shape=(rows,)]
        S H D C N = 0..4.
    evaluate : function
        Returns the values of a condition: numbers [rows].

    Raises
    ------
    ArgumentError
        No event, or one that is no text.

    Examples
    --------
    >>> tricks, strain = np.array([10.0, 10.0, 12.0]), np.array([0, 2, 4])
    >>> found = collect_events(["game", "slam"], tricks, strain, evaluate=lambda text: tricks)
    >>> found["game"].tolist(), found["slam"].tolist()
    ([True, False, True], [False, False, True])
    """
    if isinstance(events, str):
        events = [events]
    if not is_listing(events):
        raise ArgumentError(f"events are {events!r:.60}; give a list such as ['game', 'slam', 'tricks >= 9']")
    given = list(events.items()) if isinstance(events, Mapping) else [(event, event) for event in events]
    if not given:
        raise ArgumentError("no event is given; give a list such as ['game', 'slam', 'tricks >= 9']")
    found = {}
    for name, event in given:
        if not isinstance(event, str):
            raise ArgumentError(f"{event!r:.60} is no event; give game, slam or a condition: 'tricks >= 9'")
        text = " ".join(event.lower().split())
        if text in NEEDED:
            found[str(name)] = tricks >= NEEDED[text][strain]
        elif event.isidentifier() and (close := suggest_name(text, NEEDED)):
            raise ArgumentError(f"unknown event {event!r}{close}; known: {', '.join(NEEDED)}, or a condition")
        else:
            found[str(name)] = np.asarray(evaluate(event)) != 0
    return found


def check_cases(name: str, event: np.ndarray, deal: np.ndarray) -> int:
    """Return the number of deals with the event, or without it if that is smaller; warn if it is small.

    Parameters
    ----------
    name : str
    event : ndarray of bool [shape=(rows,)]
    deal : ndarray of int [shape=(rows,)]
        Ascending, from 0.

    Raises
    ------
    ArgumentError
        Fewer than 10 deals.
    """
    deals = int(deal[-1]) + 1
    counts = [int(np.count_nonzero(np.bincount(deal, rows, deals))) for rows in (event, ~event)]
    cases = min(counts)
    verb = "occurs" if counts[0] <= counts[1] else "fails to occur"
    text = f"{name} {verb} in {cases} of {deals:,} deals"
    if cases < MIN_CASES:
        raise ArgumentError(f"{text}; its figures need {MIN_CASES}: give more deals, or leave {name} out")
    if cases < FEW_CASES:
        warn_caller(f"{text}; with fewer than {FEW_CASES} its intervals are approximate", SmallSample)
    return cases
