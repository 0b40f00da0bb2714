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

from dealerkit.studies.comparison.resampling import add_by_deal, resample_sums


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
        totals = resample_sums(self.table, count, seed)
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
    return Sums(add_by_deal(rows, deal), x_centre, y_centre)
