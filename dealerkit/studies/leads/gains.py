"""Opening leads compared on the same deals: gains of each over every other, and which may be the best.

The tricks of two leads are counted together, so all measures follow from the same counts. The gain of one
lead over another is a mean of differences deal by deal, whose interval is far narrower than those of the two
means.

The same deals that compare the leads also choose the best one, so among equally good leads one is always
ahead. Therefore the interval of each gain over the best of the others shares its error among all pairs of
leads: these intervals are simultaneous, and the best lead is among those that may be the best, with the
confidence of the study.

References
----------
A. Agresti, Y. Min, Simple improved confidence intervals for comparing matched proportions, Statistics in
Medicine 24 (2005), 729-740: half a deal is added to each cell, so that no interval has width 0.
J. C. Hsu, *Multiple Comparisons* (Chapman and Hall 1996), chapter 4. Differences of means use the quantile of
their joint distribution; IMPs and matchpoints use Bonferroni's inequality instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dealerkit.runtime.process import cached_property
from dealerkit.scoring import SCORINGS, Contract, score_contracts
from dealerkit.statistics import Estimate, proportion
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.rare_values import MeanParts, ValueRange, add_unusual_values, build_mean
from dealerkit.statistics.simultaneous import BestIntervals, compare_with_best, find_critical

TRICKS = np.arange(14)
MIN_JOINT = 30  # number of deals from which a covariance can be estimated
_DIFFERENCES = ("beats", "tricks", "points")  # measures whose gains are differences of the leads' means


@dataclass(frozen=True)
class GainTables:
    """The gain of a lead over another by the tricks of the defence after each, for each measure.

    Parameters
    ----------
    contract : Contract
    vulnerable : bool
        Declarer's side.
    """

    contract: Contract
    vulnerable: bool

    @property
    def needed(self) -> int:
        """Number of defensive tricks that beats the contract."""
        return 8 - self.contract.level

    @cached_property
    def points(self) -> np.ndarray:
        """Scores of the defence by its tricks, int64 [14]."""
        bid = self.contract
        return -score_contracts(bid.level, bid.strain, bid.doubled, 13 - TRICKS, self.vulnerable)

    def table(self, measure: str) -> np.ndarray:
        """Return gains by our tricks and those after the other lead, float64 [14, 14].

        Tricks, IMPs, share of the matchpoints above one half, or points.
        """
        if measure == "beats":
            beaten = (self.needed <= TRICKS).astype(float)
            return beaten[:, None] - beaten
        if measure == "tricks":
            return (TRICKS[:, None] - TRICKS).astype(float)
        return SCORINGS[measure].compare(self.points[:, None], self.points).astype(float)


@dataclass(eq=False)
class LeadGains:
    """Counts of the defence's tricks after each pair of leads, and the gains that follow from them.

    It may be known for more deals whether leads beat the contract than how many tricks they take.

    Parameters
    ----------
    tables : GainTables
    n_leads : int
    confidence : float in (0, 1)

    Attributes
    ----------
    n, n_tricks : int
        Number of deals, and of those whose tricks are known.

    Examples
    --------
    >>> gains = LeadGains(GainTables(Contract.parse("3NT"), False), 2)
    >>> gains.add(np.array([[5, 4], [5, 5], [3, 4], [6, 3], [5, 4]]))
    >>> gains.rate("tricks", 0), gains.compare("tricks", 0, 1)
    (4.8 ± 1.4 (n = 5), 0.8 ± 1.8 (n = 5))
    >>> gains.add_beats(np.array([[True, False], [False, False]]))
    >>> gains.n, gains.n_tricks, gains.rate("beats", 0)
    (7, 5, 0.7 [0.3, 1.0] (n = 7))
    """

    tables: GainTables
    n_leads: int
    confidence: float = 0.95
    n: int = 0
    n_tricks: int = 0

    def __post_init__(self) -> None:
        self._tricks = np.zeros((self.n_leads, self.n_leads, 14, 14), np.int64)
        self._beats = np.zeros((self.n_leads, self.n_leads, 2, 2), np.int64)
        self._criticals: dict[tuple[str, int], float] = {}  # for the last number of deals

    def add(self, tricks: np.ndarray) -> None:
        """Add deals with the tricks of the defence, int [n, n_leads]."""
        _count_pairs(self._tricks, np.asarray(tricks, np.int64))
        self.n_tricks += len(tricks)
        self.add_beats(np.asarray(tricks) >= self.tables.needed)

    def add_beats(self, beaten: np.ndarray) -> None:
        """Add deals for which it is only known whether each lead beats the contract, bool [n, n_leads]."""
        _count_pairs(self._beats, np.asarray(beaten, np.int64))
        self.n += len(beaten)

    def size(self, measure: str) -> int:
        """Return the number of deals on which a measure is known."""
        return self.n if measure == "beats" else self.n_tricks

    def _find_counts(self, measure: str) -> tuple[np.ndarray, np.ndarray, int]:
        """Return counts of pairs, the gain of each pair, and the number of deals."""
        if measure == "beats":
            return self._beats, np.array([[0.0, -1.0], [1.0, 0.0]]), max(self.n, 1)
        return self._tricks, self.tables.table(measure), max(self.n_tricks, 1)

    def means(self, measure: str) -> np.ndarray:
        """Return the mean gain of each lead over every other, float64 [n_leads, n_leads]."""
        counts, table, n = self._find_counts(measure)
        return (counts * table).sum(axis=(2, 3)) / n

    def errors(self, measure: str) -> np.ndarray:
        """Return the standard errors of `means`, never 0.

        For the variance, two deals are added to those of each pair. On one of them, half in either direction,
        the leads differ by as much as leads that differ do on average.
        """
        counts, table, n = self._find_counts(measure)
        squared = table**2
        differing = counts.sum(axis=(0, 1)) * (table != 0)
        typical = squared[table != 0].min()
        if differing.any():
            typical = (differing * squared).sum() / differing.sum()
        squares = (counts * squared).sum(axis=(2, 3)) + typical
        sums = (counts * table).sum(axis=(2, 3))
        return np.sqrt((squares - sums**2 / (n + 2)) / (n + 1) / n)

    def compare_with_best(self, measure: str) -> BestIntervals:
        """Return the gain of each lead over the best of the others, with simultaneous intervals."""
        n, count = max(self.size(measure), 1), self.n_leads
        # The error is shared by all pairs (Bonferroni); differences of means also have a covariance.
        level = 1 - (1 - self.confidence) / (count * (count - 1) / 2)
        critical = student_quantile(level, n - 1) if n > 1 else np.inf
        if measure in _DIFFERENCES and n >= MIN_JOINT:
            critical = min(critical, self._find_joint_critical(measure))
        found = compare_with_best(self.means(measure), self.errors(measure), critical)
        _, table, _ = self._find_counts(measure)
        return replace(found, lo=np.maximum(found.lo, table.min()), hi=np.minimum(found.hi, table.max()))

    def _find_joint_critical(self, measure: str) -> float:
        """Return the multiple of the errors with which the intervals of all pairs are simultaneous.

        The covariance of the means follows from the variances of the gains: each lead minus the first.
        """
        counts, table, n = self._find_counts(measure)
        if (measure, n) not in self._criticals:
            variances = (counts * table**2).sum(axis=(2, 3)) / n - self.means(measure) ** 2
            covariance = (variances[:, :1] + variances[:1] - variances) / (2 * n)
            self._criticals = {(measure, n): find_critical(covariance, n - 1, self.confidence)}
        return self._criticals[measure, n]

    def find_order(self, measure: str) -> np.ndarray:
        """Return the leads in the order of their gain over the best of the others; ties by tricks."""
        if self.n_leads < 2:
            return np.zeros(1, np.int64)
        found = self.compare_with_best(measure)
        tricks = self.means("tricks").sum(axis=1)
        return np.lexsort([*(np.round(-keys, 9) for keys in (tricks, found.difference)), ~found.possible])

    def find_possibly_best(self, measure: str) -> np.ndarray:
        """Return which leads may be the best, bool [n_leads]: no other is ahead of them beyond chance."""
        if self.n_leads < 2:
            return np.ones(1, bool)
        return self.compare_with_best(measure).possible

    def compare(self, measure: str, lead: int, other: int) -> Estimate:
        """Return the mean gain of a lead over another, with its paired interval."""
        counts, table, _ = self._find_counts(measure)
        limits = ValueRange(float(table.min()), float(table.max()), SCORINGS[measure].limits.similar)
        return _estimate_mean(table, counts[lead, other], limits, self.confidence)

    def rate(self, measure: str, lead: int) -> Estimate:
        """Return the probability that a lead beats the contract, or its mean tricks."""
        if measure == "beats":
            return proportion(int(self._beats[lead, lead, 1, 1]), self.n, self.confidence)
        single = self._tricks[lead, lead].diagonal()
        return _estimate_mean(TRICKS, single, ValueRange(0, 13), self.confidence)

    def find_needed(self, measure: str, precision: float) -> int:
        """Return how many deals the leads that may be the best need for a precision of their gains.

        A lead that is behind needs none: more deals would not change that, although its interval is wide.
        """
        n = self.size(measure)
        if self.n_leads < 2:
            return n
        if n < 2:
            return 2
        found = self.compare_with_best(measure)
        half = float((found.hi - found.lo)[found.possible].max()) / 2
        return int(np.ceil(n * (half / precision) ** 2))

    def is_precise(self, measure: str, precision: float) -> bool:
        """Return whether the intervals of the leads that may be the best have the precision."""
        return self.find_needed(measure, precision) <= self.size(measure)


def _estimate_mean(values: np.ndarray, counts: np.ndarray, limits: ValueRange, confidence: float) -> Estimate:
    """Return the mean of values that occur with these counts."""
    n, used = int(counts.sum()), counts > 0
    numbers, frequencies = values[used].astype(float), counts[used]
    mean = float(numbers @ frequencies) / max(n, 1)
    if n < 2:
        return Estimate(mean, np.nan, -np.inf, np.inf, n, confidence)
    distinct: dict[float, int] = {}
    for number, frequency in zip(numbers.tolist(), frequencies.tolist(), strict=True):
        distinct[number] = distinct.get(number, 0) + frequency
    error = float(np.sqrt((numbers - mean) ** 2 @ frequencies / (n - 1) / n))
    parts = add_unusual_values(MeanParts(mean, mean, error, n - 1), n, distinct, limits, confidence)
    return build_mean(parts, error, n, confidence, limits, is_constant=len(distinct) == 1)


def _count_pairs(counts: np.ndarray, codes: np.ndarray) -> None:
    """Add to counts [leads, leads, m, m] the pairs of codes [n, leads] on the same deals."""
    n_leads, n_codes = counts.shape[0], counts.shape[2]
    for i in range(n_leads):
        for j in range(n_leads):
            found = np.bincount(n_codes * codes[:, i] + codes[:, j], minlength=n_codes**2)
            counts[i, j] += found.reshape(n_codes, n_codes)
