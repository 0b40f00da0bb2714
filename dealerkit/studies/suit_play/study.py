"""`suit`: the best play of a suit combination, single dummy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.appearance.content import show_condition
from dealerkit.arguments import Given, check_integer, check_positive, read_given
from dealerkit.cards.names import suit_number
from dealerkit.errors import ArgumentError, quote
from dealerkit.runtime.progress import long_work
from dealerkit.simulation.calls import read_text
from dealerkit.singledummy import (
    Combination,
    build_state,
    check_vacant,
    find_boundaries,
    is_symmetric,
    order_blocks,
    restrict_layouts,
    solve,
    split_blocks,
    sum_worlds,
    weigh_layouts,
)
from dealerkit.studies.provenance import repeatable
from dealerkit.studies.suit_play.hidden_hands import SeenHands, count_layouts
from dealerkit.studies.suit_play.result import SuitPlay, SuitProblem

SECONDS = 10.0


@long_work
@repeatable
def suit(
    north: str,
    south: str,
    tricks: int | None = None,
    *,
    west: str | None = None,
    east: str | None = None,
    vacant: Sequence[int] = (13, 13),
    given: Given | None = None,
    suit: str | int | None = None,
    entries: Mapping[str, int] | None = None,
    losers: int | None = None,
    lines: int = 6,
    seconds: float | None = SECONDS,
) -> SuitPlay:
    """Return the best play of a suit combination against best defence, exactly.

    The defenders see all cards and know declarer's line; declarer sees the cards that are played. Declarer
    leads to each trick, from either hand; a defender who wins a trick returns another suit. A line says what
    declarer plays after each play of the defenders, and its outcome in a layout is the smallest number of
    tricks that any defence allows there.

    Parameters
    ----------
    north, south : str
        The cards of the suit, ``"AQT98"``; x is the lowest card not used otherwise, ``""`` a void. Or two
        whole hands, ``"AQT98.AK2.AK2.32"``, with `suit`.
    tricks : int, optional
        The number of tricks needed; its line is shown as a tree and compared with the line that is best on
        average.
    west, east : str, optional
        What is known about a defender: cards, a length, or both, as in ``"K"``, ``"2-4"``, ``"K 3+"``.
    vacant : (int, int)
        Vacant places of west and east: their unknown cards, including those of this suit.
    given : str or Auction, optional
        A condition of the language on the hands of west and east that all deals meet. It needs whole hands,
        and must be one that can be counted.
    suit : str or int, optional
        The suit to play, if the hands are whole.
    entries : mapping of str to int, optional
        How often a hand can be entered in other suits, as in ``{"south": 1}``; a hand that is not named can
        be entered as often as needed. A lead uses an entry to its hand, unless this hand won the previous
        trick.
    losers : int, optional
        Number of tricks that may be lost; one more ends the play of the suit.
    lines : int
        Largest number of lines to show.
    seconds : float, optional
        Processor time after which bounds are returned instead of exact values, as after Ctrl-C; None: no
        limit.

    Returns
    -------
    SuitPlay
        Frozen, with `chances`, `mean`, `lines`, `layouts`, `frame`, `text` and HTML.

    Raises
    ------
    DealError
        Cards cannot be read, a card occurs twice, or ten or more cards are missing.
    ArgumentError
        There are more tricks than the longer hand has cards, or facts about the defenders contradict each
        other.

    Examples
    --------
    >>> play = suit("AQT98", "5432", tricks=4)
    >>> {level: round(chance, 4) for level, chance in play.chances.items()}
    {1: 1.0, 2: 1.0, 3: 1.0, 4: 0.8278, 5: 0.2657}
    >>> round(suit("AQT98", "5432", vacant=(7, 11)).chances[4], 3)
    0.703
    """
    # The cards, and the probability of each layout
    hands = None
    if "." in str(north) or "." in str(south):
        if suit is None:
            raise ArgumentError("north and south are whole hands; give the suit to play, as suit='spades'")
        hands = SeenHands.read(north, south)
        north, south = hands.find_holdings(suit)
    elif suit is not None:
        raise ArgumentError(
            "suit= needs whole hands, and north and south are cards of one suit; leave it out"
        )
    combination = Combination(north, south)
    weights, facts = _weigh(combination, hands, suit, west, east, vacant, given)
    # Cards that the facts distinguish are not equivalent
    boundaries = find_boundaries(combination, weights)
    state_entries, limit = _read_entries(entries), -1
    if losers is not None:
        limit = check_integer("losers", losers)
        facts.append(f"At most {limit} {'trick' if limit == 1 else 'tricks'} may be lost.")
    if state_entries is not None:
        facts.append(_describe_entries(state_entries))
    blocks = split_blocks(combination, boundaries)
    state = build_state(blocks, state_entries, limit)
    blocks = order_blocks(blocks, state)
    shares = sum_worlds(combination, blocks.groups, weights)
    # The goal
    if tricks is not None:
        tricks = check_integer("tricks", tricks, 1)
        combination.check_tricks(tricks)
    n_shown = check_integer("lines", lines, 1)
    if seconds is not None:
        check_positive("seconds", seconds, 10)
    solution = solve(state, shares, merge=is_symmetric(weights), seconds=seconds)
    problem = SuitProblem(combination, blocks, state, shares)
    return SuitPlay(problem, solution, tricks, n_shown, tuple(facts))


def _weigh(
    combination: Combination, hands: SeenHands | None, suit: Any, west: str | None, east: str | None,
    vacant: Sequence[int], given: Any,
) -> tuple[np.ndarray, list[str]]:  # fmt: skip
    """Return the weights of the layouts, and their assumptions in words."""
    facts = []
    places = check_vacant(vacant)
    if given is not None:
        if hands is None:
            raise ArgumentError(
                "given= is a condition on the hidden hands and needs the whole hands of north and south; "
                "write "
                "them as 'AQT98.AK2.AK2.32', with suit='spades'"
            )
        if places != (13, 13):
            raise ArgumentError("give vacant= or given=, not both: the condition decides the vacant places")
        given = read_text(read_given(given, hands.predeal))
        weights = count_layouts(combination, hands, suit_number(suit), given)
        facts.append(f"Given {show_condition(given)}.")
    else:
        weights = weigh_layouts(combination, (places[0], places[1]))
        if places != (13, 13):
            facts.append(f"Vacant places: west {places[0]}, east {places[1]}.")
    weights = weights * restrict_layouts(combination, west, east)
    facts += [f"{seat} has {text}." for seat, text in (("West", west), ("East", east)) if text is not None]
    if not weights.any():
        known = " and ".join(f"{seat} {text!r}" for seat, text in (("west", west), ("east", east)) if text)
        raise ArgumentError(
            f"no layout of the {len(combination.missing)} missing cards "
            f"{combination.format_ranks(combination.missing)} agrees with {known or 'the vacant places'}"
        )
    return weights, facts


def _read_entries(entries: Mapping[str, int] | None) -> tuple[int, int] | None:
    """Return the entries of north and south, -1 for any number; None if both have any number."""
    if entries is None:
        return None
    if not isinstance(entries, Mapping):
        raise ArgumentError(f"entries is {quote(entries, 40)}; give a hand and a number, as {{'south': 1}}")
    numbers = [-1, -1]
    for hand, number in entries.items():
        place = {"north": 0, "n": 0, "south": 1, "s": 1}.get(str(hand).lower())
        if place is None:
            raise ArgumentError(f"entries has {hand!r}; the hands of the declaring side are north and south")
        numbers[place] = check_integer("entries", number)
    return None if numbers == [-1, -1] else (numbers[0], numbers[1])


def _describe_entries(entries: tuple[int, int]) -> str:
    """Return the entries in words."""
    parts = [
        f"{hand} {'no entry' if not number else '1 entry' if number == 1 else f'{number} entries'}"
        for hand, number in zip(("north", "south"), entries, strict=True)
        if number >= 0
    ]
    other = "; any number in the other hand" if len(parts) == 1 else ""
    return f"Entries outside the suit: {', '.join(parts)}{other}."
