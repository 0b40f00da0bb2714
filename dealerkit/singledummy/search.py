"""The search for all lines of play of a suit that no other line dominates.

The model is that of best defence (Frank and Basin 1998): the defenders see all cards and know declarer's
line, while declarer sees only the cards that were played. A line is a pure strategy. Its outcome in a world
is the number of tricks that it makes against any defence in this world. A line is described by the vector of
its outcomes, one for each world.

The search goes through the states as αμ does (Cazenave and Ventos 2019), with sets of vectors instead of
numbers. A defender chooses in each world separately, so the result is the pairwise "and" of two fronts.
Declarer chooses once for all worlds that look the same, so the result is their union. Neither can be replaced
by a single best vector.

A *goal* is a number of tricks k, with one bit per world, "at least k tricks?", or `ALL`, with bits for each
number of tricks from 1 to the greatest possible one: plane after plane, each with one bit per world.

References
----------
I. Frank, D. Basin, Search in games with incomplete information: a case study using bridge card play,
Artificial Intelligence 100 (1998), 87-123.
T. Cazenave, V. Ventos, The αμ search algorithm for the game of bridge, arXiv 1911.07960 (2019).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dealerkit.singledummy.fronts import join, pack, prune, unite, unpack
from dealerkit.singledummy.states import (
    NORTH,
    Choice,
    State,
    Trick,
    list_choices,
    list_leads,
    list_worlds,
    map_worlds,
    play_trick,
)

ALL = 0  # the goal that contains all numbers of tricks


class OutOfTime(Exception):
    """The search has reached its deadline, or a front has become too large."""


class Reply(NamedTuple):
    """The cards of both defenders in a trick, and the position after it.

    Attributes
    ----------
    second, fourth : int
        Groups of the cards; -1 if the defender shows out.
    trick : Trick
    worlds : ndarray of int64 [worlds before]
        The world after the trick, for each world before it.
    valid : ndarray of bool [worlds before]
        Whether the defenders can play these cards in a world.
    """

    second: int
    fourth: int
    trick: Trick
    worlds: np.ndarray
    valid: np.ndarray


class Search:
    """Fronts and double-dummy tricks of the states of a suit, each computed once.

    Parameters
    ----------
    merge : bool
        Treat missing cards that declarer's cards no longer separate as equivalent. This is right unless
        something else distinguishes them.
    limit : int, optional
        Maximum number of vectors that a front keeps. Then the fronts contain only some lines, but the
        outcomes of these are correct.
    deadline : float, optional
        Value of `time.thread_time` after which `OutOfTime` is raised.
    largest : int, optional
        Number of vectors in a front above which `OutOfTime` is raised. Unlike a deadline, it has the same
        effect on every machine.
    """

    def __init__(
        self,
        merge: bool = True,
        limit: int | None = None,
        deadline: float | None = None,
        largest: int | None = None,
    ) -> None:
        self.merge, self.limit, self.deadline, self.largest = merge, limit, deadline, largest
        self._fronts: dict[tuple[State, int], np.ndarray] = {}
        self._tricks: dict[State, np.ndarray] = {}

    # ------------------------------------------------------------ double dummy

    def find_double_dummy(self, state: State) -> np.ndarray:
        """Return the number of tricks in each world with all cards visible, int64 [worlds]."""
        if state not in self._tricks:
            self._tricks[state] = self._solve(state)
        return self._tricks[state]

    def _solve(self, state: State) -> np.ndarray:
        best = np.zeros(len(list_worlds(state.groups)), np.int64)
        for lead in list_leads(state):
            np.maximum(best, self._solve_lead(state, lead), out=best)
        return best

    def _solve_lead(self, state: State, lead: Choice) -> np.ndarray:
        """Return the double-dummy tricks after a lead."""
        worst = np.full(len(list_worlds(state.groups)), 99, np.int64)
        for second in self.list_seconds(state):
            best = np.full(len(worst), -1, np.int64)
            for third in self.list_thirds(state, lead):
                least = np.full(len(worst), 99, np.int64)
                for reply in self.list_replies(state, lead, third, second):
                    tricks = self.find_double_dummy(reply.trick.state)[reply.worlds] + reply.trick.won
                    np.minimum(least, tricks, out=least, where=reply.valid)
                np.maximum(best, least, out=best)
            np.minimum(worst, best, out=worst)
        return worst

    # ------------------------------------------------------------ cards

    @staticmethod
    def list_seconds(state: State) -> list[int]:
        """Return the groups that the second hand may play from, and -1 for showing out."""
        return [*range(len(state.groups)), -1]

    @staticmethod
    def list_thirds(state: State, lead: Choice) -> list[Choice | None]:
        """Return the cards of the hand opposite a lead; if it has none, only None."""
        return list(list_choices(state, 1 - lead.hand)) or [None]

    def list_replies(self, state: State, lead: Choice, third: Choice | None, second: int) -> Iterator[Reply]:
        """Yield the cards that the fourth hand may play in at least one world, each with its trick."""
        for fourth in [*range(len(state.groups)), -1]:
            played = tuple(group for group in (second, fourth) if group >= 0)
            if second == fourth >= 0 and state.groups[second] < 2:
                continue
            if not played and state.groups:
                continue
            trick = play_trick(state, lead, third, played, self.merge)
            west, east = (second, fourth) if lead.hand != NORTH else (fourth, second)
            worlds, valid = map_worlds(state.groups, trick.group_map, trick.state.groups, west, east)
            if valid.any():
                yield Reply(second, fourth, trick, worlds, valid)

    # ------------------------------------------------------------ fronts

    def find_front(self, state: State, goal: int) -> np.ndarray:
        """Return the undominated vectors of a state.

        Parameters
        ----------
        state : State
        goal : int
            At least this number of tricks, from 1; or `ALL`.

        Returns
        -------
        ndarray of uint64 [vectors, words]
            Bit ``plane * worlds + world``. There is one plane for a number of tricks, and `State.longest`
            planes for `ALL`.

        Raises
        ------
        OutOfTime
            The deadline has passed, or a front has become too large.
        """
        key = state, goal
        if key not in self._fronts:
            self._check(0)
            self._fronts[key] = self._search(state, goal)
        return self._fronts[key]

    def find_bound(self, state: State, goal: int) -> np.ndarray:
        """Return the double-dummy outcomes as a front with one vector, which covers all others."""
        return _pack_tricks(self.find_double_dummy(state), state, goal)

    def _search(self, state: State, goal: int) -> np.ndarray:
        bound = self.find_bound(state, goal)
        if not state.groups or not bound.any():
            return bound
        result = bound[:0]
        for lead in list_leads(state):
            front = self.find_lead_front(state, goal, lead)
            result = prune(np.concatenate([result, front]))
            if len(result) == 1 and (result == bound).all():
                break
        return result if self.limit is None else result[: self.limit]

    def find_lead_front(self, state: State, goal: int, lead: Choice) -> np.ndarray:
        """Return the undominated vectors of the lines that begin with a lead."""
        result = None
        for second in self.list_seconds(state):
            united = self.find_second_front(state, goal, lead, second)
            result = united if result is None else self.join(result, united)
        assert result is not None
        return result

    def find_second_front(self, state: State, goal: int, lead: Choice, second: int) -> np.ndarray:
        """Return the undominated vectors after a lead and the card of the second hand."""
        fronts = [
            self.find_third_front(state, goal, lead, third, second) for third in self.list_thirds(state, lead)
        ]
        if second >= 0:
            return unite(fronts, self.limit)
        # When a hand shows out, the layout is known, so each number of tricks may be reached in its own way.
        n_bits = len(list_worlds(state.groups)) * _count_planes(state, goal)
        bits = np.concatenate([unpack(front, n_bits) for front in fronts])
        return pack(bits.max(axis=0, keepdims=True))

    def find_third_front(
        self, state: State, goal: int, lead: Choice, third: Choice | None, second: int
    ) -> np.ndarray:
        """Return the undominated vectors after a lead and the cards of the second and the third hand.

        The bits of worlds in which the second hand does not have its card are 1, and mean nothing.
        """
        n_bits = len(list_worlds(state.groups)) * _count_planes(state, goal)
        result = pack(np.ones((1, n_bits), np.uint8))
        for reply in self.list_replies(state, lead, third, second):
            result = self.join(result, self.map_front(state, goal, reply))
        return result

    def join(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return the vectors that remain when a defender chooses between two fronts."""
        result = join(first, second, self.limit, self._check)
        self._check(len(result))
        return result

    def _check(self, size: int) -> None:
        """Raise `OutOfTime` after the deadline, or if a front is too large."""
        if self.deadline is not None and time.thread_time() > self.deadline:
            raise OutOfTime
        if self.largest is not None and size > self.largest:
            raise OutOfTime

    def map_front(self, state: State, goal: int, reply: Reply, front: np.ndarray | None = None) -> np.ndarray:
        """Return a front after a trick, by default of all lines, as vectors over the worlds before it."""
        trick = reply.trick
        after, won = trick.state, trick.won
        rest = ALL if goal == ALL else max(goal - won, 0)
        if goal != ALL and rest == 0:
            return pack(np.ones((1, len(reply.worlds)), np.uint8))
        if front is not None:
            pass
        elif reply.second < 0 or reply.fourth < 0 or not after.groups:  # the layout is known
            front = self.find_bound(after, rest)
        else:
            front = self.find_front(after, rest)
        columns = map_bits(state, goal, reply)
        n_bits = len(list_worlds(after.groups)) * _count_planes(after, rest)
        bits = np.zeros((len(front), n_bits + 2), np.uint8)
        bits[:, :n_bits] = unpack(front, n_bits)
        bits[:, n_bits + 1] = 1
        return prune(pack(bits[:, columns]))


