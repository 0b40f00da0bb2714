"""A random sample with known values, in clusters, and its combination with a sample in two phases.

Both are random samples of the same population and are independent of each other. Therefore any weighted mean
of their means is correct on average, if the weights do not depend on the values. The weights are the sizes of
plain samples with the same information: the number of clusters, and the result of `predict_size`, which uses
predictions only. Deals of a cluster, such as the rotations of one deal, depend on each other. The mean is
that of all values; its variance is that of a ratio, the sums of the clusters divided by their sizes.

References
----------
W. G. Cochran, Sampling Techniques, 3rd ed. (Wiley 1977): 2.11 and 6.4 (clusters as a ratio), 5.2 (a mean over
strata with weights that are known).
F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics Bulletin 2
(1946), 110-114.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dealerkit.statistics.two_phase import EXACT, TwoPhaseMeans, find_spans, merge_small, sum_groups


class KnownSample(NamedTuple):
    """The values of a random sample in clusters, and its weight when it is combined with another sample.

    Attributes
    ----------
    values : ndarray of float64 [n, m]
        m measures of n deals.
    clusters : ndarray of int [n]
        Cluster numbers, from 0 without gaps.
    counts : ndarray of float64 [n]
        The number of equal values that each value represents.
    weight : float
        The weight of its mean in the combined mean, 0 to 1; the other sample has the rest.

    Examples
    --------
    >>> sample = KnownSample(np.array([[1.0], [0.0], [1.0], [1.0]]), np.array([0, 1, 2, 2]), np.ones(4))
    >>> means = sample.estimate()
    >>> float(means.means[0]), sample.n_clusters, round(float(means.covariance[0, 0]), 3)
    (0.75, 3, 0.082)
    >>> weighted = KnownSample(np.array([[1.0], [0.0], [1.0]]), np.arange(3), np.array([1.0, 1.0, 2.0]))
    >>> bool((weighted.estimate().covariance == means.covariance).all())
    True
    """

    values: np.ndarray
    clusters: np.ndarray
    counts: np.ndarray
    weight: float = 1.0

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.clusters.max(initial=-1)) + 1

    def estimate(self, spans: np.ndarray | None = None) -> TwoPhaseMeans:
        """Return the means, with the variances of a sample of at least two clusters.

        Parameters
        ----------
        spans : ndarray of float [m], optional
            As for `estimate_means`. If all values of a measure are equal, the variance is that of a sample
            in which a value that is different by its span has the share 1 / (number of clusters + 2).
        """
        values, counts, n_clusters = self.values, self.counts, self.n_clusters
        n = float(counts.sum())
        means = counts @ values / n
        centred = values - means
        counted = counts[:, None] * centred
        spread = centred.T @ counted / (n - 1)
        sums, sizes = sum_groups(self.clusters, counted, n_clusters), np.bincount(self.clusters, counts)
        covariance = sums.T @ sums * n_clusters / (n_clusters - 1) / n**2

        # If all values are equal, the variance that a different value would cause
        share = 1 / (n_clusters + 2)
        spans = find_spans(values, values[:0], spans)
        floor = np.where((values == values[0]).all(axis=0), share * (1 - share) * spans**2, 0.0)
        np.einsum("ii->i", spread)[...] = np.maximum(np.diag(spread), floor)
        np.einsum("ii->i", covariance)[...] = np.maximum(np.diag(covariance), floor / n_clusters)

        width = values.shape[1]
        freedom = max(n**2 / float((sizes**2).sum()) - 1, 1.0)
        return TwoPhaseMeans(
            means, covariance, np.full(width, freedom), np.diag(spread).copy(), np.empty(0),
            np.empty((0, width)), counts / n, known_part=np.ones(width), new_weight=0.0,
        )  # fmt: skip


def combine_means(known: TwoPhaseMeans, new: TwoPhaseMeans, weight: float) -> TwoPhaseMeans:
    """Combine the means of a known sample, with `weight`, with those of an independent sample in two phases.

    The degrees of freedom are Satterthwaite's. In the weights of the deals, the known sample comes first.
    """
    first, second = weight**2 * known.covariance, (1 - weight) ** 2 * new.covariance
    covariance, ours, theirs = first + second, np.diag(first), np.diag(second)
    total = np.diag(covariance)
    is_open = total > 0
    squares = ours**2 / known.freedom + theirs**2 / new.freedom
    freedom = np.where(is_open, total**2 / np.where(is_open, squares, 1), 1e6)
    return replace(
        new,
        means=weight * known.means + (1 - weight) * new.means,
        covariance=covariance,
        freedom=np.maximum(freedom, 1.0),
        variance=weight * known.variance + (1 - weight) * new.variance,
        weights=np.concatenate((weight * known.weights, (1 - weight) * new.weights)),
        known_part=np.where(is_open, ours / np.where(is_open, total, 1), 0.0),
        new_weight=1 - weight,
    )


def predict_size(strata: np.ndarray, expected: np.ndarray, spread: np.ndarray, rows: np.ndarray) -> float:
    """Return the size of a plain sample with the same information as one in two phases, by its predictions.

    Parameters
    ----------
    strata : ndarray of int [N]
        As for `estimate_means`.
    expected, spread : ndarray of float64 [N, m]
        Predicted values and their standard deviations, in units in which the measures count alike.
    rows : ndarray of int [n]
        The deals whose values are computed.

    Returns
    -------
    float
        The number of deals with known values, where nothing is predicted.

    Examples
    --------
    >>> strata, half = np.zeros(1000, int), np.full((1000, 1), 0.5)
    >>> round(predict_size(strata, half, half, np.arange(100)))
    100
    >>> chances = np.tile([[0.1], [0.9]], (500, 1))
    >>> round(predict_size(strata, chances, np.full((1000, 1), 0.3), np.arange(100)))
    236
    """
    n_all, labels = len(strata), merge_small(strata, rows)
    is_known = labels == EXACT
    n_strata = int(labels.max(initial=-1)) + 1
    counts = np.bincount(labels[~is_known], minlength=n_strata)
    sampled = np.bincount(labels[rows], minlength=n_strata)

    # Variance of what is not predicted in each stratum, and of all values
    residuals = sum_groups(labels[~is_known], spread[~is_known] ** 2, n_strata).sum(axis=1)
    residuals /= np.maximum(counts, 1)
    shares = counts / n_all
    total = float(expected.var(axis=0).sum() + shares @ residuals)
    if not total > 0:
        return float(len(rows) + np.count_nonzero(is_known))
    parts = shares**2 * np.maximum(1 / np.maximum(sampled, 1) - 1 / np.maximum(counts, 1), 0)
    return total / (total / n_all + float(parts @ residuals))
