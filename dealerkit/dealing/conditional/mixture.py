"""Mixtures of samplers, one of which samples each candidate: for conditions with ``or``.

In an ``or`` whose branches can each be sampled, a candidate is sampled for branch i with probability
share_i / W, where W is the sum of the shares. The branch's sampler makes every deal that satisfies the branch
1 / share_i times as probable as among all deals. A candidate is accepted only if its branch is the first that
it satisfies. So every deal that satisfies the ``or`` comes from one branch only, and is 1 / W times as
probable as among all deals, however much the branches overlap (Karp and Luby, "Monte-Carlo algorithms for
enumeration and reliability problems", FOCS 1983).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, count, pairwise

import numpy as np

from dealerkit.dealing.conditional import MAX_BRANCHES
from dealerkit.dealing.conditional.sampler import Sampler
from dealerkit.dealing.random_words import BLOCK, BRANCHES, block_key, fill_random_words
from dealerkit.errors import ArgumentError
from dealerkit.runtime.process import cached_property


@dataclass(frozen=True, eq=False)
class Mixture:
    """Several samplers, one of which samples each candidate; for `sample_range` and `sample_numbered`.

    Parameters
    ----------
    samplers : tuple of 0 to `MAX_BRANCHES` samplers
        One for each branch that a deal can satisfy, in the order of the ``or``. If there is none, no deal
        complies.
    test : callable (int, ndarray of uint64 [n, 4]) -> ndarray of bool [n]
        Gets the number of a branch and deals that were sampled for it, and returns whether it is the first
        branch that they satisfy.
    seats : tuple of int, 0..15
        For each branch, the bit set of the seats whose hands its test needs; 0 if no test is necessary.

    Raises
    ------
    ArgumentError
        There are too many samplers, a sampler has no candidates, or the number of sets of seats differs from
        that of samplers.

    Examples
    --------
    North or south has no hearts; a deal in which both have none is accepted for north only:

    >>> from dealerkit.dealing.conditional.sampler import sample_range
    >>> from dealerkit.dealing.conditional.preparation import prepare_seat_sampler
    >>> from dealerkit.dealing.conditional.hand_sets import HandSet
    >>> void = HandSet.all_hands().restrict(np.arange(8192) < [[8192], [1], [8192], [8192]])
    >>> def first(branch, hands):
    ...     return (hands[:, 0] >> np.uint64(32) & np.uint64(8191) != 0) | (branch == 0)
    >>> samplers = tuple(prepare_seat_sampler([(seat, void)]).build() for seat in (0, 2))
    >>> mixture = Mixture(samplers, first, (0, 1))
    >>> mixture.share == 2 * samplers[0].share
    True
    >>> hands, _ = sample_range(mixture, seed=1, first=0, count=100)
    >>> bool(((hands[:, [0, 2]] >> np.uint64(32) & np.uint64(8191) == 0).any(axis=1)).all())
    True
    """

    samplers: tuple[Sampler, ...]
    test: Callable[[int, np.ndarray], np.ndarray] = field(repr=False)
    seats: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.samplers) > MAX_BRANCHES or len(self.samplers) != len(self.seats):
            raise ArgumentError(
                f"a mixture has up to {MAX_BRANCHES} samplers with a set of seats for each, "
                f"not {len(self.samplers)} samplers with {len(self.seats)} sets"
            )
        if not all(sampler.share > 0 for sampler in self.samplers):
            raise ArgumentError("a sampler of the mixture has no candidates; leave it out")

    @cached_property
    def share(self) -> Fraction:
        """Sum of the shares: accepted deals are 1 / `share` times as probable as among all deals."""
        return sum((sampler.share for sampler in self.samplers), Fraction(0))

    @property
    def accepts_all(self) -> bool:
        """Whether every candidate is accepted."""
        return not any(self.seats) and all(sampler.accepts_all for sampler in self.samplers)

    @cached_property
    def bounds(self) -> tuple[Fraction, ...]:
        """The cumulative probabilities of the branches; that of the last, 1, is left out."""
        return tuple(
            part / self.share for part in accumulate(sampler.share for sampler in self.samplers[:-1])
        )

    def sample(
        self, seed: int, numbers: np.ndarray, seats: int, accepted_only: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return hands and numbers of candidates; see `Sampler.sample`."""
        branches = assign_branches(self, seed, numbers)
        parts = [np.empty((4, 0), dtype=np.uint64)]
        places = [np.empty(0, dtype=np.int64)]
        # Each branch deals its candidates, and rejects those that fail its test.
        for branch, sampler in enumerate(self.samplers):
            rows = np.flatnonzero(branches == branch)
            test_seats = self.seats[branch] if accepted_only else 0
            hands, kept = sampler.sample(seed, numbers[rows], seats | test_seats, accepted_only)
            if accepted_only:
                rows = rows[np.searchsorted(numbers[rows], kept)]
            if test_seats:
                accepted = np.flatnonzero(self.test(branch, hands))
                hands, rows = hands[accepted], rows[accepted]
            parts.append(hands.T)
            places.append(rows)
        # The candidates of all branches, in the order of their numbers.
        all_places = np.concatenate(places)
        order = np.argsort(all_places)
        return np.concatenate(parts, axis=1)[:, order].T, numbers[all_places[order]]


def assign_branches(mixture: Mixture, seed: int, numbers: np.ndarray) -> np.ndarray:
    """Return the branch that each candidate is sampled for.

    It is the number of cumulative probabilities that do not exceed a random number from [0, 1). The first 64
    bits of that number decide, unless a probability begins with the same bits; then further words are used.

    Parameters
    ----------
    mixture : Mixture
    seed : int >= 0
    numbers : ndarray of int64 [n], >= 0
        Numbers of the candidates, those of a block adjacent.

    Returns
    -------
    ndarray of int8 [n]
    """
    branches = np.zeros(len(numbers), dtype=np.int8)
    if not mixture.bounds:
        return branches
    words = _generate_words(seed, numbers, 0)
    tied = np.zeros(len(numbers), dtype=bool)
    # A branch begins at a bound. Compare the first 64 bits.
    for bound in mixture.bounds:
        start = np.uint64(int(bound * 2**64))
        branches += words >= start
        tied |= words == start
    # A tie, expected once in 2^64 candidates for each bound, needs further words.
    for row in np.flatnonzero(tied):
        number = numbers[row : row + 1]
        further = (int(_generate_words(seed, number, j)[0]) for j in count(1))
        branches[row] = choose_branch(mixture.bounds, int(words[row]), further)
    return branches


def _generate_words(seed: int, numbers: np.ndarray, j: int) -> np.ndarray:
    """Return the j-th random word of each candidate, uint64 [n]."""
    words = np.empty(len(numbers), dtype=np.uint64)
    blocks, rows = np.divmod(numbers, BLOCK)
    counters = rows.astype(np.uint64) << np.uint64(20)
    starts = np.flatnonzero(np.diff(blocks, prepend=-1))
    for start, stop in pairwise([*starts, len(numbers)]):
        key = block_key(seed, int(blocks[start]), BRANCHES)
        fill_random_words(words[start:stop], counters[start:stop], np.uint64(j), key)
    return words


def choose_branch(bounds: Iterable[Fraction], first: int, further: Iterable[int]) -> int:
    """Return how many bounds do not exceed the number below 1 whose binary digits are these 64-bit words."""
    number, size = first, 1 << 64
    for more in further:
        if not any(number == int(bound * size) and bound * size != number for bound in bounds):
            break
        number, size = number << 64 | more, size << 64
    return sum(bound * size <= number for bound in bounds)
