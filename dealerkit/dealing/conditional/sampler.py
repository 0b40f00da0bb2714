"""Samplers of deals in which the hands of some seats belong to sets, without dealing the others.

As a deal of the uniform stream, candidate i of a run is a pure function of the seed and i, made from random
words of its own. The lengths of the joint seats and the first seat's hand are sampled exactly
(`joint_lengths`, `lookup_tables`). The cards of every further seat are uniform among the remaining
cards, and a candidate with a hand outside its set is rejected before more is dealt. So the accepted
candidates are uniform among the deals that comply.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.card_splits import SUBSET_TABLES, SplitTable, bound_ranks
from dealerkit.dealing.conditional import kernels
from dealerkit.dealing.conditional.hand_sets import SHAPE_INDEX, HandSet
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.joint_lengths import LengthClasses, LengthOptions, build_class_table
from dealerkit.dealing.conditional.lookup_tables import build_hand_index
from dealerkit.dealing.random_words import BLOCK, CONDITIONAL, SIDES, block_key
from dealerkit.dealing.source import NumberedDeals, Source
from dealerkit.errors import ArgumentError


class Sampler(Protocol):
    """A source of numbered candidates: a `HandSetSampler`, or several of them in a `Mixture`."""

    @property
    def share(self) -> Fraction:
        """Number of candidates for each deal that plain dealing deals.

        Among the candidates, an accepted deal is 1 / `share` times as probable as among all deals.
        """

    @property
    def accepts_all(self) -> bool:
        """Whether every candidate is accepted by the sampler's own tests."""

    def sample(
        self, seed: int, numbers: np.ndarray, seats: int, accepted_only: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return candidates of a run; callers use `sample_range` or `sample_numbered`.

        Parameters
        ----------
        seed : int >= 0
        numbers : ndarray of int64 [n], >= 0
            Numbers of the candidates, with their blocks in rising order; with `accepted_only`, the numbers
            themselves in rising order.
        seats : int, 0..15
            Seats whose hands are needed.
        accepted_only : bool
            Leave out the candidates that the sampler's tests reject.

        Returns
        -------
        hands : ndarray of uint64 [m, 4]
        numbers : ndarray of int64 [m]
            The numbers of these candidates.
        """


CONDITIONAL_VERSION = 2
_CHUNK = 2048  # candidates processed at a time
# ceil(2^63 / n) for the sizes of classes of holdings: multiplying by it divides numbers of hands exactly
_RECIPROCALS = np.array([-(-(1 << 63) // max(1, n)) for n in range(1717)], dtype=np.uint64)
_RECIPROCALS.flags.writeable = False


class SeatStep(NamedTuple):
    """How a seat after the first is dealt and tested."""

    seat: int
    fixed: np.uint64  # its predealt cards
    pool: int  # index of the pool that it is dealt from
    is_last: bool  # it gets all remaining cards of the pool
    options: LengthOptions | None  # of a joint seat
    open_split: (
        tuple[np.ndarray, SplitTable] | None
    )  # from `build_open_split`, for a seat that gets any cards
    test: tuple[np.ndarray, ...] | None  # from `build_membership_test`


@dataclass(frozen=True, eq=False)
class HandSetSampler:
    """A sampler of hands, or of a side's cards, that belong to sets (`preparation`).

    Parameters
    ----------
    seats : tuple of (int, HandSet)
        The seats with a set, in the order of dealing; the sets include the predealt cards.
    n_exact_seats : int
        How many of them have their lengths sampled exactly (0 if no deal complies).
    total : int
        Number of ways to give those seats cards so that all have allowed lengths and the first has an allowed
        hand; for a side, number of ways to give the side its cards and those seats theirs.
    share : Fraction
        Number of candidates divided by the number of deals that comply with the predeal: the probability that
        a plain deal is a candidate. A candidate is accepted if the other seats' hands are in their sets. (The
        share exceeds 1 only if the predeal has lengths or small cards of a seat that is not among the first
        `n_exact_seats`, because plain dealing need not reject these.)
    pools : tuple of (uint64, uint64)
        Two masks for each pool of cards that seats are dealt from: the pool is
        ``(first sampled cards ^ first mask) & second mask``.
    steps : tuple of SeatStep
        How the seats after the first are dealt.
    first : tuple
        The last arguments of `sample_first_hand`.
    side : int or None
        0 (NS) or 1 (EW) if that side's 26 cards are sampled first; None if the first seat's hand is.
    """

    seats: tuple[tuple[int, HandSet], ...]
    n_exact_seats: int
    total: int
    share: Fraction
    pools: tuple[tuple[np.uint64, np.uint64], ...] = field(default=(), repr=False)
    steps: tuple[SeatStep, ...] = field(default=(), repr=False)
    first: tuple[Any, ...] = field(default=(), repr=False)
    side: int | None = None

    @property
    def accepts_all(self) -> bool:
        """Whether every candidate is accepted."""
        return not any(step.test is not None for step in self.steps)

    def sample(
        self, seed: int, numbers: np.ndarray, seats: int, accepted_only: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return hands and numbers of candidates; see `Sampler.sample`."""
        if not self.total:
            return np.zeros((4, 0), dtype=np.uint64).T, np.zeros(0, dtype=np.int64)
        hands = np.zeros((4, numbers.size), dtype=np.uint64)
        kept = np.empty(numbers.size, dtype=np.int64)
        blocks = numbers // BLOCK
        size = 0
        begin = 0
        # Sample in chunks, each of which is within a block, because each block has a key of its own.
        while begin < numbers.size:
            block = int(blocks[begin])
            end = min(begin + _CHUNK, int(np.searchsorted(blocks, block, side="right")))
            part = numbers[begin:end]
            key = block_key(seed, block, CONDITIONAL if self.side is None else SIDES)
            by_seat, places = _sample_chunk(self, key, part % BLOCK, seats, accepted_only)
            # The kept candidates follow those of the chunks before.
            target = slice(size, size + places.size)
            for seat, hand in by_seat.items():
                hands[seat, target] = hand
            kept[target] = part[places]
            size += places.size
            begin = end
        return hands[:, :size].T, kept[:size]


