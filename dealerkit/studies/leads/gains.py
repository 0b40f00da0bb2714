"""Opening leads compared on the same deals: gains of each over each other, and which may be the best.

The tricks of two leads are counted together, so all measures follow from the same counts. A gain of one lead
over another is a mean of differences deal by deal, whose interval is far narrower than those of the means.

The best lead is chosen by the deals that compare the leads, so of equally good leads one is always ahead.
A lead may be the best as long as no other is ahead of it by more than chance, at a confidence level shared
by all comparisons: the leads that may be the best contain the best one with at least this confidence.

References
----------
A. Agresti, Y. Min, Simple improved confidence intervals for comparing matched proportions, Statistics in
Medicine 24 (2005), 729-740: half a deal is added to each cell, so that no interval has width 0.
J. C. Hsu, Constrained simultaneous confidence intervals for multiple comparisons with the best, Annals of
Statistics 12 (1984), 1136-1144; with Bonferroni's inequality in place of a common variance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dealerkit.scoring import Contract, convert_to_imps, score_contracts
from dealerkit.statistics import Estimate, proportion
from dealerkit.statistics.intervals import student_quantile

MEASURES = ("beats", "tricks", "imps", "matchpoints", "total")
TRICKS = np.arange(14)


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
        """Tricks of the defence that beat the contract."""
        return 8 - self.contract.level

    @cached_property
    def points(self) -> np.ndarray:
        """Scores of the defence by its tricks, int64 [14]."""
        bid = self.contract
        return -score_contracts(bid.level, bid.strain, bid.doubled, 13 - TRICKS, self.vulnerable)

    def table(self, measure: str) -> np.ndarray:
        """Return gains by our tricks and those after the other lead, float64 [14, 14].

        Chance to beat the contract, tricks, IMPs, share of the matchpoints above one half, points.
        """
        difference = self.points[:, None] - self.points
        if measure == "beats":
            beaten = (self.needed <= TRICKS).astype(float)
            return beaten[:, None] - beaten
        if measure == "tricks":
            return (TRICKS[:, None] - TRICKS).astype(float)
        if measure == "imps":
            return convert_to_imps(difference).astype(float)
        return np.sign(difference) / 2 if measure == "matchpoints" else difference.astype(float)


@dataclass(eq=False)
class LeadGains:
    """Counts of the defence's tricks after each pair of leads, and what follows from them.

    Parameters
    ----------
    tables : GainTables
    n_leads : int
    confidence : float in (0, 1)

    Examples
    --------
    >>> gains = LeadGains(GainTables(Contract.parse("3NT"), False), 2)
    >>> gains.add(np.array([[5, 4], [5, 5], [3, 4], [6, 3], [5, 4]]))
    >>> gains.rate("tricks", 0), gains.compare("tricks", 0, 1)
    (4.80 ± 1.32 (n = 5), 0.80 ± 1.81 (n = 5))
    """

    tables: GainTables
    n_leads: int
    confidence: float = 0.95
    n: int = 0
    counts: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.counts = np.zeros((self.n_leads, self.n_leads, 14, 14), np.int64)

    def add(self, tricks: np.ndarray) -> None:
        """Add deals: tricks of the defence, int [n, n_leads]."""
        codes = np.asarray(tricks, np.int64)
        for i in range(self.n_leads):
            for j in range(self.n_leads):
                found = np.bincount(14 * codes[:, i] + codes[:, j], minlength=196)
                self.counts[i, j] += found.reshape(14, 14)
        self.n += len(codes)

    def means(self, measure: str) -> np.ndarray:
        """Return the mean gain of each lead over each other, float64 [n_leads, n_leads]."""
        return (self.counts * self.tables.table(measure)).sum(axis=(2, 3)) / max(self.n, 1)

    def errors(self, measure: str) -> np.ndarray:
        """Return the standard errors of `means`, never 0.

        Two deals are added to those of each pair for the variance. On one of them, half to either side, the
        leads differ as much as leads do that differ.
        """
        table = self.tables.table(measure)
        squared, n = table**2, max(self.n, 1)
        differing = self.counts.sum(axis=(0, 1)) * (table != 0)
        typical = squared[table != 0].min()
        if differing.any():
            typical = (differing * squared).sum() / differing.sum()
        squares = (self.counts * squared).sum(axis=(2, 3)) + typical
        sums = (self.counts * table).sum(axis=(2, 3))
        return np.sqrt((squares - sums**2 / (n + 2)) / (n + 1) / n)

    def find_order(self, measure: str) -> np.ndarray:
        """Return the leads in order of their mean gain over all others, the best first."""
        return np.argsort(-self.means(measure).sum(axis=1), kind="stable")

    def find_best_others(self, measure: str) -> np.ndarray:
        """Return for each lead the best of the others: the first in order, of the first the second."""
        order = self.find_order(measure)
        others = np.full(self.n_leads, order[0])
        others[order[0]] = order[min(1, self.n_leads - 1)]
        return others

    def find_possibly_best(self, measure: str) -> np.ndarray:
        """Return which leads may be the best, bool [n_leads]: no other is ahead of them beyond chance."""
        if self.n < 2 or self.n_leads < 2:
            return np.ones(self.n_leads, bool)
        # one-sided, and the level is shared by the comparisons of a lead with all others
        level = 1 - 2 * (1 - self.confidence) / (self.n_leads - 1)
        quantile = student_quantile(level, self.n - 1) if level > 0 else 0.0
        upper = self.means(measure) + quantile * self.errors(measure)
        np.fill_diagonal(upper, np.inf)
        possible: np.ndarray = (upper > 0).all(axis=1)
        possible[self.find_order(measure)[0]] = True
        return possible

    def compare(self, measure: str, lead: int, other: int) -> Estimate:
        """Return the mean gain of a lead over another, with its paired interval."""
        value = float(self.means(measure)[lead, other])
        if self.n < 2:
            return Estimate(value, np.nan, -np.inf, np.inf, self.n, self.confidence)
        error = float(self.errors(measure)[lead, other])
        half = student_quantile(self.confidence, self.n - 1) * error
        return Estimate(value, error, value - half, value + half, self.n, self.confidence)

    def rate(self, measure: str, lead: int) -> Estimate:
        """Return the chance of a lead to beat the contract, or its mean tricks."""
        single = self.counts[lead, lead].diagonal()
        if measure == "beats":
            return proportion(int(single[self.tables.needed :].sum()), self.n, self.confidence)
        mean = float(single @ TRICKS) / max(self.n, 1)
        if self.n < 2:
            return Estimate(mean, np.nan, -np.inf, np.inf, self.n, self.confidence)
        # two deals more, one below and one above the mean, so that equal numbers have an interval too
        variance = (float(single @ (TRICKS - mean) ** 2) + 2) / (self.n + 1)
        error = float(np.sqrt(variance / self.n))
        half = student_quantile(self.confidence, self.n - 1) * error
        return Estimate(mean, error, mean - half, mean + half, self.n, self.confidence)

    def find_needed(self, measure: str, precision: float) -> int:
        """Return how many deals the gains of the best lead over all others need for a precision."""
        if self.n_leads < 2:
            return self.n
        order = self.find_order(measure)
        widest = self.errors(measure)[order[0], order[1:]].max()
        half = student_quantile(self.confidence, max(self.n - 1, 1)) * widest
        return int(np.ceil(self.n * (half / precision) ** 2))

    def is_precise(self, measure: str, precision: float) -> bool:
        """Return whether the gains of the best lead over all others have intervals of a precision."""
        return self.find_needed(measure, precision) <= self.n
