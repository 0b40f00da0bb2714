"""Lines of play: the cards that declarer plays, found from the outcome that the line must reach.

A line is not stored. In each position, declarer can lead any card after which, whatever the defenders play,
some line reaches the outcome in all worlds that are still possible. The fronts of the search say which leads
these are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dealerkit.cards.names import RANKS
from dealerkit.singledummy.combination import Blocks
from dealerkit.singledummy.fronts import pack, unpack
from dealerkit.singledummy.search import ALL, Reply, Search, map_bits
from dealerkit.singledummy.states import LETTERS, Choice, State, list_leads, list_worlds

Card = tuple[int, int]  # hand and rank
EIGHT, TEN = 6, 8  # ranks


@dataclass(frozen=True, eq=False)
class Position:
    """A position of a line, at the beginning of a trick.

    Attributes
    ----------
    search : Search
        The search that has the fronts of the state.
    state : State
    blocks : Blocks
        The cards of the state.
    goal : int
        See `dealerkit.singledummy.search`.
    target : ndarray of bool [planes * worlds]
        The outcome that the line must reach; true bits are numbers of tricks that it must make in a world.
    is_known : bool
        Whether a defender has shown out, so that only one world is possible.
    """

    search: Search
    state: State
    blocks: Blocks
    goal: int
    target: np.ndarray
    is_known: bool = False

    @cached_property
    def is_open(self) -> bool:
        """Whether there may be a choice: cards are missing, tricks are needed, and the layout is unknown."""
        return bool(self.state.groups) and bool(self.target.any()) and not self.is_known

    @cached_property
    def leads(self) -> list[Choice]:
        """The leads that reach the target, the highest card of north first."""
        return [lead for lead in list_leads(self.state) if self._reaches(lead)]

    def list_thirds(self, lead: Choice, second: int) -> list[Choice | None]:
        """Return the cards of the hand opposite that reach the target, the highest first.

        Parameters
        ----------
        lead : Choice
            One of `leads`.
        second : int
            Group of the second hand's card; -1 if it shows out.
        """
        return [
            third
            for third in self.search.list_thirds(self.state, lead)
            if self._reaches_third(lead, third, second)
        ]

    def list_seconds(self, lead: Choice) -> list[int]:
        """Return the groups that the second hand may play from, and -1 if it may show out."""
        thirds = self.search.list_thirds(self.state, lead)
        return [
            second
            for second in self.search.list_seconds(self.state)
            if any(self.is_possible(reply) for reply in self.list_replies(lead, thirds[0], second))
        ]

    def list_replies(self, lead: Choice, third: Choice | None, second: int) -> Iterable[Reply]:
        """Yield the cards that the fourth hand may play, each with its trick."""
        return self.search.list_replies(self.state, lead, third, second)

    def is_possible(self, reply: Reply) -> bool:
        """Return whether the defenders can play their cards in a world that is still possible."""
        return not self.is_known or bool((self._possible & reply.valid).any())

    @cached_property
    def _possible(self) -> np.ndarray:
        n_worlds = len(list_worlds(self.state.groups))
        if not self.is_known:
            return np.ones(n_worlds, bool)
        possible: Any = self.target.reshape(-1, n_worlds).any(axis=0)
        return possible

    def _reaches(self, lead: Choice) -> bool:
        return all(
            any(
                self._reaches_third(lead, third, second)
                for third in self.search.list_thirds(self.state, lead)
            )
            for second in self.search.list_seconds(self.state)
        )

    def _reaches_third(self, lead: Choice, third: Choice | None, second: int) -> bool:
        for reply in self.list_replies(lead, third, second):
            position = self._follow(reply)
            if position is None or not position.is_covered:
                return False
        return True

    @cached_property
    def is_covered(self) -> bool:
        """Whether at least one line reaches the target."""
        if not self.target.any():
            return True
        target = pack(self.target[None, :])
        if self.is_known or not self.state.groups:
            front = self.search.find_bound(self.state, self.goal)
        else:
            front = self.search.find_front(self.state, self.goal)
        return bool((~(target & ~front).any(axis=1)).any())

    def _follow(self, reply: Reply) -> Position | None:
        """Return the position after a trick, without its cards; None if the target cannot be reached."""
        after = reply.trick.state
        goal = ALL if self.goal == ALL else max(self.goal - reply.trick.won, 0)
        if self.goal != ALL and goal == 0:
            goal, n_bits = 1, len(list_worlds(after.groups))
            target = np.zeros(n_bits, bool)  # the tricks of the goal are won, so nothing more is needed
        else:
            columns = map_bits(self.state, self.goal, reply)
            n_bits = len(list_worlds(after.groups)) * (after.longest if goal == ALL else 1)
            needed = np.zeros(n_bits + 2, bool)
            np.logical_or.at(needed, columns, self.target)
            if needed[n_bits]:
                return None
            target = needed[:n_bits]
        is_known = self.is_known or reply.second < 0 or reply.fourth < 0
        return Position(self.search, after, Blocks((), ()), goal, target, is_known)

    def follow(
        self, lead: Choice, third: Choice | None, reply: Reply, cards: tuple[int | None, ...] = (None, None)
    ) -> Position:
        """Return the position after a trick, with the cards that remain.

        Declarer plays the cards of `find_card`. `cards` are the ranks that the second and the fourth hand
        play, by default the lowest of their groups.
        """
        position = self._follow(reply)
        assert position is not None
        gone = {self.find_card(choice) for choice in (lead, third) if choice is not None}
        groups = [list(group) for group in self.blocks.groups]
        for group, card in zip((reply.second, reply.fourth), cards, strict=True):
            if group >= 0:
                groups[group].remove(groups[group][-1] if card is None else card)
        return position.place_cards(self.blocks, gone, groups, reply.trick.group_map)

    def place_cards(
        self, before: Blocks, gone: Iterable[Card], groups: list[list[int]], group_map: tuple[int, ...]
    ) -> Position:
        """Return the position with the cards of `before` except those that are gone, joined as by a trick."""
        gone = set(gone)
        runs = [[card for card in run if card not in gone] for run in before.runs]
        new_runs: list[list[Card]] = [runs[0]]
        new_groups: list[list[int]] = []
        for number, target in enumerate(group_map):
            if target < 0:
                new_runs[-1] = new_runs[-1] + runs[number + 1]
            elif target == len(new_groups):
                new_groups.append(list(groups[number]))
                new_runs.append(runs[number + 1])
            else:
                new_groups[target] += groups[number]
                new_runs[-1] = new_runs[-1] + runs[number + 1]
        blocks = order_blocks(Blocks(tuple(map(tuple, new_runs)), tuple(map(tuple, new_groups))), self.state)
        return Position(self.search, self.state, blocks, self.goal, self.target, self.is_known)

    def find_card(self, choice: Choice) -> Card:
        """Return the card of a choice: the highest of equivalent cards from the ten up, else the lowest."""
        run = self.blocks.runs[choice.run]
        place = choice.place
        if run[place][1] >= TEN:
            return run[place]
        while place + 1 < len(run) and run[place + 1][0] == choice.hand:
            place += 1
        return run[place]

    def describe_hands(self) -> str:
        """Return the cards of the declaring hands as text, such as ``AQT opposite 432``."""
        hands = ["".join(RANKS[rank] for rank in self._list_ranks(hand)) or "-" for hand in (0, 1)]
        return " opposite ".join(hands)

    def _list_ranks(self, hand: int) -> list[int]:
        """Return the ranks of a hand, the highest first."""
        return [rank for run in self.blocks.runs for owner, rank in run if owner == hand]

    def is_low(self, choice: Choice) -> bool:
        """Return whether a card is low: below all missing cards, or its hand's lowest up to the eight."""
        if choice.run == len(self.blocks.runs) - 1:
            return True
        cards = self._list_ranks(choice.hand)
        return self.find_highest(choice)[1] <= EIGHT and self.find_card(choice)[1] == cards[-1]

    def find_highest(self, choice: Choice) -> Card:
        """Return the highest of the equivalent cards of a choice."""
        return self.blocks.runs[choice.run][choice.place]


