"""Chi-square tests of deals against exact probabilities: cards, lengths, points, consecutive deals, seeds.

The expected numbers follow from binomial coefficients computed here, not from counts of this package.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from dealerkit.appearance.numbers import format_number
from dealerkit.cards.deals import Deals
from dealerkit.simulation.run import deal

MIN_EXPECTED = 10.0  # cells with smaller expected numbers are joined
CHUNK = 1_000_000  # deals counted together
HIGH_CARDS = 37  # largest number of points of a hand
BLOCK = 65_536  # deals for each key of the stream
_ONE, _SUIT = np.uint64(1), np.uint64(0x1FFF)
SEATS = ("north", "east", "south", "west")


class UniformityTest(NamedTuple):
    """A chi-square test.

    Attributes
    ----------
    family, name : str
    n : int
        Number of deals.
    statistic, freedom : float
        Pearson's statistic and its degrees of freedom.
    p : float
        Probability of a statistic this large or larger if all deals are equally likely.
    """

    family: str
    name: str
    n: int
    statistic: float
    freedom: float
    p: float


def compare_counts(
    family: str, name: str, n: int, observed: np.ndarray, expected: np.ndarray
) -> UniformityTest:
    """Return Pearson's test of counts; the expected counts have the same sum.

    >>> round(compare_counts("", "", 60, np.array([12, 8, 40]), np.array([10.0, 10.0, 40.0])).p, 4)
    0.6703
    """
    observed, expected = np.ravel(observed).astype(float), np.ravel(expected).astype(float)
    large = expected >= MIN_EXPECTED
    cells = [(observed[large], expected[large])]
    if (rest := expected[~large].sum()) >= 1:
        cells.append((np.array([observed[~large].sum()]), np.array([rest])))
    if observed[expected == 0].any():  # impossible cells
        return UniformityTest(family, name, n, math.inf, 1, 0.0)
    statistic = sum(float(((o - e) ** 2 / e).sum()) for o, e in cells)
    return _finish(family, name, n, statistic, sum(len(o) for o, _ in cells) - 1)


def _finish(family: str, name: str, n: int, statistic: float, freedom: float) -> UniformityTest:
    from scipy.special import gammaincc

    return UniformityTest(family, name, n, statistic, freedom, float(gammaincc(freedom / 2, statistic / 2)))


# ------------------------------------------------------------ exact probabilities
@cache
def shares_of_points_and_lengths() -> np.ndarray:
    """Return the probability of each (spades, hearts, diamonds, points) of a hand, [14, 14, 14, 38]."""
    suits = np.zeros((14, 11))
    for holding in range(8192):
        suits[holding.bit_count(), sum(4 - k for k in range(4) if holding >> (12 - k) & 1)] += 1
    shares = np.zeros((14, 14, 14, HIGH_CARDS + 1))
    for spades in range(14):
        for hearts in range(14 - spades):
            majors = np.convolve(suits[spades], suits[hearts])
            for diamonds in range(14 - spades - hearts):
                minors = np.convolve(suits[diamonds], suits[13 - spades - hearts - diamonds])
                shares[spades, hearts, diamonds] = np.convolve(majors, minors)[: HIGH_CARDS + 1]
    return shares / math.comb(52, 13)


@cache
def _shares_of_partner(length: int) -> np.ndarray:
    """Return the probability of each length of a suit in another hand, given its length in the first."""
    ways = [math.comb(13 - length, k) * math.comb(26 + length, 13 - k) for k in range(14)]
    return np.array(ways) / math.comb(39, 13)


# ------------------------------------------------------------ counts
def _lengths(hands: np.ndarray, suit: int) -> np.ndarray:
    return np.bitwise_count(hands >> np.uint64(48 - 16 * suit) & _SUIT).astype(np.int64)


def _points(hands: np.ndarray) -> np.ndarray:
    total = np.zeros(len(hands), np.int64)
    for k in range(4):
        total += (4 - k) * np.bitwise_count(hands & np.uint64(0x1000_1000_1000_1000 >> k)).astype(np.int64)
    return total


def _code(hands: np.ndarray) -> np.ndarray:
    """Return the index of a hand in `shares_of_points_and_lengths`."""
    code = _lengths(hands, 0) * 14 + _lengths(hands, 1)
    return (code * 14 + _lengths(hands, 2)) * (HIGH_CARDS + 1) + _points(hands)


class Tally:
    """Counts of chunks of consecutive deals.

    Parameters
    ----------
    accepts : callable or None
        ``accepts(spades, hearts, diamonds, points)``, on arrays that broadcast, is the condition on north
        that the deals satisfy; None for all deals.
    """

    def __init__(self, accepts: Callable[..., Any] | None = None) -> None:
        self.n = self.n_pairs = 0
        shares = shares_of_points_and_lengths()
        if accepts is not None:
            shares = np.where(accepts(*np.indices(shares.shape, sparse=True)), shares, 0)
        self.shares = shares / shares.sum()
        self.is_plain = accepts is None
        self.hands = np.zeros((4, shares.size), np.int64)
        self.cards = np.zeros((52, 4), np.int64)
        self.partners = np.zeros((14, 14), np.int64)
        self.holders = np.zeros((3, 16), np.int64)  # seat of a card in deals at a distance of 1, 2, 3
        self.places = np.zeros((64, 4), np.int64)  # seat of a card, by the place in the block
        self.next_points = np.zeros((38, 38), np.int64)

    def update(self, hands: np.ndarray, first: int = 0) -> None:
        """Add deals, uint64 [n, 4], that follow each other; `first` is the number of the first."""
        self.n += len(hands)
        for seat in range(4) if self.is_plain else (0,):
            self.hands[seat] += np.bincount(_code(hands[:, seat]), minlength=self.shares.size)
        for suit in range(4):
            for rank in range(13):
                bit = np.uint64(1 << (48 - 16 * suit + rank))
                for seat in range(4):
                    self.cards[13 * suit + rank, seat] += np.count_nonzero(hands[:, seat] & bit)
        north, south = _lengths(hands[:, 0], 0), _lengths(hands[:, 2], 0)
        self.partners += np.bincount(14 * north + south, minlength=196).reshape(14, 14)
        holder = (hands & np.uint64(1 << (16 + 11)) != 0) @ np.arange(4)  # of the king of diamonds
        for lag in (1, 2, 3):
            self.holders[lag - 1] += np.bincount(4 * holder[:-lag] + holder[lag:], minlength=16)
        place = (first + np.arange(len(hands))) % BLOCK // (BLOCK // 64)
        self.places += np.bincount(4 * place + holder, minlength=256).reshape(64, 4)
        points = _points(hands[:, 0])
        self.next_points += np.bincount(38 * points[:-1] + points[1:], minlength=38 * 38).reshape(38, 38)
        self.n_pairs += len(hands) - 1

    def run_tests(self, family: str) -> Iterator[UniformityTest]:
        """Yield the tests of what was counted, if there are enough deals for them."""
        yield from (test for test in self._compare_all(family) if test.freedom)

    def _compare_all(self, family: str) -> Iterator[UniformityTest]:
        n, lengths = self.n, self.shares.sum(axis=(1, 2, 3))
        for seat in range(4) if self.is_plain else (0,):
            name = f"lengths and points of {SEATS[seat]}"
            yield compare_counts(family, name, n, self.hands[seat], n * self.shares)
            points = self.hands[seat].reshape(-1, 38).sum(axis=0)
            shares = self.shares.sum(axis=(0, 1, 2))
            yield compare_counts(family, f"points of {SEATS[seat]}", n, points, n * shares)
        expected = n * lengths[:, None] * np.array([_shares_of_partner(k) for k in range(14)])
        yield compare_counts(family, "spades of north and south", n, self.partners, expected)
        yield self._test_cards(family)
        points = self.shares.sum(axis=(0, 1, 2))
        pairs = self.n_pairs * np.outer(points, points)
        yield compare_counts(family, "points of north in consecutive deals", n, self.next_points, pairs)
        if self.is_plain:
            for lag, counts in enumerate(self.holders, 1):
                share = np.full(16, counts.sum() / 16)
                yield compare_counts(family, f"a card in deals {lag} apart", n, counts, share)
            expected = np.repeat(self.places.sum(axis=1)[:, None] / 4, 4, axis=1)
            test = compare_counts(family, "a card by place in the block", n, self.places, expected)
            yield _finish(family, test.name, n, test.statistic, 64 * 3)

    def _test_cards(self, family: str) -> UniformityTest:
        """Return the test of which seat holds each card, of those that north does not hold if conditional.

        Each deal gives 13 cards to each seat, so the numbers of different cards are correlated; for c cards
        and s seats this divides the statistic by c / (c - 1).
        """
        if self.is_plain:
            statistic = ((self.cards - self.n / 4) ** 2 / (self.n / 4)).sum() * 51 / 52
            return _finish(family, "seat of each card", self.n, float(statistic), 51 * 3)
        # Given north's hand, the other three are exchangeable: for each card, the differences are symmetric.
        east, south, west = (self.cards[:, seat].astype(float) for seat in (1, 2, 3))
        rest = east + south + west
        card = 36  # only one, since differences of several cards are correlated
        statistic = sum(((part - rest / 3) ** 2 / (rest / 3))[card] for part in (east, south, west))
        return _finish(family, "seat of a card beside north", self.n, float(statistic), 2)


# ------------------------------------------------------------ families
def _notrump(spades: Any, hearts: Any, diamonds: Any, points: Any) -> Any:
    clubs = 13 - spades - hearts - diamonds
    longest, shortest = (
        function(function(spades, hearts), function(diamonds, clubs)) for function in (np.maximum, np.minimum)
    )
    doubletons = sum((suit == 2).astype(int) for suit in (spades, hearts, diamonds, clubs))
    return (points >= 15) & (points <= 17) & (longest <= 5) & (shortest >= 2) & (doubletons <= 1)


CONDITIONS: dict[str, Callable[..., Any]] = {
    "hcp(north) >= 15 and hcp(north) <= 17 and shape(north, any 4333 + any 4432 + any 5332)": _notrump,
    "spades(north) >= 5 and hearts(north) >= 5 and hcp(north) >= 10": lambda s, h, d, p: (
        (s >= 5) & (h >= 5) & (p >= 10)
    ),
    "spades(north) >= 7 or hcp(north) >= 22": lambda s, h, d, p: (s >= 7) | (p >= 22),
    "hcp(north) == 0": lambda s, h, d, p: p == 0,
}


def compare_plain(n: int, seed: int) -> Iterator[UniformityTest]:
    """Yield tests of n deals of one seed."""
    tally, equal = Tally(), []
    for chunk, hands in enumerate(_deal_chunks(n, seed, None)):
        tally.update(hands, chunk * CHUNK)
        if chunk < 10:
            equal.append(hands[:, 0])
    yield from tally.run_tests("all deals")
    yield _test_repeats(np.concatenate(equal))


def _test_repeats(hands: np.ndarray) -> UniformityTest:
    """Return the test of how often two deals of a run have the same hand for north, which is Poisson's."""
    from scipy.special import gammainc, pdtr

    n = len(hands)
    _, counts = np.unique(hands, return_counts=True)
    found, expected = int((counts * (counts - 1) // 2).sum()), n * (n - 1) / 2 / math.comb(52, 13)
    p = min(1.0, 2 * min(float(pdtr(found, expected)), float(gammainc(found, expected)) if found else 1.0))
    return UniformityTest(
        "all deals", f"equal hands ({found}, expected {format_number(expected, 1)})", n, found, 1, p
    )


def compare_conditional(n: int, seed: int) -> Iterator[UniformityTest]:
    """Yield tests of n deals of each condition on north, dealt conditionally."""
    for k, (condition, accepts) in enumerate(CONDITIONS.items()):
        tally = Tally(accepts)
        for hands in _deal_chunks(n, seed + k, condition):
            tally.update(hands)
        yield from tally.run_tests(condition)


def compare_seeds(n_seeds: int, first: int, n_deals: int = 16) -> Iterator[UniformityTest]:
    """Yield tests of the first deals of consecutive seeds, as deals of one run and between seeds."""
    tally, across = Tally(), Tally()
    rows = [deal(n_deals, seed=first + k, threads=1, progress=False).hands for k in range(n_seeds)]
    tally.update(np.concatenate(rows))
    across.update(np.stack(rows)[:, 0])
    for name, counts in (("all", tally), ("first", across)):
        yield from (test for test in counts.run_tests(f"seeds: {name} deals") if "place" not in test.name)


def _deal_chunks(n: int, seed: int, condition: str | None) -> Iterator[np.ndarray]:
    """Yield the hands of n deals of a seed, in order."""
    if condition is not None:
        for first in range(0, n, CHUNK):  # each chunk has its own seed, to limit memory
            count = min(CHUNK, n - first)
            own = 1000 * seed + first // CHUNK
            yield deal(count, given=condition, seed=own, plan="conditional", progress=False).hands
        return
    from dealerkit.dealing.uniform.stream import UniformSource

    source = UniformSource(seed)
    for first in range(0, n, CHUNK):
        dealt = source.batch(first, min(CHUNK, n - first), 15)()
        assert isinstance(dealt, Deals)
        yield dealt.hands
