"""Least squares with given signs and order of the coefficients, and their covariance for dependent rows.

Everything is computed from products of columns (ones, the predictors and the target), summed over the rows.

References
----------
R. E. Barlow, D. J. Bartholomew, J. M. Bremner, H. D. Brunk, *Statistical Inference under Order Restrictions*
(Wiley 1972).
K.-Y. Liang, S. L. Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73 (1986),
13-22.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.accumulation import add_by_cluster


@dataclass(frozen=True, eq=False)
class Order:
    """Signs and an order of p coefficients, which are written as sums of parts that may have to be >= 0.

    A descending coefficient is the last one plus all differences between neighbours from it on; these
    differences are the parts.

    Parameters
    ----------
    transform : ndarray of float64 [p, p]
        The matrix by which the parts are multiplied to get the coefficients.
    bounded : ndarray of bool [p]
        Whether each part must be 0 or more.
    """

    transform: np.ndarray
    bounded: np.ndarray

    def find_parts(self, coefficients: np.ndarray) -> np.ndarray:
        """Return the parts of coefficients; both have the shape [..., p]."""
        return coefficients @ np.linalg.inv(self.transform).T

    def is_satisfied(self, coefficients: np.ndarray) -> np.ndarray:
        """Return whether coefficients [..., p] have these signs and this order."""
        return np.asarray((self.find_parts(coefficients)[..., self.bounded] >= 0).all(axis=-1))

    def may_bind(self, coefficients: np.ndarray, covariance: np.ndarray, critical: float) -> bool:
        """Return whether the restrictions change these coefficients, or others within their intervals.

        Parameters
        ----------
        coefficients : ndarray of float64 [p]
            Coefficients estimated without restrictions.
        covariance : ndarray of float64 [p, p]
            The covariance of these coefficients.
        critical : float
            Half-width of an interval in standard errors.
        """
        inverse = np.linalg.inv(self.transform)
        variance = np.diag(inverse @ covariance @ inverse.T)
        slack = self.find_parts(coefficients) - critical * np.sqrt(np.maximum(variance, 0))
        return bool((slack[self.bounded] <= 0).any())


def restrict_coefficients(count: int, non_negative: Sequence[int], descending: Sequence[int]) -> Order:
    """Return the restrictions of coefficients as an `Order`.

    Parameters
    ----------
    count : int
        Number of coefficients.
    non_negative : sequence of int
        Indices of the coefficients that must be 0 or more.
    descending : sequence of int
        Indices of coefficients, none of which may be larger than the one before it in this sequence.

    Raises
    ------
    ArgumentError
        One of the descending coefficients must be 0 or more, but the last of them need not be.

    Examples
    --------
    >>> order = restrict_coefficients(3, [0, 1, 2], [0, 1, 2])
    >>> order.find_parts(np.array([4.0, 3.0, 1.0])).tolist()
    [1.0, 2.0, 1.0]
    """
    transform, bounded = np.eye(count), np.zeros(count, bool)
    bounded[list(non_negative)] = True
    if any(bounded[k] for k in descending) and not bounded[descending[-1]]:
        raise ArgumentError(
            "a descending value must be 0 or more, but a later one need not; require it for the last one, too"
        )
    for place, k in enumerate(descending):
        transform[k, descending[place:]] = 1
        bounded[k] |= place < len(descending) - 1
    return Order(transform, bounded)


def add_products(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None, group: np.ndarray | None = None
) -> np.ndarray:
    """Sum the products of the columns (ones, x and y) over the rows.

    Parameters
    ----------
    x : ndarray of float64 [rows, p]
        The predictors; values near 0, such as differences from the mean, keep rounding errors small.
    y : ndarray of float64 [rows]
        The target.
    weight : ndarray of float64 [rows] or None
        Weights of the rows; None if all are 1.
    group : ndarray of int [rows] or None
        The number of each row's group, from 0; None for a single group without a dimension of its own.

    Returns
    -------
    ndarray of float64 [p + 2, p + 2] or [groups, p + 2, p + 2]
    """
    columns = [np.ones(len(y)), *np.ascontiguousarray(x.T), y]
    count = 1 if group is None else int(group.max()) + 1
    products = np.empty((count, len(columns), len(columns)))
    for i, first in enumerate(columns):
        weighted = first if weight is None else first * weight
        for j, second in enumerate(columns[i:], i):
            row = weighted * second
            sums = row.sum() if group is None else np.bincount(group, row)
            products[:, i, j] = products[:, j, i] = sums
    return products[0] if group is None else products


def fit_products(products: np.ndarray, order: Order | None = None) -> np.ndarray:
    """Compute the intercept and the coefficients of least squares from sums of products.

    Parameters
    ----------
    products : ndarray of float64 [..., p + 2, p + 2]
        Results of `add_products`, or sums of several of them.
    order : Order, optional
        Signs and order of the coefficients, but not of the intercept.

    Returns
    -------
    ndarray of float64 [..., p + 1]
        The intercept, then the coefficients.
    """
    n = products[..., 0, 0]
    mean = products[..., 0, 1:] / n[..., None]
    centred = products[..., 1:, 1:] - n[..., None, None] * mean[..., :, None] * mean[..., None, :]
    square, right = centred[..., :-1, :-1], centred[..., :-1, -1]
    coefficients = np.linalg.solve(square, right[..., None])[..., 0]
    if order is not None:
        for index in np.argwhere(~order.is_satisfied(coefficients)):
            k = tuple(index)
            coefficients[k] = _fit_restricted(square[k], right[k], order)
    intercept = mean[..., -1] - (mean[..., :-1] * coefficients).sum(axis=-1)
    return np.concatenate([intercept[..., None], coefficients], axis=-1)


def _fit_restricted(square: np.ndarray, right: np.ndarray, order: Order) -> np.ndarray:
    """Return the coefficients b that satisfy the order and minimise b' square b - 2 b' right."""
    from scipy.linalg import solve_triangular
    from scipy.optimize import lsq_linear

    root = np.linalg.cholesky(square)
    target = solve_triangular(root, right, lower=True)
    lower = np.where(order.bounded, 0.0, -np.inf)
    parts = lsq_linear(root.T @ order.transform, target, (lower, np.inf), method="bvls", tol=1e-14).x
    return order.transform @ parts


def add_squared_errors(products: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Return sums of squared residuals [...] for an intercept and coefficients [..., p + 1]."""
    ends = np.concatenate([coefficients, -np.ones_like(coefficients[..., :1])], axis=-1)
    return np.einsum("...i,...ij,...j->...", ends, products, ends)


