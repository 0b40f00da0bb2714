"""States of the play of one suit, the cards that can be played, and the worlds of the missing cards.

A state describes the suit from its highest card down as run, group, run, ..., run. A run consists of the
declaring side's cards between two groups; a group is a number of missing cards that are equivalent. A *world*
is the number of West's cards in each group; in the numbers of worlds, the last group changes fastest.

After a trick to which both defenders followed, every world of the remaining cards is possible, because the
cards that were played say nothing about them. So a state needs no memory of the play.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

NORTH, SOUTH = 0, 1
LETTERS = "NS"


class State(NamedTuple):
    """The cards that remain, and who may lead.

    Attributes
    ----------
    runs : tuple of str
        The hands that have the cards of each run, the highest card first, such as ``("N", "NS", "")``. If the
        order inside runs does not matter, north's cards come first.
    groups : tuple of int
        Number of missing cards in each group; there is one run more than there are groups.
    leader : int
        The hand, 0 or 1, that won the last trick of this suit and can lead without an entry; -1 if neither
        did, or if entries are unlimited.
    entries : tuple of (int, int), or None
        How many more times each hand can be entered in another suit; -1 means unlimited for this hand, None
        for both.
    losers : int
        Number of tricks that may still be lost before the play of the suit ends; -1 if unlimited, -2 if too
        many were lost.
    """

    runs: tuple[str, ...]
    groups: tuple[int, ...]
    leader: int = -1
    entries: tuple[int, int] | None = None
    losers: int = -1

    def count_cards(self, hand: int) -> int:
        """Return the number of cards of a hand."""
        return sum(run.count(LETTERS[hand]) for run in self.runs)

    @property
    def longest(self) -> int:
        """The number of tricks that can be played, which is the number of cards in the longer hand."""
        return max(self.count_cards(NORTH), self.count_cards(SOUTH))


class Choice(NamedTuple):
    """A card of the declaring side: its hand, its run, and its place in the run."""

    hand: int
    run: int
    place: int


def list_choices(state: State, hand: int) -> list[Choice]:
    """Return the distinct cards of a hand, the highest first; cards with none between them are equivalent."""
    letter = LETTERS[hand]
    return [
        Choice(hand, number, place)
        for number, run in enumerate(state.runs)
        for place, card in enumerate(run)
        if card == letter and (place == 0 or run[place - 1] != letter)
    ]


def list_leads(state: State) -> list[Choice]:
    """Return the cards that can be led; a hand that did not win the last trick needs an entry."""
    if state.losers == -2:  # more tricks were lost than allowed
        return []
    leads = []
    for hand in (NORTH, SOUTH):
        if state.entries is None or state.leader == hand or state.entries[hand]:
            leads += list_choices(state, hand)
    return leads


class Trick(NamedTuple):
    """The state after a trick.

    Attributes
    ----------
    state : State
        The state after the trick.
    won : int
        1 if the declaring side won it, otherwise 0.
    group_map : tuple of int
        For each group before the trick, the group of its cards afterwards; -1 if no cards remain.
    """

    state: State
    won: int
    group_map: tuple[int, ...]


@lru_cache(maxsize=1_000_000)
def play_trick(
    state: State, lead: Choice, third: Choice | None, groups: tuple[int, ...], merge: bool
) -> Trick:
    """Return the state after a trick.

    Parameters
    ----------
    state : State
    lead : Choice
    third : Choice or None
        The card of the hand opposite; None if that hand has no card left.
    groups : tuple of int
        Groups of the defenders' cards: two, one if a defender showed out, or none.
    merge : bool
        Join the groups on both sides of a run that has become empty.

    Returns
    -------
    Trick
    """
    own = [lead] if third is None else [lead, third]
    best = min(own, key=lambda card: card[1:])
    won = not groups or best.run <= min(groups)
    # Remove the cards.
    runs, counts = list(state.runs), list(state.groups)
    for card in sorted(own, key=lambda card: card[1:], reverse=True):
        run = runs[card.run]
        runs[card.run] = run[: card.place] + run[card.place + 1 :]
    for group in groups:
        counts[group] -= 1
    # Join runs and groups that nothing separates any longer.
    played = {card.run for card in own}
    new_runs: list[str] = [runs[0]]
    new_groups: list[int] = []
    group_map: list[int] = []
    for number, count in enumerate(counts):
        if not count:
            group_map.append(-1)
            new_runs[-1] += runs[number + 1]
            continue
        previous = len(new_groups) - 1
        if merge and previous >= 0 and not new_runs[-1] and _is_emptied(state, runs, counts, number, played):
            new_groups[previous] += count
            group_map.append(previous)
            new_runs[-1] = runs[number + 1]
            continue
        new_groups.append(count)
        group_map.append(len(new_groups) - 1)
        new_runs.append(runs[number + 1])
    # Find who may lead next.
    leader, entries, losers = -1, state.entries, state.losers
    if not won and losers >= 0:
        losers = losers - 1 if losers else -2
    if entries is None:
        new_runs = ["".join(sorted(run)) for run in new_runs]
    else:
        if lead.hand != state.leader and entries[lead.hand] > 0:
            left = list(entries)
            left[lead.hand] -= 1
            entries = left[0], left[1]
        leader = best.hand if won else -1
    return Trick(
        State(tuple(new_runs), tuple(new_groups), leader, entries, losers), int(won), tuple(group_map)
    )


def _is_emptied(state: State, runs: list[str], counts: list[int], number: int, played: set[int]) -> bool:
    """Return whether the trick emptied a run between a group and the next remaining group above it."""
    while number >= 0:
        if number in played and state.runs[number] and not runs[number]:
            return True
        number -= 1
        if counts[number]:
            return False
    return False


@lru_cache(maxsize=100_000)
def list_worlds(groups: tuple[int, ...]) -> np.ndarray:
    """Return all worlds as West's number of cards in each group, int64 [worlds, groups].

    >>> list_worlds((1, 2))[:, 1].tolist()
    [0, 1, 2, 0, 1, 2]
    """
    shape = tuple(count + 1 for count in groups)
    return np.indices(shape).reshape(len(groups), -1).T if groups else np.zeros((1, 0), np.int64)


@lru_cache(maxsize=1_000_000)
def map_worlds(
    groups: tuple[int, ...], group_map: tuple[int, ...], next_groups: tuple[int, ...], west: int, east: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the world after a trick for each world before it, and in which worlds the trick is possible.

    Parameters
    ----------
    groups, next_groups : tuple of int
        Groups before and after the trick.
    group_map : tuple of int
        See `Trick`.
    west, east : int
        Groups of the cards that the defenders play; -1 if the defender has no card of the suit.

    Returns
    -------
    worlds : ndarray of int64 [worlds before]
        Number of the world after the trick; 0 if the trick is impossible.
    valid : ndarray of bool [worlds before]
        Whether the trick is possible.
    """
    before = list_worlds(groups)
    counts = np.array(groups, np.int64)
    valid = before[:, west] > 0 if west >= 0 else ~before.any(axis=1)
    valid = valid & (before[:, east] < counts[east] if east >= 0 else (before == counts).all(axis=1))
    after = np.zeros((len(before), len(next_groups)), np.int64)
    for group, target in enumerate(group_map):
        if target >= 0:
            after[:, target] += before[:, group] - (group == west)
    worlds = np.zeros(len(before), np.int64)
    for count, column in zip(next_groups, after.T, strict=True):
        worlds = worlds * (count + 1) + column
    return np.where(valid, worlds, 0), valid
