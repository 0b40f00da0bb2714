"""Mixtures of samplers: branches against their exact probabilities, deals against enumeration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare

from dealerkit import ArgumentError
from dealerkit.dealing import Predeal, block_key, random_word
from dealerkit.dealing.conditional import mixture as mixtures
from dealerkit.dealing.conditional.hand_sets import HandSet
from dealerkit.dealing.conditional.mixture import Mixture, assign_branches
from dealerkit.dealing.conditional.preparation import prepare_seat_sampler
from dealerkit.dealing.conditional.sampler import sample_numbered, sample_range
from dealerkit.dealing.uniform import deal_range

LEVEL = 1e-6
BLOCK = 65_536
HANDS = comb(52, 13)
SPADES = 48  # where the lane of a suit begins


def lane(hands: np.ndarray, seat: int, suit: int) -> np.ndarray:
    return (hands[:, seat] >> np.uint64(SPADES - 16 * suit)).astype(np.int64) & 8191


def ace(suit: int) -> HandSet:
    """Hands with the ace of a suit."""
    held = np.ones((4, 8192), bool)
    held[suit] = np.arange(8192) >= 4096
    return HandSet.all_hands().restrict(held)


def is_first_branch(tests: Sequence[Callable[..., np.ndarray]]) -> Callable[[int, np.ndarray], np.ndarray]:
    """Whether the first branch that a deal satisfies is the one that it was sampled for."""

    def test(branch: int, hands: np.ndarray) -> np.ndarray:
        satisfied = np.stack([evaluate(hands) for evaluate in tests])
        return np.asarray(satisfied.any(axis=0) & (satisfied.argmax(axis=0) == branch))

    return test


@dataclass(frozen=True, eq=False)
class Chance:
    """A sampler of which only the share is used."""

    share: Fraction
    accepts_all: bool = True


def chances(*shares: Fraction) -> Mixture:
    samplers = tuple(Chance(share) for share in shares)
    return Mixture(samplers, lambda branch, hands: np.ones(len(hands), bool), (0,) * len(shares))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def aces() -> Mixture:
    """North has the ace of spades, or south that of hearts, or east that of spades: overlapping and excluding."""
    owners = ((0, 0), (2, 1), (1, 0))
    tests = [lambda hands, seat=seat, suit=suit: lane(hands, seat, suit) >= 4096 for seat, suit in owners]
    samplers = tuple(prepare_seat_sampler([(seat, ace(suit))]).build() for seat, suit in owners)
    return Mixture(samplers, is_first_branch(tests), (0b0001, 0b0101, 0b0111))


@pytest.mark.parametrize(
    "shares",
    [
        (Fraction(1, 3), Fraction(1, 7)),
        (Fraction(1, 50), Fraction(1, 1000), Fraction(3, 100), Fraction(1, 10_000)),
        tuple(Fraction(n, 100) for n in (9, 1, 8, 2, 7, 3, 6, 4)),
        (Fraction(2, 5),),
    ],
)
def test_branches_are_drawn_with_their_exact_probabilities(shares: tuple[Fraction, ...]) -> None:
    branches = assign_branches(chances(*shares), 7, np.arange(1_000_000))
    assert branches.dtype == np.int8
    counts = np.bincount(branches, minlength=len(shares))
    expected = [1_000_000 * float(share / sum(shares)) for share in shares]
    if len(shares) == 1:
        assert counts.tolist() == [1_000_000]
    else:
        assert chisquare(counts, expected).pvalue > LEVEL
        pairs = np.bincount(
            len(shares) * branches[1:].astype(int) + branches[:-1], minlength=len(shares) ** 2
        )
        products = np.outer(expected, expected).ravel() / 1_000_000
        common = products >= 10
        error = (pairs - products)[common] / np.sqrt(products[common])  # neighbours are independent
        assert np.abs(error).max() < 6


def test_the_branch_of_a_number_is_its_word_as_a_fraction() -> None:
    shares = (Fraction(1, 9), Fraction(2, 9), Fraction(1, 18))
    numbers = np.array([3, BLOCK - 1, BLOCK, 5 * BLOCK + 17, 2])
    for number, branch in zip(numbers.tolist(), assign_branches(chances(*shares), 12, numbers), strict=True):
        key = block_key(12, number // BLOCK, mixtures.BRANCHES)
        place = Fraction(int(random_word(np.uint64(number % BLOCK << 20), key)), 2**64) * sum(shares)
        assert sum(shares[:branch]) <= place < sum(shares[: branch + 1])


@pytest.mark.parametrize(("third", "more"), [(1, True), (2, True), (0, False)])
def test_a_word_that_equals_a_bound_is_decided_by_further_words(third: int, more: bool) -> None:
    """The bound is (word + third / 3) / 2^64, with the first random word of candidate 5."""
    key = block_key(3, 0, mixtures.BRANCHES)
    first, second = (int(random_word(np.uint64(5 << 20 | j), key)) for j in (0, 1))
    bound = (first + Fraction(third, 3)) / 2**64
    number = Fraction(first, 2**64) + Fraction(second, 2**128) * more
    branches = assign_branches(chances(bound / 2, (1 - bound) / 2), 3, np.arange(10))
    assert branches[5] == (number >= bound)


@pytest.mark.parametrize(("words", "branch"), [([5, 9], 1), ([5, 3], 0), ([7, 0], 1), ([4, 2**64 - 1], 0)])
def test_further_words_may_be_equal_to_the_bound_too(words: list[int], branch: int) -> None:
    """Words of 64 bits against the bound 1/3, whose digits are 0x5555... for ever."""
    fives = 0x5555555555555555
    first = fives + words[0] - 5
    further = [fives, fives, fives + words[1] - 5 if words[1] < 2**63 else words[1]]
    assert mixtures.choose_branch([Fraction(1, 3)], first, further) == branch


def test_the_share_is_the_sum_of_the_shares(aces: Mixture) -> None:
    assert aces.share == Fraction(3, 4)
    assert not aces.accepts_all
    assert aces.bounds == (Fraction(1, 3), Fraction(2, 3))
    alone = Mixture(aces.samplers[:1], aces.test, (0,))
    assert alone.accepts_all
    assert alone.share == Fraction(1, 4)
    assert Mixture((), aces.test, ()).share == 0


def test_accepted_candidates_are_uniform_and_as_many_as_the_or_is_probable(aces: Mixture) -> None:
    """P(SA north or east) = 1/2; else HA south: 13 of the 51 other places, if the ace of spades is not with N or E."""
    count = 200_000
    hands, numbers = sample_range(aces, 4, 0, count)
    spade = [lane(hands, seat, 0) >= 4096 for seat in range(4)]
    heart = [lane(hands, seat, 1) >= 4096 for seat in range(4)]
    places = np.array([[(own & other).sum() for other in heart] for own in spade])
    cells = {
        (one, other): Fraction(12 if one == other else 13, 51) / 4 for one in range(4) for other in range(4)
    }
    satisfied = {cell for cell in cells if cell[0] in (0, 1) or cell[1] == 2}
    assert places.sum() == sum(places[cell] for cell in satisfied)
    expected = [float(count * cells[cell] / aces.share) for cell in sorted(satisfied)]
    rest = float(count * (1 - sum(cells[cell] for cell in satisfied) / aces.share))
    counts = [places[cell] for cell in sorted(satisfied)]
    assert chisquare([*counts, count - len(numbers)], [*expected, rest]).pvalue > LEVEL


def test_any_partition_gives_the_same_candidates(aces: Mixture) -> None:
    hands, numbers = sample_range(aces, 9, BLOCK - 3000, 6000)
    assert (np.diff(numbers) > 0).all()
    bounds = [BLOCK - 3000, BLOCK - 2999, BLOCK - 1700, BLOCK, BLOCK + 1, BLOCK + 3000]
    parts = [sample_range(aces, 9, a, b - a) for a, b in pairwise(bounds)]
    assert np.array_equal(np.concatenate([part[0] for part in parts]), hands)
    assert np.array_equal(np.concatenate([part[1] for part in parts]), numbers)
    order = np.random.default_rng(1).permutation(len(numbers))
    assert np.array_equal(sample_numbered(aces, 9, numbers[order]), hands[order])
    assert (np.bitwise_count(hands) == 13).all()
    assert (np.bitwise_or.reduce(hands, axis=1) == 0x1FFF1FFF1FFF1FFF).all()


@pytest.mark.parametrize("seats", [0, 0b0001, 0b1000, 0b1010])
def test_hands_do_not_depend_on_the_needed_seats(aces: Mixture, seats: int) -> None:
    hands, numbers = sample_range(aces, 9, 0, 3000)
    some, same = sample_range(aces, 9, 0, 3000, seats)
    assert np.array_equal(numbers, same)
    for seat in range(4):
        if seats >> seat & 1:
            assert np.array_equal(some[:, seat], hands[:, seat])
        else:
            assert ((some[:, seat] == hands[:, seat]) | (some[:, seat] == 0)).all()


def test_a_mixture_without_branches_deals_nothing(aces: Mixture) -> None:
    hands, numbers = sample_range(Mixture((), aces.test, ()), 1, 0, 1000)
    assert hands.shape == (0, 4)
    assert numbers.shape == (0,)
    assert sample_range(aces, 1, 5, 0)[0].shape == (0, 4)


def test_predealt_cards_weigh_the_branches() -> None:
    """North holds the king of spades; the ace of spades is in north's other 12 places or in south's 13 of 51."""
    predeal = Predeal(((0, 0, 11),))
    samplers = tuple(prepare_seat_sampler([(seat, ace(0))], predeal).build() for seat in (0, 2))
    mixture = Mixture(samplers, lambda branch, hands: np.ones(len(hands), bool), (0, 0))
    assert [sampler.share for sampler in samplers] == [Fraction(12, 51), Fraction(13, 51)]
    assert mixture.accepts_all
    hands, numbers = sample_range(mixture, 2, 0, 100_000)
    assert len(numbers) == 100_000
    assert (lane(hands, 0, 0) >> 11 & 1).all()
    counts = [int((lane(hands, seat, 0) >= 4096).sum()) for seat in (0, 2)]
    assert chisquare(counts, [12 * 4000, 13 * 4000]).pvalue > LEVEL
    # the spades of west, whose hand no test needs, against plain deals
    plain = deal_range(8, 0, 400_000, 15, predeal)
    plain = plain[(lane(plain, 0, 0) >= 4096) | (lane(plain, 2, 0) >= 4096)]
    tables = [np.bincount(np.bitwise_count(lane(some, 3, 0)), minlength=14) for some in (hands, plain)]
    a, b = (table[:9].astype(float) for table in tables)
    expected = (a + b) * a.sum() / (a.sum() + b.sum())
    other = (a + b) * b.sum() / (a.sum() + b.sum())
    assert chisquare([*a, *b], [*expected, *other], ddof=8).pvalue > LEVEL


def test_invalid_mixtures_raise_errors(aces: Mixture) -> None:
    with pytest.raises(ArgumentError, match="no candidates"):
        chances(Fraction(1, 2), Fraction(0))
    with pytest.raises(ArgumentError, match="up to 8"):
        chances(*[Fraction(1, 20)] * 9)
    with pytest.raises(ArgumentError, match="set of seats"):
        Mixture(aces.samplers, aces.test, (1,))