def _count_planes(state: State, goal: int) -> int:
    return state.longest if goal == ALL else 1


def _pack_tricks(tricks: np.ndarray, state: State, goal: int) -> np.ndarray:
    """Return the numbers of tricks in the worlds as a vector for a goal."""
    levels = np.arange(1, state.longest + 1) if goal == ALL else np.array([goal])
    return pack((tricks[None, :] >= levels[:, None]).reshape(1, -1))


def map_bits(state: State, goal: int, reply: Reply) -> np.ndarray:
    """Return the bit after a trick for each bit before it.

    Returns
    -------
    ndarray of int64
        If there are n bits after the trick, n means a bit that is always 0, and n + 1 one that is always 1.
    """
    after, won = reply.trick.state, reply.trick.won
    n_worlds = len(list_worlds(after.groups))
    rest = ALL if goal == ALL else goal - won
    n_planes = _count_planes(after, rest)
    zero, one = n_worlds * n_planes, n_worlds * n_planes + 1
    rows = []
    for plane in range(_count_planes(state, goal)):
        target = plane - won if goal == ALL else 0
        if target < 0:
            row = np.full(len(reply.worlds), one)
        elif target >= n_planes:
            row = np.full(len(reply.worlds), zero)
        else:
            row = target * n_worlds + reply.worlds
        rows.append(np.where(reply.valid, row, one))
    return np.concatenate(rows) if rows else np.zeros(0, np.int64)
