"""The branches of ``or`` clauses and the mixture that samples them.

Each branch has a sampler of its own. A candidate is kept if the branch for which it was sampled is
the first whose clauses it meets; `dealing.conditional.mixture` gives the mathematics. Several
``or`` clauses are multiplied out: a branch has one operand of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.conditional.protocol import MAX_BRANCHES
from dealerkit.planning.plan import Branch, Sampling

if TYPE_CHECKING:
    from dealerkit.dealing.conditional.mixture import Mixture


def find_operands(graph: OperationGraph, slot: int) -> dict[int, tuple[int, ...]]:
    """Return the conjuncts of each operand of an ``or`` of 2 to `MAX_BRANCHES`, by the operand's slot.

    Empty for other clauses, and if a conjunct may have no value or contains random numbers.

    >>> from dealerkit.compiler.compilation import compile_condition
    >>> text = "hcp(north) > 9 and (hcp(east) > 19 and aces(east) == 4 or hcp(west) > 19)"
    >>> compiled = compile_condition(text)
    >>> operands = [find_operands(compiled.graph, slot) for slot in compiled.clauses]
    >>> [[len(conjuncts) for conjuncts in clause.values()] for clause in operands]
    [[], [2, 1]]
    """
    operands = {
        operand: tuple(dict.fromkeys(graph.split_operands(operand, "and")))
        for operand in graph.split_operands(slot, "or")
    }
    total = all(graph.operations[part].total for parts in operands.values() for part in parts)
    is_usable = 2 <= len(operands) <= MAX_BRANCHES and total and not graph.has_kind(operands, "random")
    return operands if is_usable else {}


def build_branches(
    common: Sequence[int],
    choices: Sequence[Mapping[int, tuple[int, ...]]],
    sample: Callable[[tuple[int, ...]], Sampling | None],
    max_share: Fraction,
) -> tuple[Branch, ...] | None:
    """Return all branches with their samplers; those that no deal meets too, with a share of 0.

    None if a branch cannot be sampled, or if the shares add up to more than `max_share`.

    Parameters
    ----------
    common : sequence of int
        Slots of the other clauses.
    choices : sequence of mapping
        The operands of each ``or`` with their conjuncts; a branch has one operand of each.
    sample : callable
        Returns the best sampling for clauses, given their slots.
    max_share : Fraction
    """
    branches: list[Branch] = []
    remaining_share = max_share
    for operands in product(*choices):
        parts = dict.fromkeys(
            part for slot, conjuncts in zip(operands, choices, strict=True) for part in conjuncts[slot]
        )
        sampling = sample(tuple(dict.fromkeys((*common, *parts))))
        if sampling is None or sampling.share > remaining_share:
            return None
        remaining_share -= sampling.share
        filters = tuple(part for part in parts if part in sampling.filters and part not in common)
        branches.append(Branch(operands, filters, sampling))
    return tuple(branches)


@dataclass(frozen=True, eq=False)
class FirstBranch:
    """The test of a mixture: whether the branch a deal was sampled for is the first that the deal meets."""

    graph: OperationGraph
    filters: tuple[tuple[int, ...], ...]  # for each branch, the slots that its sampler does not guarantee
    earlier: tuple[tuple[int, ...], ...]  # for each branch, the operands before its own: all must be false

    def seats(self, branch: int) -> int:
        """Return the bit set of the seats whose cards the test of this branch needs."""
        return self.graph.find_seats((*self.earlier[branch], *self.filters[branch]))

    def __call__(self, branch: int, hands: np.ndarray) -> np.ndarray:
        """Return the result, bool [n], for deals (uint64 [n, 4]) sampled for one branch."""
        columns = BatchColumns(self.graph, Deals(hands, check=False))
        truths = [columns.truth(slot) for slot in self.filters[branch]]
        truths += [~columns.truth(slot) for slot in self.earlier[branch]]
        return np.logical_and.reduce(truths) if truths else np.ones(len(hands), dtype=bool)


def build_mixture(graph: OperationGraph, branches: Sequence[Branch]) -> Mixture:
    """Return the sampler of these branches, all of which some deals meet."""
    from dealerkit.dealing.conditional.mixture import Mixture  # a short run does not import it

    slots = [branch.slots for branch in branches]
    # for each ``or``, its operands; those that are in no branch are met by no deal
    operands = [tuple(dict.fromkeys(column)) for column in zip(*slots, strict=True)]
    earlier = tuple(
        tuple(slot for own, column in zip(row, operands, strict=True) for slot in column[: column.index(own)])
        for row in slots
    )
    test = FirstBranch(graph, tuple(branch.filters for branch in branches), earlier)
    samplers = tuple(branch.sampling.sampler for branch in branches)
    return Mixture(samplers, test, tuple(test.seats(branch) for branch in range(len(branches))))