@dataclass(frozen=True, eq=False)
class PreparedSampler:
    """A sampler whose share is known but whose tables are not built, as only the best of several is used.

    Parameters
    ----------
    share : Fraction
        Share of the sampler.
    build : callable
        Builds the sampler with its tables.
    """

    share: Fraction
    build: Callable[[], HandSetSampler]


def build_first_tables(classes: LengthClasses, table: HandTable) -> tuple[Any, ...]:
    """Return the last arguments of `sample_first_hand` for the first seat's or the side's hands."""
    index = build_hand_index(table)
    ranks = (*bound_ranks(classes.ways), index.roots[classes.shape], index.lanes[classes.shape])
    return build_class_table(classes), ranks, index[:3], _RECIPROCALS


def sample_range(
    sampler: Sampler, seed: int, first: int, count: int, seats: int = 15
) -> tuple[np.ndarray, np.ndarray]:
    """Return those of the candidates ``first .. first + count - 1`` of a run that the sampler accepts.

    Parameters
    ----------
    sampler : HandSetSampler or Mixture
    seed : int >= 0
    first, count : int >= 0
    seats : int, 0..15
        Seats whose hands are needed: bit 0 north ... bit 3 west. The hands do not depend on it.

    Returns
    -------
    hands : ndarray of uint64 [n, 4]
        N E S W, each seat contiguous; for a seat that is not needed, its hand or 0.
    numbers : ndarray of int64 [n]
        Numbers of these candidates, rising.

    Raises
    ------
    ArgumentError
        The seed or a number is negative.

    Examples
    --------
    >>> from dealerkit.dealing.conditional.preparation import prepare_seat_sampler
    >>> hearts = HandSet.all_hands().restrict(np.arange(8192) < [[8192], [1], [8192], [8192]])
    >>> hands, numbers = sample_range(prepare_seat_sampler([(0, hearts)]).build(), seed=1, first=0, count=5)
    >>> [int(hand) >> 32 & 8191 for hand in hands[:, 0]]
    [0, 0, 0, 0, 0]
    """
    if first < 0 or count < 0:
        raise ArgumentError(f"first is {first} and count is {count}; both must be 0 or more")
    return sampler.sample(seed, np.arange(first, first + count, dtype=np.int64), seats, True)


