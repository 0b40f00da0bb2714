"""The sides of deals in a comparison, as arrays with a row for each; folds and resamples of the deals.

The sides of a deal depend on each other, so a deal is left out or resampled with all its rows. A statistic
that follows from sums over the rows needs only the sums of each deal; resampling weights these sums, without
reading the rows again.

References
----------
B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap* (Chapman and Hall 1993), 13.3.
A. C. Cameron, J. B. Gelbach, D. L. Miller, Bootstrap-based improvements for inference with clustered
errors, Rev. Econ. Stat. 90 (2008), 414-427.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.dealing.random_words import block_key, fill_random_words, random_word
from dealerkit.doubledummy.journal import Journal
from dealerkit.errors import ArgumentError, Parameter, SmallSample, warn_caller
from dealerkit.formats.sample import solved_sample
from dealerkit.runtime.compiled import kernel
from dealerkit.runtime.progress import track_items
from dealerkit.studies.comparison.measures import Measure, Sides, collect_events
from dealerkit.studies.limits import MIN_DEALS

KEY_USE = 0x747269616C  # separates the random numbers of this use of a seed
MAX_COUNTS = 4_000_000  # resampling counts that are computed together
FOLD_KEY = 0x666F6C64  # separates the random numbers of this use of a seed


@dataclass(frozen=True, eq=False)
class SideData:
    """The sides of deals in a comparison: a row for each side, with the rows of a deal next to each other.

    Parameters
    ----------
    measures : mapping of str to ndarray of float64
        Values of each compared measure, [rows] or, with several predictors, [rows, p].
    target : ndarray of float64 [shape=(rows,)]
        What is predicted.
    tricks : ndarray of float64 [shape=(rows,)]
        Tricks of the side in the strain played.
    strain : ndarray of int8 [shape=(rows,)]
        The strain played: S H D C N = 0..4.
    tables : ndarray of float64 [shape=(rows, 5)]
        Tricks of the side in each strain.
    deal : ndarray of int64 [shape=(rows,)]
        Number of the deal or cluster, 0..G-1 ascending. Rows with the same number depend on each other.
    fold : ndarray of int8 [shape=(rows,)]
        Fold for cross-validation; equal for the rows of a deal.
    weight : ndarray of float64 [shape=(rows,)] or None
        Weights of the rows; None if all are equal.
    """

    measures: Mapping[str, np.ndarray]
    target: np.ndarray
    tricks: np.ndarray
    strain: np.ndarray
    tables: np.ndarray
    deal: np.ndarray
    fold: np.ndarray
    weight: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.target)

    @property
    def deals(self) -> int:
        """Number of deals, or of clusters of deals."""
        return int(self.deal[-1]) + 1 if len(self.deal) else 0

    def select(self, rows: np.ndarray) -> SideData:
        """Return the selected rows, bool [rows]; deals are numbered again, folds stay."""
        number = np.unique(self.deal[rows], return_inverse=True)[1].astype(np.int64)
        return replace(
            self,
            measures={name: values[rows] for name, values in self.measures.items()},
            target=self.target[rows],
            tricks=self.tricks[rows],
            strain=self.strain[rows],
            tables=self.tables[rows],
            deal=number,
            fold=self.fold[rows],
            weight=None if self.weight is None else self.weight[rows],
        )


def check_folds(folds: Any) -> int:
    """Return the number of folds; raise ArgumentError if the smallest sample cannot be divided into them.

    >>> check_folds(10)
    10
    """
    number = check_integer("folds", folds)
    if not 2 <= number <= MIN_DEALS:
        raise ArgumentError(Parameter("folds"), f" is {number}; give 2 to {MIN_DEALS}")
    return number


def assign_folds(deals: int, folds: int, seed: int) -> np.ndarray:
    """Return a fold for each deal at random, int8 [deals]; no two folds differ by more than one deal.

    >>> np.bincount(assign_folds(32, 10, seed=1)).tolist()
    [4, 4, 3, 3, 3, 3, 3, 3, 3, 3]
    """
    words = np.empty(deals, np.uint64)
    fill_random_words(words, np.arange(deals, dtype=np.uint64), np.uint64(0), block_key(seed, 0, FOLD_KEY))
    fold = np.empty(deals, np.int8)
    fold[np.argsort(words)] = np.arange(deals) % folds
    return fold


MIN_TARGET, MAX_TARGET = 1e-60, 1e60


def take_sample(sample: Any) -> Deals:
    """Return the deals of a sample that have weight; by default the shipped sample.

    Raises
    ------
    ArgumentError
        The sample is not a Deals, or none of its weights is positive.

    Warns
    -----
    SmallSample
        Weights are so unequal that few deals count.
    """
    deals = solved_sample() if sample is None else sample
    if not isinstance(deals, Deals):
        raise ArgumentError(f"the sample is a {type(deals).__name__}; give Deals with their tables, or None")
    if deals.weight is None:
        return deals
    weight = np.asarray(deals.weight, float)
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise ArgumentError(
            "the weights of the sample are all 0, or some are negative or not finite; give positive weights, "
            "or remove them with deals.replace(weight=None)"
        )
    # Kish's effective size: the square of the sum over the sum of squares
    effective = weight.sum() ** 2 / np.square(weight).sum()
    if len(deals) >= MIN_DEALS > effective:
        warn_caller(
            f"the weights are so unequal that {format_count(len(deals), 'deal')} count as "
            f"{format_count(round(effective))}; "
            "the intervals are approximate. Give more deals.",
            SmallSample,
        )
    return deals if weight.all() else deals[weight > 0]


class SideRows:
    """The sides as rows, those of a deal or cluster together; `journal` gets values of measures."""

    def __init__(
        self,
        sides: Sides,
        compared: list[Measure],
        target: str | np.ndarray,
        seed: int,
        folds: int,
        journal: Journal | None = None,
    ) -> None:
        # Deals of a cluster next to each other, each cluster in one fold
        deals = sides.deals
        groups = np.arange(len(deals)) if deals.cluster is None else deals.cluster
        self._order, self._journal = np.argsort(groups, kind="stable"), journal or Journal()
        known, deal = np.unique(groups[self._order], return_inverse=True)
        fold = assign_folds(len(known), min(folds, max(len(known), 2)), seed)
        # The target, whose squares must be finite numbers
        is_tricks = isinstance(target, str) and target.strip() == "tricks"
        values = sides.tricks if is_tricks else sides.find_values("the target", target, tricks=True)
        largest = float(np.abs(values).max(initial=0))
        if largest and not MIN_TARGET <= largest <= MAX_TARGET:  # otherwise squares overflow or underflow
            raise ArgumentError(f"the largest value of the target is {largest:g}; give it in another unit")
        # Both sides of each deal
        number = np.repeat(deal, 2).astype(np.int64)
        self.data = SideData(
            measures={
                each.name: self._find_measure(sides, each)
                for each in track_items(compared, len(compared), "evaluators")
            },
            target=self.order(values),
            tricks=self.order(sides.tricks),
            strain=self.order(sides.strains),
            tables=self.order(sides.tables),
            deal=number,
            fold=fold[number],
            weight=None if deals.weight is None else self.order(np.repeat(deals.weight[:, None], 2, axis=1)),
        )

    def order(self, values: np.ndarray) -> np.ndarray:
        """Return values [n, 2, ...] of the sides as rows [rows, ...]."""
        return values[self._order].reshape(-1, *values.shape[2:])

    def find_events(self, sides: Sides, events: Any) -> dict[str, np.ndarray]:
        """Return the rows in which each event occurs, by name: bool [rows]."""
        return collect_events(
            events, self.data.tricks, self.data.strain,
            lambda text: self.order(sides.find_values(text, text, tricks=True)),
        )  # fmt: skip

    def _find_measure(self, sides: Sides, measure: Measure) -> np.ndarray:
        """Return the values of a measure: [rows], or [rows, p] if it has several predictors."""
        columns = [
            self.order(self._journal.step(partial(sides.find_values, label, part)))
            for label, part in zip(measure.labels, measure.predictors, strict=True)
        ]
        return columns[0] if len(columns) == 1 else np.stack(columns, axis=1)


def resample_sums(table: np.ndarray, replicates: int, seed: int) -> np.ndarray:
    """Return the totals of resamples of all deals, with replacement.

    Equal seeds and numbers of deals give equal samples.

    Parameters
    ----------
    table : ndarray of float64 [shape=(deals, m)]
        Sums over the rows of each deal.
    replicates : int
    seed : int >= 0

    Returns
    -------
    ndarray of float64 [shape=(replicates, m)]
    """
    deals = len(table)
    totals = np.empty((replicates, table.shape[1]))
    step = max(1, MAX_COUNTS // deals)
    starts = range(0, replicates, step)
    for start in track_items(starts, len(starts), "parts of the samples"):
        stop = min(start + step, replicates)
        totals[start:stop] = count_resamples(deals, range(start, stop), seed) @ table
    return totals


def count_resamples(deals: int, replicates: range, seed: int) -> np.ndarray:
    """Return how often each deal occurs in resamples of all deals, with replacement.

    The index of a deal is the upper half of the product of 32 random bits and the number of deals, so no two
    probabilities differ by more than 2^-32. Each replicate is independent of the others.

    Parameters
    ----------
    deals : int >= 1, below 2^32
    replicates : range
        Their numbers, from 0.
    seed : int >= 0

    Returns
    -------
    ndarray of float64 [shape=(len(replicates), deals)]
        Whole numbers in the type in which matrices are multiplied.

    Examples
    --------
    >>> int(count_resamples(100, range(3), seed=1).sum())
    300
    """
    counts = np.zeros((len(replicates), deals))
    _count_draws(counts, replicates.start, block_key(seed, 0, KEY_USE))
    return counts


@kernel
def _count_draws(counts: np.ndarray, first: np.int64, key: np.ndarray) -> None:
    """Add to counts [replicates, deals] how often each deal is sampled; each half of a word picks one."""
    deals = counts.shape[1]
    size, low_half, shift = np.uint64(deals), np.uint64(0xFFFFFFFF), np.uint64(32)
    for row in range(counts.shape[0]):
        replicate = np.uint64(first + row) << shift
        for pair in range(deals // 2):
            word = random_word(replicate | np.uint64(pair), key)
            counts[row, np.int64((word & low_half) * size >> shift)] += 1
            counts[row, np.int64((word >> shift) * size >> shift)] += 1
        if deals % 2:
            word = random_word(replicate | np.uint64(deals // 2), key)
            counts[row, np.int64((word & low_half) * size >> shift)] += 1
