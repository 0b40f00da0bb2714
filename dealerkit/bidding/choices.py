"""The choice between the calls of a context: the first line whose condition the hand meets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from dealerkit.bidding.hand_kinds import HandKinds
from dealerkit.bidding.system_file import Context, Line
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import to_truth
from dealerkit.counting.features import NotAdditive
from dealerkit.counting.suit_splits import TooManyStates
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN
from dealerkit.runtime.process import cached_property

BATCH_HANDS = 65_536


@dataclass(frozen=True)
class Meaning:
    """A line of a context with suits for its letters: a call and the hands that make it.

    Attributes
    ----------
    call : str
    condition : Expression or None
        A condition on north's hand; None: all hands that are left.
    text : str
    forcing, alert : bool
    line : Line
    """

    call: str
    condition: nodes.Expression | None = field(repr=False)
    text: str
    forcing: bool
    alert: bool
    line: Line = field(repr=False, compare=False)


class HasChoices(Protocol):
    """A bidding system as auctions need it: the choices of a player after given calls."""

    @property
    def title(self) -> str:
        """The name of the system."""

    def find_choices(self, calls: Sequence[str], vulnerable: bool | None = None) -> Choices | None:
        """Return the choices of the next player; None if the system says nothing."""

    def is_forcing(self, calls: Sequence[str], vulnerable: bool | None) -> bool:
        """Return whether the last call is a pass after a forcing call of partner's."""


@dataclass(frozen=True, eq=False)
class Choices:
    """The meanings between which a player chooses, in the order of choice.

    Attributes
    ----------
    context : Context
    meanings : tuple of Meaning
        Only legal calls, without passes if partner's call is forcing.
    is_forced : bool
        Whether partner's call is forcing.
    """

    context: Context
    meanings: tuple[Meaning, ...]
    is_forced: bool = False

    @cached_property
    def _compiled(self) -> tuple[OperationGraph, tuple[int | None, ...]]:
        """The graph of the conditions, and the slot of each; None for all hands that are left."""
        graph = OperationGraph(MODERN)
        slots = tuple(
            None if meaning.condition is None else graph.add_expression(meaning.condition)
            for meaning in self.meanings
        )
        return graph, slots

    @cached_property
    def kinds(self) -> HandKinds | None:
        """All hands, counted by what the conditions depend on; None if they are not sums over suits."""
        graph, slots = self._compiled
        try:
            return HandKinds.count(graph, [slot for slot in slots if slot is not None])
        except (NotAdditive, TooManyStates):
            return None

    def find_truth(self, hands: np.ndarray | None) -> list[np.ndarray]:
        """Return for which hands (uint64 [n]), or kinds of hands, each condition is true, bool [n] each."""
        graph, slots = self._compiled
        if hands is None:
            assert self.kinds is not None
            truth = self.kinds.find_truth([slot for slot in slots if slot is not None])
            found = iter(truth)
            size = len(self.kinds.counts)
            return [np.ones(size, bool) if slot is None else next(found) for slot in slots]
        columns = BatchColumns(graph, _place_hands(hands))
        return [
            np.ones(len(hands), bool)
            if slot is None
            else np.broadcast_to(to_truth(columns.array(slot)), len(hands))
            for slot in slots
        ]

    def choose(self, hands: np.ndarray) -> np.ndarray:
        """Return the index of the meaning that each hand chooses, int16 [n]; -1 for a gap.

        Parameters
        ----------
        hands : ndarray of uint64 [n]
        """
        chosen = np.empty(len(hands), np.int16)
        for first in range(0, len(hands), BATCH_HANDS):
            batch = hands[first : first + BATCH_HANDS]
            chosen[first : first + BATCH_HANDS] = choose_first(self.find_truth(batch), len(batch))
        return chosen

    @cached_property
    def names(self) -> np.ndarray:
        """The calls by index, and "" for a gap at the end."""
        return np.array([*(meaning.call for meaning in self.meanings), ""], dtype="<U3")

    def list_calls(self) -> list[str]:
        """Return the calls that have a line, each once, in the order of choice."""
        return list(dict.fromkeys(meaning.call for meaning in self.meanings))


def choose_first(truth: Sequence[np.ndarray], n: int) -> np.ndarray:
    """Return the index of the first array that is true at each place, int16 [n]; -1 if none is.

    >>> choose_first([np.array([True, False, False]), np.array([True, True, False])], 3).tolist()
    [0, 1, -1]
    """
    chosen = np.full(n, -1, np.int16)
    for position in reversed(range(len(truth))):
        chosen[truth[position]] = position
    return chosen


def _place_hands(hands: np.ndarray) -> Deals:
    """Return deals in which north has the hands; conditions do not read the other hands."""
    placed = np.zeros((len(hands), 4), np.uint64)
    placed[:, 0] = hands
    return Deals(placed, check=False)
