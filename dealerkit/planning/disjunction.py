"""The branches of ``or`` clauses and the mixture that samples them.

Each branch has a sampler of its own, and a candidate is kept if the branch it was sampled for is
the first that it meets; `dealing.conditional.mixture` gives the mathematics. Several ``or``
clauses are multiplied out.
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

    Examples
    --------
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
    """Return all branches with their samplers.

    Parameters
    ----------
    common : sequence of int
        Slots of the other clauses.
    choices : sequence of mapping
        The operands of each ``or`` with their conjuncts; a branch takes one operand of each.
    sample : callable
        Returns the best sampling for clauses, given their slots.
    max_share : Fraction

    Returns
    -------
    tuple of Branch or None
        Branches that no deal meets are included, with a share of 0. None if one cannot be sampled or
        the shares add up to more than `max_share`.
    """
    branches: list[Branch] = []
    remaining_share = max_share
    for operands in product(*choices):
        parts = tuple(
            dict.fromkeys(part for slot, of in zip(operands, choices, strict=True) for part in of[slot])
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
    """The test of a mixture: whether the branch a deal was sampled for is the first that the deal meets.

    Parameters
    ----------
    graph : OperationGraph
    filters : tuple of tuple of int
        For each branch, the slots that its sampler does not guarantee.
    earlier : tuple of tuple of int
        For each branch, the operands before its own: if none of them is true, it is the first.
    """

    graph: OperationGraph
    filters: tuple[tuple[int, ...], ...]
    earlier: tuple[tuple[int, ...], ...]

    def seats(self, branch: int) -> int:
        """Return the bit set of the seats whose cards the test of this branch needs."""
        return self.graph.find_seats((*self.earlier[branch], *self.filters[branch]))

    def __call__(self, branch: int, hands: np.ndarray) -> np.ndarray:
        """Return the result, bool [n], for deals (uint64 [n, 4]) sampled for one branch."""
        columns = BatchColumns(self.graph, Deals(hands, check=False))
        is_first = np.ones(len(hands), dtype=bool)
        for slot in self.filters[branch]:
            is_first &= columns.truth(slot)
        for slot in self.earlier[branch]:
            is_first &= ~columns.truth(slot)
        return is_first


def build_mixture(graph: OperationGraph, branches: Sequence[Branch]) -> Mixture:
    """Return the sampler of these branches, all of which some deals meet."""
    from dealerkit.dealing.conditional.mixture import Mixture  # a short run does not import it

    # for each ``or``, its operands; those that are in no branch are met by no deal
    operands = [
        tuple(dict.fromkeys(column)) for column in zip(*(branch.slots for branch in branches), strict=True)
    ]
    earlier = tuple(
        tuple(
            slot
            for own, column in zip(branch.slots, operands, strict=True)
            for slot in column[: column.index(own)]
        )
        for branch in branches
    )
    test = FirstBranch(graph, tuple(branch.filters for branch in branches), earlier)
    samplers = tuple(branch.sampling.sampler for branch in branches)
    return Mixture(samplers, test, tuple(test.seats(branch) for branch in range(len(branches))))
