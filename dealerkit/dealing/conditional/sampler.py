"""Deals of which some seats belong to sets of hands, exactly and without dealing the others.

Candidate i of a run with a seed is a pure function of the two, as a deal of the uniform
stream is, from words of its own. The lengths of the first seats and the first seat's hand are
drawn exactly (`conditional_lengths`, `conditional_tables`); the cards of every further seat are
uniform among those left, and a candidate with a hand outside its set is dropped before more is
dealt. So the candidates that survive are uniform among the deals that comply.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dealerkit.dealing.card_splits import SUBSET_TABLES, SplitTable
from dealerkit.dealing.conditional.hand_set_shapes import SHAPE_INDEX
from dealerkit.dealing.conditional.hand_sets import HandSet
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.joint_lengths import Joint, Options, make_draw
from dealerkit.dealing.conditional.kernels import draw_any, draw_first, draw_within, find_members
from dealerkit.dealing.conditional.lookup_tables import bounded, make_graph
from dealerkit.dealing.conditional.protocol import Sampler
from dealerkit.dealing.random_words import BLOCK, CONDITIONAL, SIDES, block_key
from dealerkit.errors import ArgumentError

CONDITIONAL_VERSION = 2
_CHUNK = 2048  # candidates worked on at a time
# ceil(2^63 / n) for the sizes of classes, by which numbers of hands are divided exactly
_DIVIDE = np.array([-(-(1 << 63) // max(1, n)) for n in range(1717)], dtype=np.uint64)
_DIVIDE.flags.writeable = False


class Step(NamedTuple):
    """How a seat after the first is dealt."""

    seat: int
    fixed: np.uint64
    pool: int  # which of the plan's pools it is dealt from
    last: bool  # it gets all cards that are left there
    lengths: Options | None  # arguments of `draw_within`
    parts: np.ndarray | None  # arguments of `draw_any`
    heap: SplitTable | None
    test: tuple[np.ndarray, ...] | None  # arguments of `find_members`


@dataclass(frozen=True, eq=False)
class HandSetSampler:
    """What `sample_range` needs to know; made by `conditional_seats` and `conditional_sides`.

    Parameters
    ----------
    seats : tuple of (int, HandSet)
        The seats with a condition in the order in which they are dealt, predealt cards folded in.
    exact : int
        How many of them have their lengths drawn exactly (0 if no deal complies).
    total : int
        Number of ways to give those seats their cards so that the lengths of all and the hand of
        the first are allowed; of a side's plan, to give the side its cards and those seats theirs.
    share : Fraction
        The same by the number of deals that comply with the predeal: a plain deal is a candidate with
        this probability, and a candidate survives when the other seats' hands are in their sets. (It
        exceeds 1 only where the predeal demands lengths or small cards of a seat that is not among the
        first `exact`: then plain dealing throws less away.)
    side : int or None
        0 (NS) or 1 (EW) where that side's 26 cards are drawn first; None where the first seat's hand is.
    """

    seats: tuple[tuple[int, HandSet], ...]
    exact: int
    total: int
    share: Fraction
    pools: tuple[tuple[np.uint64, np.uint64], ...] = field(default=(), repr=False)  # drawn ^ one & the other
    steps: tuple[Step, ...] = field(default=(), repr=False)
    first: tuple = field(default=(), repr=False)  # arguments of `draw_first`
    side: int | None = None

    @property
    def certain(self) -> bool:
        """Does every candidate survive?"""
        return not any(step.test is not None for step in self.steps)

    def deal(self, seed: int, numbers: np.ndarray, seats: int, tested: bool) -> tuple[np.ndarray, np.ndarray]:
        """Hands of candidates, and the numbers of those that are left; see `Sampler.deal`."""
        return _deal(self, seed, numbers, seats, tested)


@dataclass(frozen=True, eq=False)
class PreparedSampler:
    """A plan of which the chances are known: of several drafts only the best is finished.

    Parameters
    ----------
    share : Fraction
        As in the plan.
    finish : callable
        Makes the plan with its tables.
    """

    share: Fraction
    build: Callable[[], HandSetSampler]


def first_of(joint: Joint, hands: HandTable) -> tuple:
    """Arguments of `draw_first` for classes of lengths and the first seat's or the side's hands."""
    graph = make_graph(hands)
    where = graph.roots[joint.shape], graph.lanes[joint.shape]
    return make_draw(joint), (*bounded(joint.ways), *where), graph[:3], _DIVIDE


def sample_range(
    plan: Sampler, seed: int, first: int, count: int, seats: int = 15
) -> tuple[np.ndarray, np.ndarray]:
    """The survivors among the candidates ``first .. first + count - 1`` of a run.

    Parameters
    ----------
    plan : HandSetSampler or Mixture
    seed : int >= 0
    first, count : int >= 0
    seats : int, 0..15
        Whose hands are wanted: bit 0 north ... bit 3 west. The same hands in any case.

    Returns
    -------
    hands : ndarray of uint64 [n, 4]
        N E S W, each seat contiguous; 0 for a seat that is not wanted, or its hand.
    numbers : ndarray of int64 [n]
        Rising numbers of the candidates.

    Raises
    ------
    ArgumentError
        For a negative seed or number.

    Examples
    --------
    >>> from dealerkit.dealing.conditional.seat_sampler import build_seat_sampler
    >>> hearts = HandSet.all_hands().restrict(np.arange(8192) < [[8192], [1], [8192], [8192]])
    >>> hands, numbers = sample_range(build_seat_sampler([(0, hearts)]), seed=1, first=0, count=5)
    >>> [int(hand) >> 32 & 8191 for hand in hands[:, 0]]
    [0, 0, 0, 0, 0]
    """
    if first < 0 or count < 0:
        raise ArgumentError(f"candidates are numbered from 0 up: first={first}, count={count}")
    return plan.deal(seed, np.arange(first, first + count, dtype=np.int64), seats, True)


def sample_numbered(plan: Sampler, seed: int, numbers: np.ndarray, seats: int = 15) -> np.ndarray:
    """Candidates of a run by their numbers, untested: survivors are the deals of `sample_range`.

    Parameters
    ----------
    plan, seed, seats
        As in `sample_range`.
    numbers : ndarray of int64 [n], >= 0

    Returns
    -------
    ndarray of uint64 [n, 4]
    """
    numbers = np.asarray(numbers, dtype=np.int64)
    if numbers.size and numbers.min() < 0:
        raise ArgumentError(f"candidates are numbered from 0 up, not {numbers.min()}")
    blocks = numbers // BLOCK
    order = np.argsort(blocks, kind="stable")
    dealt, _ = plan.deal(seed, numbers[order], seats, False)
    hands = np.empty((4, numbers.size), dtype=np.uint64).T
    hands[order] = dealt
    return hands


def _deal(
    plan: HandSetSampler, seed: int, numbers: np.ndarray, seats: int, tested: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Deal candidates whose blocks are in rising order."""
    if not plan.total:
        return np.zeros((4, 0), dtype=np.uint64).T, np.zeros(0, dtype=np.int64)
    hands = np.zeros((4, numbers.size), dtype=np.uint64)
    kept = np.empty(numbers.size, dtype=np.int64)
    blocks = numbers // BLOCK
    size = 0
    begin = 0
    while begin < numbers.size:
        block = int(blocks[begin])
        end = min(begin + _CHUNK, int(np.searchsorted(blocks, block, side="right")))
        part = numbers[begin:end]
        key = block_key(seed, block, CONDITIONAL if plan.side is None else SIDES)
        dealt, places = _chunk(plan, key, part % BLOCK, seats, tested)
        there = slice(size, size + places.size)
        for seat, hand in dealt.items():
            hands[seat, there] = hand
        kept[there] = part[places]
        size += places.size
        begin = end
    return hands[:, :size].T, kept[:size]


