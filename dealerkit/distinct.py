"""The distinct values of an array."""

from __future__ import annotations

import numpy as np


def list_distinct(values: np.ndarray) -> np.ndarray:
    """Return the distinct values of an array, sorted.

    This is `numpy.unique` for values only. For these, `numpy.unique` imports `numpy.ma` at its first call,
    which takes a twentieth of a small run.

    >>> list_distinct(np.array([[3, 1], [3, 2]]))
    array([1, 2, 3])
    """
    in_order = np.sort(values, axis=None)
    is_first = np.ones(len(in_order), bool)
    np.not_equal(in_order[1:], in_order[:-1], out=is_first[1:])
    return in_order[is_first]
