"""Or-conditions: each branch is drawn by a plan of its own, and a deal is kept for its first branch.

The mathematics is that of `dealing.mixture`. Here an ``or`` is taken apart, or several are
multiplied out, the branches get their plans, and deals are asked which branch they meet first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting.features import conjuncts_of
from dealerkit.dealing.conditional.protocol import MAX_BRANCHES

if TYPE_CHECKING:
    from dealerkit.dealing.conditional.mixture import Mixture
    from dealerkit.planning.sampling import Sampling


@dataclass(frozen=True)
class Alternative:
    """One operand of an ``or``.

    Parameters
    ----------
    slot : int
    parts : tuple of int
        Slots that are all to be true.
    """

    slot: int
    parts: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Branch:
    """A branch with its plan: one operand of each ``or`` that is taken apart.

    Parameters
    ----------
    slots : tuple of int
        Of the operands.
    asked : tuple of int
        Parts of the branch that its plan does not settle.
    sampling : Sampling
        Of the branch with all clauses beside the ``or``.
    """

    slots: tuple[int, ...]
    asked: tuple[int, ...]
    sampling: Sampling = field(repr=False)


def alternatives(graph: OperationGraph, slot: int) -> tuple[Alternative, ...]:
    """The branches of a clause that is an ``or`` of 2 to `MAX_BRANCHES`; none for any other.

    Examples
    --------
    >>> from dealerkit.language.checks import check_script
    >>> from dealerkit.language.dialects import MODERN
    >>> from dealerkit.language.parser import parse_script
    >>> text = "condition hcp(north) > 9 and (hcp(east) > 19 and aces(east) == 4 or hcp(west) > 19)"
    >>> program = check_script(parse_script(text, MODERN))
    >>> graph = OperationGraph.from_program(program)
    >>> [len(alternatives(graph, slot)) for slot in graph.split_clauses(program.condition)]
    [0, 2]
    >>> [len(branch.parts) for branch in alternatives(graph, graph.split_clauses(program.condition)[1])]
    [2, 1]
    """
    branches = tuple(dict.fromkeys(conjuncts_of(graph, slot, "or")))
    if not 2 <= len(branches) <= MAX_BRANCHES:
        return ()
    found = tuple(Alternative(slot, tuple(dict.fromkeys(conjuncts_of(graph, slot)))) for slot in branches)
    total = all(graph.operations[part].total for branch in found for part in branch.parts)
    return () if not total or graph.has_kind(branches, "random") else found


def make_branches(
    common: Sequence[int],
    choices: Sequence[Sequence[Alternative]],
    draw: Callable[[tuple[int, ...]], Sampling | None],
    most: Fraction,
) -> tuple[Branch, ...] | None:
    """The plans of all branches; None where one cannot be drawn or their shares exceed `most`.

    Parameters
    ----------
    common : sequence of int
        Slots of the other clauses.
    choices : sequence of sequence of Alternative
        The operands of each ``or``: a branch takes one of each.
    draw : callable
        The best plan for these slots.
    most : Fraction

    Returns
    -------
    tuple of Branch or None
        Those that no deal meets too, with a share of 0.
    """
    found: list[Branch] = []
    left = most
    for branch in product(*choices):
        parts = tuple(dict.fromkeys(part for one in branch for part in one.parts))
        sampling = draw(tuple(dict.fromkeys((*common, *parts))))
        if sampling is None or sampling.share > left:
            return None
        left -= sampling.share
        asked = tuple(part for part in parts if part in sampling.filters and part not in common)
        found.append(Branch(tuple(one.slot for one in branch), asked, sampling))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class FirstBranch:
    """The test of a mixture: is the branch that a deal was drawn for the first that it meets?

    Parameters
    ----------
    graph : OperationGraph
    asked : tuple of tuple of int
        For each branch, what is left of it to be asked.
    earlier : tuple of tuple of int
        For each branch, the operands before its own: with none of them it is the first.
    """

    graph: OperationGraph
    asked: tuple[tuple[int, ...], ...]
    earlier: tuple[tuple[int, ...], ...]

    def seats(self, branch: int) -> int:
        """Bit set of the seats whose cards a deal drawn for this branch must have."""
        return self.graph.find_seats((*self.earlier[branch], *self.asked[branch]))

    def __call__(self, branch: int, hands: np.ndarray) -> np.ndarray:
        """For deals (uint64 [n, 4]) drawn for one branch, bool [n]."""
        columns = BatchColumns(self.graph, Deals(hands, check=False))
        first = np.ones(len(hands), dtype=bool)
        for slot in self.asked[branch]:
            first &= columns.truth(slot)
        for slot in self.earlier[branch]:
            first &= ~columns.truth(slot)
        return first


def mixture_of(graph: OperationGraph, branches: Sequence[Branch]) -> Mixture:
    """The plan that draws for all of these branches, of which each can be met."""
    from dealerkit.dealing.conditional.mixture import Mixture  # a short run does without its import

    # the operands of each ``or``; one that stands in no branch is met by no deal
    operands = [
        tuple(dict.fromkeys(each)) for each in zip(*(branch.slots for branch in branches), strict=True)
    ]
    test = FirstBranch(
        graph,
        tuple(branch.asked for branch in branches),
        tuple(
            tuple(
                slot
                for own, each in zip(branch.slots, operands, strict=True)
                for slot in each[: each.index(own)]
            )
            for branch in branches
        ),
    )
    plans = tuple(branch.sampling.plan for branch in branches)
    return Mixture(plans, test, tuple(test.seats(branch) for branch in range(len(branches))))
