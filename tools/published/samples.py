"""The solved sample as sides, and estimates of means, shares and standard deviations with intervals."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import dealerkit as dk
from dealerkit import Estimate
from dealerkit.statistics import Moments
from dealerkit.studies.sides import choose_strains, count_fits, find_side_tricks


@cache
def sample() -> dk.Deals:
    """Return the deals: a fixed part of the shipped sample, so that the page stays as it is."""
    return dk.solved_sample()[:107_230]


@cache
def values(expression: str) -> np.ndarray:
    """Return the values of an expression about north and south for both sides, [n, 2]."""
    return sample().sides(strain="notrump", value=expression).value.to_numpy().reshape(-1, 2)


@cache
def fits() -> np.ndarray:
    """Return the combined length of each suit for both sides, [n, 2, 4]."""
    return count_fits(sample()).astype(int)


@cache
def tricks(strain: str, declarer: str = "better") -> np.ndarray:
    """Return the tricks of both sides in a strain or by a rule of `dealerkit.compare`, [n, 2]."""
    return find_side_tricks(sample(), choose_strains(sample(), strain), declarer)


@cache
def sides(strain: str) -> pd.DataFrame:
    """Return the sides with points, Woolsey's points and tricks of the hand that takes more."""
    return sample().sides("hcp", "woolsey", strain=strain, declarer="better", tricks=True)


def read_estimate(row: Any, n: int | None = None) -> Estimate:
    """Return the estimate of a row with `value`, `se`, `lo`, `hi` and `deals`."""
    return Estimate(*map(float, (row.value, row.se, row.lo, row.hi)), n or int(row.deals))


def mean(values: Any, where: Any = True, drawn: int | None = None) -> Estimate:
    """Return the mean of values [n] or [n, 2] where a condition holds; the sides of a deal are one cluster.

    The number of the estimate is that of the deals that count, or `drawn`.
    """
    values = np.asarray(values)
    chosen = np.broadcast_to(np.asarray(where, bool), values.shape)
    deals = np.broadcast_to(np.arange(len(values)).reshape(-1, *[1] * (values.ndim - 1)), values.shape)[
        chosen
    ]
    moments = Moments()
    moments.update(values[chosen].astype(float), clusters=deals)
    return replace(moments.mean(), n=drawn or len(np.unique(deals)))


def deviation(values: Any, where: Any = True) -> Estimate:
    """Return the standard deviation, from the mean of squares; its interval has the roots of its ends."""
    values = np.asarray(values, float)
    centre = values[np.broadcast_to(where, values.shape)].mean()
    square = mean((values - centre) ** 2, where)
    root = math.sqrt(square.value)
    return replace(
        square,
        value=root,
        se=square.se / (2 * root),
        lo=math.sqrt(max(square.lo, 0)),
        hi=math.sqrt(square.hi),
    )