def _chunk(
    plan: HandSetSampler, key: np.ndarray, rows: np.ndarray, seats: int, tested: bool
) -> tuple[dict[int, np.ndarray], np.ndarray]:
    """The hands by seat of the survivors, and their places among the candidates `rows` of a block."""
    counters = rows.astype(np.uint64) << np.uint64(20)
    classes = np.empty(rows.size, dtype=np.int64)
    hand, words = np.empty((2, rows.size), dtype=np.uint64)
    draw_first(counters, key, words, classes, hand, *plan.first)
    pools = [(hand ^ flip) & mask for flip, mask in plan.pools]
    dealt = {plan.seats[0][0]: hand} if plan.side is None else {}
    places = np.arange(rows.size)
    for number, step in enumerate(plan.steps):
        later = [more for more in plan.steps[number:] if more.pool == step.pool]
        if not any(seats >> more.seat & 1 or (tested and more.test is not None) for more in later):
            continue
        pool = pools[step.pool]
        if step.last:
            hand = pool | step.fixed
        else:
            hand = np.empty(counters.size, dtype=np.uint64)
            words = words[: hand.size]
            where = (counters, key, words, np.uint64((number + 2) << 16))
            if step.lengths is not None:
                draw_within(*where, classes, hand, pool, step.fixed, tuple(step.lengths), SUBSET_TABLES)
            else:
                draw_any(*where, hand, pool, step.fixed, step.parts, step.heap, SUBSET_TABLES)
        dealt[step.seat] = hand
        if tested and step.test is not None:
            found = np.empty(hand.size + 1, dtype=np.int64)
            found = found[: find_members(hand, *step.test, SHAPE_INDEX, found)]
            if found.size < hand.size:
                counters, classes, places = counters[found], classes[found], places[found]
                pools = [cards[found] for cards in pools]
                dealt = {seat: cards[found] for seat, cards in dealt.items()}
    return dealt, places
