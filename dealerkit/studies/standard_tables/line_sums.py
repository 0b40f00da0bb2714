"""Sums for a line of least squares with intervals clustered by deal, from batches."""

from __future__ import annotations

import math

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.accumulation import add_by_cluster
from dealerkit.statistics.intervals import student_quantile


class LineSums:
    """Sums over clusters from which least squares and their cluster-robust covariance follow.

    Batches end with their last cluster, so a cluster is never in two of them.

    Parameters
    ----------
    n_predictors : int
        Without the constant.

    Examples
    --------
    >>> sums = LineSums(1)
    >>> sums.update(np.arange(4.0)[:, None], np.array([1.0, 3.0, 5.0, 7.0]), None, np.arange(4))
    >>> sums.fit(0.95)[0].round(6).tolist()
    [[1.0, 0.0, 1.0, 1.0], [2.0, 0.0, 2.0, 2.0]]
    """

    def __init__(self, n_predictors: int) -> None:
        p = self._p = n_predictors + 1
        self._xx, self._xy, self._yy = np.zeros((p, p)), np.zeros(p), np.zeros(3)
        # Sums over clusters of the products of all entries of a cluster's X'y and X'X.
        self._products = np.zeros((p + p * p, p + p * p))
        self._n = self._n_clusters = 0

    def update(
        self, predictors: np.ndarray, values: np.ndarray, weights: np.ndarray | None, clusters: np.ndarray
    ) -> None:
        """Add a batch: predictors [n, p], values, weights and ascending clusters [n]."""
        if not len(values):
            return
        x = np.column_stack([np.ones(len(values)), predictors])
        w = np.ones(len(values)) if weights is None else weights
        wx = x * w[:, None]
        entries = np.hstack([wx * values[:, None], (wx[:, :, None] * x[:, None, :]).reshape(len(x), -1)])
        sums = add_by_cluster(entries, clusters)
        self._products += sums.T @ sums
        total = entries.sum(axis=0)
        self._xy += total[: self._p]
        self._xx += total[self._p :].reshape(self._p, self._p)
        self._yy += w.sum(), w @ values, w @ values**2
        self._n += int((w > 0).sum())
        self._n_clusters += len(sums)

    def fit(self, confidence: float) -> tuple[np.ndarray, float]:
        """Return a row for the constant and each predictor (value, error, both ends), and the correlation.

        The covariance is the sandwich estimate over clusters with the factor G / (G - 1) (n - 1) / (n - p),
        the intervals are Student's with G - 1 degrees of freedom, as in `dealerkit.compare`'s references.

        Raises
        ------
        ArgumentError
            Predictors that have one value, or are linear functions of each other.
        """
        p = self._p
        if float(np.linalg.cond(self._xx)) > 1e14:
            raise ArgumentError(
                "the points and the fit have one value for all sides, or one follows from the other; give "
                "other expressions, or fit=None"
            )
        beta = np.linalg.solve(self._xx, self._xy)
        score = np.hstack([np.eye(p), -np.kron(np.eye(p), beta[None, :])])  # of a cluster: X'y - X'X beta
        inverse = np.linalg.inv(self._xx)
        covariance = inverse @ (score @ self._products @ score.T) @ inverse
        n, groups = self._n, self._n_clusters
        covariance *= groups / (groups - 1) * (n - 1) / (n - p)
        se = np.sqrt(np.maximum(np.diag(covariance), 0))
        se[se < 1e-9 * (np.abs(beta) + 1)] = 0.0  # rounding
        half = student_quantile(confidence, groups - 1) * se
        weight, total, squares = self._yy.tolist()
        spread = float(squares - total**2 / weight)
        residual = max(float(squares - beta @ self._xy), 0.0)
        r = math.sqrt(max(0.0, 1 - residual / spread)) if spread > 0 else 0.0
        return np.column_stack([beta, se, beta - half, beta + half]), r