def cross_validate(products: np.ndarray, order: Order | None = None) -> float:
    """Return the cross-validated R2, given the products of each part of the data, [parts, p + 2, p + 2].

    The rows of each part are predicted from the other parts. R2 is 1 minus the sum of squared errors, divided
    by the sum of squared differences from the mean of all rows. It is negative if the mean predicts better.
    """
    total = products.sum(axis=0)
    errors = add_squared_errors(products, fit_products(total - products, order)).sum()
    return float(1 - errors / (total[-1, -1] - total[0, -1] ** 2 / total[0, 0]))


def cluster_covariance(
    design: np.ndarray, residual: np.ndarray, deal: np.ndarray, weight: np.ndarray | None = None
) -> np.ndarray:
    """Return the covariance of the coefficients of least squares if the rows of a deal are dependent.

    It is the sandwich estimate of Liang and Zeger over G deals, n rows and k columns, multiplied by
    G / (G - 1) * (n - 1) / (n - k).

    Parameters
    ----------
    design : ndarray of float64 [rows, k]
        The predictors, with a column of ones for the intercept.
    residual : ndarray of float64 [rows]
        The target minus its prediction.
    deal : ndarray of int [rows]
        The number of each row's deal; rows with the same number are next to each other.
    weight : ndarray of float64 [rows] or None
        Weights of the rows; None if all are 1.

    Returns
    -------
    ndarray of float64 [k, k]
    """
    rows, columns = design.shape
    weighted = design if weight is None else design * weight[:, None]
    inverse = np.linalg.inv(design.T @ weighted)
    scores = add_by_cluster(weighted * residual[:, None], deal)
    deals = len(scores)
    factor = deals / (deals - 1) * (rows - 1) / (rows - columns)
    return factor * inverse @ (scores.T @ scores) @ inverse
