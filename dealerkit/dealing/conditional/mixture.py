"""Candidates of several conditional plans, each number drawn for one of them: for conditions with ``or``.

Of an ``or`` whose branches each demand something that can be drawn, branch i is proposed with probability
share_i / W, W being the sum of the shares, and a deal for that branch is drawn by the branch's own plan:
every deal that meets it comes with 1 / share_i times its chance among all deals. A candidate survives only
if the branch it was drawn for is the first that it meets. So every deal that meets the ``or`` is proposed
for one branch alone, with 1 / W times its chance among all deals, however much branches overlap
(Karp and Luby, "Monte-Carlo algorithms for enumeration and reliability problems", FOCS 1983).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, count

import numpy as np

from dealerkit.dealing.conditional.protocol import MAX_BRANCHES, Sampler
from dealerkit.dealing.random_words import BLOCK, BRANCHES, block_key, fill_random_words
from dealerkit.errors import ArgumentError


@dataclass(frozen=True, eq=False)
class Mixture:
    """Several plans of which every candidate takes one; for `sample_range` and `sample_numbered`.

    Parameters
    ----------
    plans : tuple of 0 to `MAX_BRANCHES` plans
        Of the branches that some deal may meet, in the order of the ``or``. With none, no deal complies.
    test : callable (int, ndarray of uint64 [n, 4]) -> ndarray of bool [n]
        Of deals drawn for the branch of this number: is it the first branch that they meet?
    seats : tuple of int, 0..15
        For each branch, bit set of the seats that its test looks at; 0: nothing need be tested.

    Raises
    ------
    ArgumentError
        For too many plans, a plan without candidates, or not as many sets of seats as plans.

    Examples
    --------
    North or south has no hearts; where both have none the deal is drawn for north:

    >>> from dealerkit.dealing.conditional.sampler import sample_range
    >>> from dealerkit.dealing.conditional.seat_sampler import build_seat_sampler
    >>> from dealerkit.dealing.conditional.hand_sets import HandSet
    >>> void = HandSet.all_hands().restrict(np.arange(8192) < [[8192], [1], [8192], [8192]])
    >>> def first(branch, hands):
    ...     return (hands[:, 0] >> np.uint64(32) & np.uint64(8191) != 0) | (branch == 0)
    >>> plans = build_seat_sampler([(0, void)]), build_seat_sampler([(2, void)])
    >>> mixture = Mixture(plans, first, (0, 1))
    >>> mixture.share == 2 * plans[0].share
    True
    >>> hands, _ = sample_range(mixture, seed=1, first=0, count=100)
    >>> bool(((hands[:, [0, 2]] >> np.uint64(32) & np.uint64(8191) == 0).any(axis=1)).all())
    True
    """

    plans: tuple[Sampler, ...]
    test: Callable[[int, np.ndarray], np.ndarray] = field(repr=False)
    seats: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.plans) > MAX_BRANCHES or len(self.plans) != len(self.seats):
            raise ArgumentError(
                f"a mixture is of up to {MAX_BRANCHES} plans with a set of seats each, "
                f"not of {len(self.plans)} with {len(self.seats)}"
            )
        if not all(plan.share > 0 for plan in self.plans):
            raise ArgumentError("a mixture has no place for a plan without candidates; leave it out")

    @cached_property
    def share(self) -> Fraction:
        """Sum of the shares: a deal that survives is drawn with 1 / `share` of its chance among all deals."""
        return sum((plan.share for plan in self.plans), Fraction(0))

    @property
    def certain(self) -> bool:
        """Does every candidate survive?"""
        return not any(self.seats) and all(plan.certain for plan in self.plans)

    @cached_property
    def bounds(self) -> tuple[Fraction, ...]:
        """Probability of a branch before the second, before the third..., of `branches_of`."""
        return tuple(part / self.share for part in accumulate(plan.share for plan in self.plans[:-1]))

    def deal(self, seed: int, numbers: np.ndarray, seats: int, tested: bool) -> tuple[np.ndarray, np.ndarray]:
        """Hands of candidates, and the numbers of those that are left; see `Sampler.deal`."""
        drawn = branches_of(self, seed, numbers)
        parts: list[np.ndarray] = []
        places: list[np.ndarray] = []
        for branch, plan in enumerate(self.plans):
            rows = np.flatnonzero(drawn == branch)
            looked_at = self.seats[branch] if tested else 0
            hands, kept = plan.deal(seed, numbers[rows], seats | looked_at, tested)
            if tested:
                rows = rows[np.searchsorted(numbers[rows], kept)]
            if looked_at:
                good = np.flatnonzero(self.test(branch, hands))
                hands, rows = hands[good], rows[good]
            parts.append(hands)
            places.append(rows)
        if not parts:
            return np.zeros((4, 0), dtype=np.uint64).T, np.zeros(0, dtype=np.int64)
        found = np.concatenate(places)
        order = np.argsort(found)
        columns = np.concatenate([hands.T for hands in parts], axis=1)[:, order]
        return columns.T, numbers[found[order]]


def branches_of(mixture: Mixture, seed: int, numbers: np.ndarray) -> np.ndarray:
    """For which branch each candidate is drawn.

    A random number U from [0, 1) falls below the i-th of the cumulative probabilities or not. Its first
    64 bits tell, unless they are those of such a bound; then further words are drawn.

    Parameters
    ----------
    mixture : Mixture
    seed : int >= 0
    numbers : ndarray of int64 [n], >= 0
        Of the candidates.

    Returns
    -------
    ndarray of int8 [n]
    """
    drawn = np.zeros(len(numbers), dtype=np.int8)
    if not mixture.bounds:
        return drawn
    words = np.empty(len(numbers), dtype=np.uint64)
    blocks = numbers // BLOCK
    # most often all numbers are of one block
    for block in range(int(blocks.min(initial=0)), int(blocks.max(initial=-1)) + 1):
        rows = np.flatnonzero(blocks == block)
        if rows.size:
            words[rows] = _words(seed, block, numbers[rows], 0)
    tied = np.zeros(len(numbers), dtype=bool)
    for bound in mixture.bounds:
        start = np.uint64(int(bound * 2**64))
        drawn += words >= start
        tied |= words == start
    for row in np.flatnonzero(tied):
        one = numbers[row : row + 1]
        further = (int(_words(seed, int(blocks[row]), one, draw)[0]) for draw in count(1))
        drawn[row] = _decided(mixture.bounds, int(words[row]), further)
    return drawn


def _words(seed: int, block: int, numbers: np.ndarray, draw: int) -> np.ndarray:
    """The words of this draw for candidates of one block."""
    words = np.empty(len(numbers), dtype=np.uint64)
    counters = (numbers % BLOCK).astype(np.uint64) << np.uint64(20)
    fill_random_words(words, counters, np.uint64(draw), block_key(seed, block, BRANCHES))
    return words


def _decided(bounds: Iterable[Fraction], first: int, further: Iterable[int]) -> int:
    """How many of the bounds a number reaches whose binary digits are these words of 64 bits."""
    number, size = first, 1 << 64
    for more in further:
        if not any(number == int(bound * size) and bound * size != number for bound in bounds):
            break
        number, size = number << 64 | more, size << 64
    return sum(bound * size <= number for bound in bounds)
