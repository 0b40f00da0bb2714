"""Preparation and sums of batches, shared by the accumulators, and covariances from sums over deals.

The influence of a row is its first-order effect on an estimate; the influences of all rows add up to 0. The
covariance of several estimates is computed from the sums of influences over the rows of each of G deals: it
is G / (G - 1) times the sum of products of these sums.

References
----------
F. R. Hampel, The influence curve and its role in robust estimation, J. Am. Stat. Assoc. 69 (1974), 383-393.
N. A. Obuchowski, Nonparametric analysis of clustered ROC curve data, Biometrics 53 (1997), 567-578.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dealerkit.arguments import refuse_masked
from dealerkit.errors import ArgumentError, quote


def prepare_batch(
    columns: Sequence[np.ndarray], weights: Any, clusters: Any
) -> tuple[list[np.ndarray], np.ndarray | None, np.ndarray | None]:
    """Check a batch of values, sort it by cluster and remove values without weight.

    Parameters
    ----------
    columns : sequence of ndarray [n]
        The values.
    weights : ndarray of float [n] or None
        From 0 to 1e100.
    clusters : ndarray of int [n] or None
        Cluster numbers in any order.

    Returns
    -------
    columns : list of ndarray [m]
    weights : ndarray of float64 [m] or None
        All above 0.
    clusters : ndarray of int [m] or None
        In ascending order.

    Raises
    ------
    ArgumentError
        The lengths are different, weights are not numbers or out of range, clusters are not integers, or
        values are masked.
    """
    # Check types, ranges and shapes.
    for column in columns:
        refuse_masked("values", column)
    refuse_masked("weights", weights)
    arrays = [np.asarray(column) for column in columns]
    n = arrays[0].size
    try:
        w = None if weights is None else np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"weights are {quote(weights)}; give a number for each value") from None
    ids = None if clusters is None else np.asarray(clusters)
    if ids is not None and ids.size and ids.dtype.kind not in "iub":
        raise ArgumentError(f"clusters have the type {ids.dtype}; give whole numbers")
    if w is not None and w.size and not (w.min() >= 0 and w.max() <= 1e100):
        raise ArgumentError(f"weights are {w.min():g} to {w.max():g}; give numbers from 0 to 1e100")
    for name, array in (*(("values", a) for a in arrays), ("weights", w), ("clusters", ids)):
        if array is not None and array.shape != (n,):
            raise ArgumentError(
                f"{name} have the shape {array.shape}; give one number for each of {n} values"
            )

    # Sort by cluster, and remove values without weight.
    if ids is not None and n and (ids[1:] < ids[:-1]).any():
        order = np.argsort(ids, kind="stable")
        arrays, ids = [a[order] for a in arrays], ids[order]
        w = None if w is None else w[order]
    if w is not None and n and not w.min() >= 1e-100:  # the squares of smaller weights would be 0
        positive = w >= 1e-100
        arrays, w = [a[positive] for a in arrays], w[positive]
        ids = None if ids is None else ids[positive]
    return arrays, w, ids


def find_exponent(low: float, high: float) -> int:
    """Return the power of two by which values are divided so that their squares are finite; usually 0.

    >>> find_exponent(-3.0, 40.0), find_exponent(0.0, 1e300), find_exponent(0.0, 1e-200)
    (0, 997, -664)
    """
    peak = max(abs(low), abs(high))
    return 0 if 1e-40 < peak < 1e40 or not peak else math.frexp(peak)[1]


def scale_exactly(sums: Sequence[Any], exponent: int) -> list[Any]:
    """Return the sums of 1, x and x², given the sums of values divided by two to the power `exponent`."""
    if not exponent:
        return list(sums)
    factor = Fraction(2) ** exponent
    return [number * factor**power for power, number in enumerate(sums)]


def to_float(number: Any) -> float:
    """Return an exact number as a float, infinite if it is larger than every float.

    >>> to_float(Fraction(1, 4)), to_float(-(10**400))
    (0.25, -inf)
    """
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def take_root(number: Any) -> float:
    """Return the square root of an exact number, which can be larger or smaller than every float.

    >>> take_root(Fraction(9, 4)), take_root(10**400), take_root(Fraction(1, 10**400))
    (1.5, 1e+200, 1e-200)
    """
    root = to_float(number)
    if number <= 0 or 1e-290 < root < math.inf:
        return math.sqrt(max(root, 0.0))
    number = Fraction(number)
    half = (number.numerator.bit_length() - number.denominator.bit_length()) // 2
    try:
        return math.ldexp(math.sqrt(number / Fraction(4) ** half), half)
    except OverflowError:
        return math.inf


def cluster_starts(ids: np.ndarray) -> np.ndarray:
    """Return the index of the first value of each cluster, given ascending cluster numbers."""
    return np.flatnonzero(np.concatenate(([True], ids[1:] != ids[:-1])))


def add_by_cluster(values: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Return the sums of rows [n, ...] by cluster, [clusters, ...], given ascending cluster numbers.

    >>> add_by_cluster(np.array([[1.0], [2.0], [5.0]]), np.array([0, 0, 1])).tolist()
    [[3.0], [5.0]]
    """
    return np.add.reduceat(values, cluster_starts(ids), axis=0)


def sum_products(first: np.ndarray, second: np.ndarray) -> Any:
    """Return the sum of products, computed by BLAS in rows of 8,192 without a temporary array.

    For more than 10,000 numbers, OpenBLAS starts threads. They would compete with the threads that process
    batches, and the rounding of a sum of floats would depend on their number.
    """
    whole = first.size - first.size % 8192
    rows = np.vecdot(first[:whole].reshape(-1, 8192), second[:whole].reshape(-1, 8192))
    return rows.sum() + np.dot(first[whole:], second[whole:])


def shift_to_zero(zeroth: Any, first: Any, second: Any, centre: Any) -> tuple[Any, Any, Any]:
    """Return the sums of 1, x and x² from the sums of 1, x - centre and (x - centre)²."""
    return zeroth, first + centre * zeroth, second + 2 * centre * first + centre * centre * zeroth


def to_exact_type(values: np.ndarray, size: int, low: int, high: int) -> np.ndarray:
    """Return integers in the fastest dtype in which squares of sums of `size` integers are added exactly."""
    peak = values.size * (size * max(abs(low), abs(high), 1)) ** 2
    if peak < 1 << 53:
        return values.astype(np.float64)
    return values.astype(np.int64) if peak < 1 << 63 else values.astype(object)


def add_influences(influences: Iterable[np.ndarray], deal: np.ndarray) -> np.ndarray:
    """Add the influences of rows by deal.

    Parameters
    ----------
    influences : k ndarrays of float64 [rows]
        Influence of each row on each of k estimates.
    deal : ndarray of int [rows]
        The number of each row's deal; rows with the same number are next to each other.

    Returns
    -------
    ndarray of float64 [k, deals]
        Influence of each deal on each estimate.
    """
    return np.stack([add_by_cluster(influence, deal) for influence in influences])


def find_covariance(sums: np.ndarray) -> np.ndarray:
    """Return the covariance [k, k] of k estimates, given the influence [k, deals] of each deal on them."""
    deals = sums.shape[1]
    return deals / (deals - 1) * sums @ sums.T