def order_blocks(blocks: Blocks, state: State) -> Blocks:
    """Return the blocks with the cards of each run in the order that a state has."""
    if state.entries is not None:
        return blocks
    return Blocks(
        tuple(tuple(sorted(run, key=lambda card: (card[0], -card[1]))) for run in blocks.runs), blocks.groups
    )


def build_state(blocks: Blocks, entries: tuple[int, int] | None = None, losers: int = -1) -> State:
    """Return the state before any card is played."""
    blocks = order_blocks(blocks, State((), (), entries=entries))
    runs = tuple("".join(LETTERS[hand] for hand, _ in run) for run in blocks.runs)
    return State(runs, tuple(map(len, blocks.groups)), -1, entries, losers)


def list_outcomes(search: Search, state: State, goal: int) -> np.ndarray:
    """Return the outcomes of all lines that are not dominated.

    Returns
    -------
    ndarray of bool [lines, planes, worlds]
        If the goal is a number of tricks, there is one plane; with `ALL`, the sum over the planes is the
        number of tricks.
    """
    front = search.find_front(state, goal)
    n_worlds, n_planes = len(list_worlds(state.groups)), state.longest if goal == ALL else 1
    return unpack(front, n_worlds * n_planes).astype(bool).reshape(len(front), n_planes, n_worlds)
