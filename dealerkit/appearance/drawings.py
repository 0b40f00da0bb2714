"""Drawings in the cells of tables, as data that `svg` draws in HTML.

Only HTML needs `svg`, so it is imported when something is drawn; runs that print text start without it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dealerkit.appearance.numbers import format_number, format_share
from dealerkit.appearance.table import Measured

BAR_LENGTH = 30  # characters of the longest bar in text
TRICKS_KEY = "Filled columns make the contract, open ones go down; bold is the number of tricks it needs."


class Drawing(ABC):
    """A drawing in a cell of a table; all drawings of a column share one axis."""

    @classmethod
    def find_reach(cls, drawings: Sequence[Any]) -> float:
        """Return the end of the axis that the drawings of a column share."""
        return 1.0

    @abstractmethod
    def draw(self, reach: float, label: str) -> str:
        """Return the drawing as HTML.

        Parameters
        ----------
        reach : float
            The end of the axis, from `find_reach`.
        label : str
            A sentence with the numbers of the row, for readers who cannot see the drawing.
        """

    @classmethod
    def draw_texts(cls, drawings: Sequence[Any]) -> list[str]:
        """Return the drawings of a column as characters; an empty list if text does not show this kind."""
        return []


@dataclass(frozen=True)
class ShareBar(Drawing):
    """A bar from 0 with the interval at its end, a triangle at the exact share, and a circle at a model's."""

    share: Measured | None
    exact: float | None = None
    model: float | None = None

    @classmethod
    def find_reach(cls, drawings: Sequence[ShareBar]) -> float:
        shares = [each.share for each in drawings if each.share is not None]
        others = [number or 0.0 for each in drawings for number in (each.exact, each.model)]
        numbers = [*others, *(number for share in shares for number in (share.value, share.hi))]
        return 1.1 * max(filter(math.isfinite, numbers), default=1.0)

    @classmethod
    def draw_texts(cls, drawings: Sequence[ShareBar]) -> list[str]:
        shares = [0.0 if each.share is None else each.share.value for each in drawings]
        highest = max(shares, default=1.0) or 1.0
        return ["▇" * round(BAR_LENGTH * share / highest) for share in shares]

    def draw(self, reach: float, label: str) -> str:
        from dealerkit.appearance import svg

        share, ends = None, (math.nan, math.nan)
        if self.share is not None:
            share, ends = self.share.value, (self.share.lo, self.share.hi)
        return svg.draw_share(share, ends, reach, label, self.exact, self.model)


@dataclass(frozen=True)
class Spread(Drawing):
    """A mean among the values: a line from the smallest to the largest, a band of mean ± sd, and a dot.

    The interval of the mean is a line with caps through the dot.
    """

    low: float
    high: float
    mean: Measured
    sd: float

    def draw(self, reach: float, label: str) -> str:
        from dealerkit.appearance import svg

        names = format_number(self.low), format_number(self.high)
        label = f"{label}; all values between {names[0]} and {names[1]}"
        ends = self.mean.lo, self.mean.hi
        return svg.draw_spread(self.low, self.high, self.mean.value, self.sd, ends, names, label)


@dataclass(frozen=True)
class Rate(Drawing):
    """A bar on an axis from 0 to 100 % with its interval; `marks` are dashed lines."""

    rate: Measured
    marks: Sequence[float] = ()

    def draw(self, reach: float, label: str) -> str:
        from dealerkit.appearance import svg

        for mark in self.marks:
            label += f"; gains from {format_share(mark, mark, mark, 0, exact=True).value}"
        return svg.draw_rate(self.rate.value, (self.rate.lo, self.rate.hi), label, self.marks)


@dataclass(frozen=True)
class TrickColumns(Drawing):
    """A column for each number of tricks, filled if the contract makes and open if it goes down."""

    counts: Sequence[float]
    needed: int

    def draw(self, reach: float, label: str) -> str:
        from dealerkit.appearance import svg

        total = sum(self.counts)
        shares = [
            f"{k}: {format_share(count / total, -math.inf, math.inf, 0).value}"
            for k, count in enumerate(self.counts)
            if count
        ]
        return svg.draw_tricks(self.counts, self.needed, f"tricks, {self.needed} needed: {', '.join(shares)}")


@dataclass(frozen=True)
class Difference(Drawing):
    """A difference with its interval on an axis whose middle is 0; with `reach`, the axis is its own."""

    gain: Measured
    scale: float = 1.0
    reach: float | None = None

    @classmethod
    def find_reach(cls, drawings: Sequence[Difference]) -> float:
        gains = [(each.gain, each.scale) for each in drawings]
        return choose_reach([scale * end for gain, scale in gains for end in (gain.value, gain.lo, gain.hi)])

    def draw(self, reach: float, label: str) -> str:
        from dealerkit.appearance import svg

        value, *ends = (self.scale * number for number in (self.gain.value, self.gain.lo, self.gain.hi))
        return svg.draw_difference(value, (ends[0], ends[1]), self.reach or reach, label)


def choose_reach(values: Sequence[float]) -> float:
    """Return the end of a symmetric axis for all values: 1, 2 or 5 times a power of ten.

    >>> choose_reach([0.69, 0.04, 1.34]), choose_reach([-9, 68]), choose_reach([])
    (2.0, 100.0, 1.0)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=1.0) or 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= largest * (1 - 1e-9))
