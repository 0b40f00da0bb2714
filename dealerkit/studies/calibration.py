"""Straight-line predictions of tricks from measures, and their bootstrap over whole deals.

The two sides of a deal depend on each other, so a deal is resampled with all its rows. All statistics
follow from sums over the rows of a deal (of 1, x, x², y, y² and xy); resampling weights these sums and
does not read the rows again.

References
----------
B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap* (Chapman and Hall 1993), 13.3.
A. C. Cameron, J. B. Gelbach, D. L. Miller, Bootstrap-based improvements for inference with clustered
errors, Rev. Econ. Stat. 90 (2008), 414-427.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dealerkit.dealing.random_words import block_key, fill_random_words

KEY_USE = 0x747269616C  # this use of a seed has its own keys
MAX_COUNTS = 4_000_000  # resampling counts that are computed together


@dataclass(frozen=True)
class Calibration:
    """Statistics of straight-line predictions, one for each of k measures; arrays [..., k].

    Parameters
    ----------
    r : ndarray of float64
        Correlation of measure and tricks.
    sd : ndarray of float64
        Standard deviation of the residuals in tricks, divisor n - 2.
    slope : ndarray of float64
        Tricks per unit of the measure.
    bias : ndarray of float64
        Mean of the measure minus the mean of tricks; meaningful if the measure is a number of tricks.
    """

    r: np.ndarray
    sd: np.ndarray
    slope: np.ndarray
    bias: np.ndarray

    @property
    def r2(self) -> np.ndarray:
        """Share of the variance of tricks that the line explains."""
        return self.r**2


@dataclass(frozen=True)
class Sums:
    """Sums over the rows of each deal, of differences from the centres.

    Parameters
    ----------
    table : ndarray of float64 [shape=(deals, 3 + 3 k)]
        Sums of 1, y, y², then of x, x² and xy for each measure.
    x_centre : ndarray of float64 [shape=(k,)]
    y_centre : float
    """

    table: np.ndarray
    x_centre: np.ndarray
    y_centre: float

    def calibrate(self, sums: np.ndarray) -> Calibration:
        """Return the statistics for weighted totals [..., 3 + 3 k] of the table."""
        n, y, yy = (sums[..., k, None] for k in range(3))
        x, xx, xy = np.split(sums[..., 3:], 3, axis=-1)
        var_x, var_y, cov = xx - x * x / n, yy - y * y / n, xy - x * y / n
        # The variance of a constant is a rounding error.
        var_x = np.where(var_x > 1e-12 * xx, var_x, np.nan)
        slope = cov / var_x
        r = cov / np.sqrt(var_x * var_y)
        sd = np.sqrt(np.maximum(var_y - slope * cov, 0) / (n - 2))
        return Calibration(r, sd, slope, x / n + self.x_centre - y / n - self.y_centre)

    @property
    def calibration(self) -> Calibration:
        """Statistics of all deals."""
        return self.calibrate(self.table.sum(axis=0))

    def replicates(self, count: int, seed: int) -> Calibration:
        """Return the statistics of `count` samples with replacement of all deals: arrays [count, k].

        Equal seeds and numbers of deals give equal samples.
        """
        deals = len(self.table)
        totals = np.empty((count, self.table.shape[1]))
        step = max(1, MAX_COUNTS // deals)
        for start in range(0, count, step):
            stop = min(start + step, count)
            totals[start:stop] = count_resamples(deals, range(start, stop), seed).astype(float) @ self.table
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.calibrate(totals)


def sum_by_deal(measures: np.ndarray, tricks: np.ndarray, deal: np.ndarray) -> Sums:
    """Return sums by deal.

    Parameters
    ----------
    measures : ndarray of float64 [shape=(rows, k)]
    tricks : ndarray of float64 [shape=(rows,)]
    deal : ndarray of int [shape=(rows,)]
        Number of each row's deal, in ascending order.
    """
    x_centre, y_centre = measures.mean(axis=0), float(tricks.mean())
    x, y = measures - x_centre, (tricks - y_centre)[:, None]
    rows = np.concatenate([np.ones_like(y), y, y * y, x, x * x, x * y], axis=1)
    starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
    return Sums(np.add.reduceat(rows, starts), x_centre, y_centre)


def count_resamples(deals: int, replicates: range, seed: int) -> np.ndarray:
    """Return how often each deal occurs in samples of all deals, with replacement.

    The index of a deal is the upper half of the product of 32 random bits and the number of deals, so
    that no two probabilities differ by more than 2^-32. A replicate does not depend on the others.

    Parameters
    ----------
    deals : int >= 1, below 2^32
    replicates : range
        Their numbers, from 0.
    seed : int >= 0

    Returns
    -------
    ndarray of int64 [shape=(len(replicates), deals)]

    Examples
    --------
    >>> int(count_resamples(100, range(3), seed=1).sum())
    300
    """
    numbers = np.asarray(replicates, np.uint64)[:, None]
    counters = numbers << np.uint64(32) | np.arange((deals + 1) // 2, dtype=np.uint64)
    words = np.empty(counters.size, np.uint64)
    fill_random_words(words, counters.ravel(), np.uint64(0), block_key(seed, 0, KEY_USE))
    low, high = words & np.uint64(0xFFFFFFFF), words >> np.uint64(32)
    bits = np.stack([low, high], axis=1).reshape(len(numbers), -1)[:, :deals]
    sample = (bits * np.uint64(deals) >> np.uint64(32)).view(np.int64)
    sample += np.arange(len(numbers))[:, None] * deals
    return np.bincount(sample.ravel(), minlength=len(numbers) * deals).reshape(len(numbers), deals)