def sample_numbered(sampler: Sampler, seed: int, numbers: np.ndarray, seats: int = 15) -> np.ndarray:
    """Return candidates of a run by their numbers, without testing them; see `sample_range`.

    Parameters
    ----------
    sampler, seed, seats
        As in `sample_range`.
    numbers : ndarray of int64 [n], >= 0

    Returns
    -------
    ndarray of uint64 [n, 4]

    Raises
    ------
    ArgumentError
        The seed or a number is negative.
    """
    numbers = np.asarray(numbers, dtype=np.int64)
    if numbers.size and numbers.min() < 0:
        raise ArgumentError(f"the number of a candidate is {numbers.min()}; numbers start at 0")
    blocks = numbers // BLOCK
    order = np.argsort(blocks, kind="stable")
    sampled, _ = sampler.sample(seed, numbers[order], seats, False)
    hands = np.empty((4, numbers.size), dtype=np.uint64).T
    hands[order] = sampled
    return hands


def _sample_chunk(
    sampler: HandSetSampler, key: np.ndarray, rows: np.ndarray, seats: int, accepted_only: bool
) -> tuple[dict[int, np.ndarray], np.ndarray]:
    """Return hands by seat of a block's candidates `rows`, or of the accepted ones, and places in `rows`."""
    # The first seat, or the side, of all candidates.
    counters = rows.astype(np.uint64) << np.uint64(20)
    classes = np.empty(rows.size, dtype=np.int64)
    hand, words = np.empty((2, rows.size), dtype=np.uint64)
    kernels.sample_first_hand(counters, key, words, classes, hand, *sampler.first)
    pools = [(hand ^ flip) & mask for flip, mask in sampler.pools]
    hands = {sampler.seats[0][0]: hand} if sampler.side is None else {}
    places = np.arange(rows.size)
    for number, step in enumerate(sampler.steps):
        # A hand is dealt if it or a later hand from the same pool is requested or tested.
        rest = [later for later in sampler.steps[number:] if later.pool == step.pool]
        if not any(seats >> later.seat & 1 or (accepted_only and later.test is not None) for later in rest):
            continue
        pool = pools[step.pool]
        if step.is_last:
            hand = pool | step.fixed
        else:
            hand = np.empty(counters.size, dtype=np.uint64)
            words = words[: hand.size]
            candidates = (counters, key, words, np.uint64((number + 2) << 16))
            if step.options is not None:
                kernels.sample_with_lengths(
                    *candidates, classes, hand, pool, step.fixed, tuple(step.options), SUBSET_TABLES
                )
            else:
                assert step.open_split is not None
                kernels.sample_any_cards(*candidates, hand, pool, step.fixed, *step.open_split, SUBSET_TABLES)
        hands[step.seat] = hand
        # Rejected candidates are left out of the following steps.
        if accepted_only and step.test is not None:
            members = np.empty(hand.size + 1, dtype=np.int64)
            members = members[: kernels.find_members(hand, *step.test, SHAPE_INDEX, members)]
            if members.size < hand.size:
                counters, classes, places = counters[members], classes[members], places[members]
                pools = [cards[members] for cards in pools]
                hands = {seat: cards[members] for seat, cards in hands.items()}
    return hands, places


class ConditionalSource(Source):
    """The candidates that a sampler accepts, with their numbers."""

    deals_anywhere = True

    def __init__(self, seed: int, sampler: Sampler) -> None:
        self.seed, self.sampler = seed, sampler
        self.description = f"seed {seed}, "

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        def deal() -> NumberedDeals:
            hands, numbers = sample_range(self.sampler, self.seed, first, count, seats)
            return NumberedDeals(Deals(hands, check=False), numbers)

        return deal

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        return Deals(sample_numbered(self.sampler, self.seed, numbers, seats), check=False)
