"""Least squares with signs and an order of the coefficients, and their covariance for dependent rows.

All of it follows from the products of the columns 1, the predictors and the target, added over the rows.

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
    """Signs and an order of p coefficients, written as sums of parts, some of which are not negative.

    Descending coefficients are sums of differences: the last one, plus what each has more than the next.

    Parameters
    ----------
    transform : ndarray of float64 [shape=(p, p)]
        The coefficients are the transform times the parts.
    bounded : ndarray of bool [shape=(p,)]
        Parts that are 0 or more.
    """

    transform: np.ndarray
    bounded: np.ndarray

    def find_parts(self, coefficients: np.ndarray) -> np.ndarray:
        """Return the parts of coefficients, both [..., p]."""
        return coefficients @ np.linalg.inv(self.transform).T

    def is_satisfied(self, coefficients: np.ndarray) -> np.ndarray:
        """Return whether coefficients [..., p] have these signs and this order."""
        return np.asarray((self.find_parts(coefficients)[..., self.bounded] >= 0).all(axis=-1))

    def may_bind(self, coefficients: np.ndarray, covariance: np.ndarray, critical: float) -> bool:
        """Return whether a restriction changes coefficients, or some that are within their intervals.

        Parameters
        ----------
        coefficients : ndarray of float64 [shape=(p,)]
            Estimated without restrictions.
        covariance : ndarray of float64 [shape=(p, p)]
            Of these coefficients.
        critical : float
            Half-width of an interval in standard errors.
        """
        inverse = np.linalg.inv(self.transform)
        variance = np.diag(inverse @ covariance @ inverse.T)
        slack = self.find_parts(coefficients) - critical * np.sqrt(np.maximum(variance, 0))
        return bool((slack[self.bounded] <= 0).any())


def restrict_coefficients(count: int, non_negative: Sequence[int], descending: Sequence[int]) -> Order:
    """Return an order of coefficients.

    Parameters
    ----------
    count : int
        Number of coefficients.
    non_negative : sequence of int
        Coefficients that are 0 or more.
    descending : sequence of int
        Coefficients none of which is larger than the one before it in this sequence.

    Raises
    ------
    ArgumentError
        One of the descending coefficients is to be 0 or more, and one after it is not.

    Examples
    --------
    >>> order = restrict_coefficients(3, [0, 1, 2], [0, 1, 2])
    >>> order.find_parts(np.array([4.0, 3.0, 1.0])).tolist()
    [1.0, 2.0, 1.0]
    """
    transform, bounded = np.eye(count), np.zeros(count, bool)
    bounded[list(non_negative)] = True
    if any(bounded[k] for k in descending) and not bounded[descending[-1]]:
        raise ArgumentError("the last of the descending values must be 0 or more if one before it must be")
    for place, k in enumerate(descending):
        transform[k, descending[place:]] = 1
        bounded[k] |= place < len(descending) - 1
    return Order(transform, bounded)


def add_products(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None, group: np.ndarray | None = None
) -> np.ndarray:
    """Return sums over rows of the products of the columns 1, x and y: [p + 2, p + 2], or [groups, ...].

    Parameters
    ----------
    x : ndarray of float64 [shape=(rows, p)]
        Near 0, such as differences from the mean, so that rounding does not matter.
    y : ndarray of float64 [shape=(rows,)]
    weight : ndarray of float64 [shape=(rows,)] or None
    group : ndarray of int [shape=(rows,)] or None
        Number of each row's group, from 0.
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
    """Return intercept and coefficients of least squares, [..., p + 1], from products [..., p + 2, p + 2].

    Parameters
    ----------
    products : ndarray of float64
        As `add_products` returns them, or sums of several of these.
    order : Order, optional
        Signs and order of the coefficients, not of the intercept.
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
    """Return the coefficients b with this order that minimise b' square b - 2 b' right."""
    from scipy.linalg import solve_triangular
    from scipy.optimize import lsq_linear

    root = np.linalg.cholesky(square)
    target = solve_triangular(root, right, lower=True)
    lower = np.where(order.bounded, 0.0, -np.inf)
    parts = lsq_linear(root.T @ order.transform, target, (lower, np.inf), method="bvls", tol=1e-14).x
    return order.transform @ parts


def add_squared_errors(products: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Return sums of squared residuals [...] for intercept and coefficients [..., p + 1]."""
    ends = np.concatenate([coefficients, -np.ones_like(coefficients[..., :1])], axis=-1)
    return np.einsum("...i,...ij,...j->...", ends, products, ends)


def cross_validate(products: np.ndarray, order: Order | None = None) -> float:
    """Return the cross-validated R2 from products of the parts of the data, [parts, p + 2, p + 2].

    The rows of each part are predicted from the others. R2 is 1 less the squared errors as a share of the
    squared differences from the mean of all rows; it is below 0 if the mean predicts better.
    """
    total = products.sum(axis=0)
    errors = add_squared_errors(products, fit_products(total - products, order)).sum()
    return float(1 - errors / (total[-1, -1] - total[0, -1] ** 2 / total[0, 0]))


def cluster_covariance(
    design: np.ndarray, residual: np.ndarray, deal: np.ndarray, weight: np.ndarray | None = None
) -> np.ndarray:
    """Return the covariance of the coefficients of least squares, for rows that depend within a deal.

    The sandwich estimate over G deals, n rows and k columns, with the factor G / (G - 1) (n - 1) / (n - k).

    Parameters
    ----------
    design : ndarray of float64 [shape=(rows, k)]
        With a column of ones for the intercept.
    residual : ndarray of float64 [shape=(rows,)]
    deal : ndarray of int [shape=(rows,)]
        Rows with the same number are beside each other.
    weight : ndarray of float64 [shape=(rows,)] or None

    Returns
    -------
    ndarray of float64 [shape=(k, k)]
    """
    rows, columns = design.shape
    weighted = design if weight is None else design * weight[:, None]
    inverse = np.linalg.inv(design.T @ weighted)
    scores = add_by_cluster(weighted * residual[:, None], deal)
    deals = len(scores)
    factor = deals / (deals - 1) * (rows - 1) / (rows - columns)
    return factor * inverse @ (scores.T @ scores) @ inverse
