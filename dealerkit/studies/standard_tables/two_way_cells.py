"""Numbers of the cells of a two-way table, and tails that are joined."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SHIFT, BASE = 500, 1_000  # points and fit in one integer
TAIL = 0.01  # largest share of the sides that a joined row or column holds


def number_cells(points: np.ndarray, fit: np.ndarray) -> np.ndarray:
    """Return a number for each pair of points and fit.

    >>> [split_cell(int(each)) for each in number_cells(np.array([25, -3]), np.array([8, 0]))]
    [(25, 8), (-3, 0)]
    """
    result: np.ndarray = (points + SHIFT) * BASE + fit + SHIFT
    return result


def split_cell(number: int) -> tuple[int, int]:
    """Return points and fit of the number of a cell."""
    points, fit = divmod(number, BASE)
    return points - SHIFT, fit - SHIFT


@dataclass(frozen=True)
class Tails:
    """The lowest and the highest row and column of a table: they hold all values beyond them too.

    Attributes
    ----------
    points, fit : (int, int)
    """

    points: tuple[int, int]
    fit: tuple[int, int]

    @classmethod
    def choose(cls, points: np.ndarray, fit: np.ndarray) -> Tails:
        """Return tails so that each holds less than one per cent of the sides, or is a single value.

        >>> Tails.choose(np.repeat(np.arange(5), [1, 4, 500, 490, 5]), np.zeros(1000, int))
        Tails(points=(1, 4), fit=(0, 0))
        """
        return cls(_find_ends(points), _find_ends(fit))

    def join(self, points: np.ndarray, fit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return points and fit with the values beyond the ends moved to them."""
        return np.clip(points, *self.points), np.clip(fit, *self.fit)


def _find_ends(values: np.ndarray) -> tuple[int, int]:
    """Return the largest value with less than `TAIL` up to it, and the smallest with less from it on."""
    distinct, counts = np.unique(values, return_counts=True)
    below = np.cumsum(counts) / len(values)
    above = np.cumsum(counts[::-1])[::-1] / len(values)
    first = int(np.flatnonzero(below < TAIL)[-1]) if below[0] < TAIL else 0
    last = int(np.flatnonzero(above < TAIL)[0]) if above[-1] < TAIL else len(distinct) - 1
    return int(distinct[first]), int(distinct[max(first, last)])
