"""Drawings in the cells of tables: SVG that grows with its cell and follows the page's theme.

Places along the axis are percentages of the width. Each drawing has a label that says all that it shows.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from dealerkit.appearance.html import Markup
from dealerkit.appearance.numbers import format_number, format_share
from dealerkit.appearance.table import Measured

BAR_LENGTH = 30  # characters of the longest bar in text

TRICKS_KEY = "Filled columns make the contract, open ones go down; bold is the number of tricks it needs."


class Drawing(ABC):
    """A drawing in a cell of a table; all drawings of a column have one axis."""

    @classmethod
    def find_reach(cls, drawings: Sequence[Any]) -> float:
        """Return the end of the axis that the drawings of a column share."""
        return 1.0

    @abstractmethod
    def draw(self, reach: float, label: str) -> Markup:
        """Return the drawing on an axis with this end; `label` says what the row does."""

    @classmethod
    def draw_texts(cls, drawings: Sequence[Any]) -> list[str]:
        """Return the drawings of a column in characters; empty for kinds that text does not show."""
        return []


@dataclass(frozen=True)
class ShareBar(Drawing):
    """A bar from 0 with a whisker over its end, and a triangle at the exact share."""

    share: Measured
    exact: float | None = None

    @classmethod
    def find_reach(cls, drawings: Sequence[ShareBar]) -> float:
        numbers = [
            number
            for each in drawings
            for number in (each.share.value, each.share.hi, each.exact or 0.0)
            if math.isfinite(number)
        ]
        return 1.1 * max(numbers, default=1.0)

    @classmethod
    def draw_texts(cls, drawings: Sequence[ShareBar]) -> list[str]:
        highest = max((each.share.value for each in drawings), default=1.0) or 1.0
        return ["▇" * round(BAR_LENGTH * each.share.value / highest) for each in drawings]

    def draw(self, reach: float, label: str) -> Markup:
        return draw_share(self.share.value, (self.share.lo, self.share.hi), reach, label, self.exact)


@dataclass(frozen=True)
class Spread(Drawing):
    """A mean among the values: line from the least to the greatest, band of mean ± sd, dot with whisker."""

    low: float
    high: float
    mean: Measured
    sd: float

    def draw(self, reach: float, label: str) -> Markup:
        names = format_number(self.low), format_number(self.high)
        label = f"{label}; all values between {names[0]} and {names[1]}"
        ends = self.mean.lo, self.mean.hi
        return draw_spread(self.low, self.high, self.mean.value, self.sd, ends, names, label)


@dataclass(frozen=True)
class Rate(Drawing):
    """A bar on an axis from 0 to 100 % with a whisker; `marks` are dashed lines."""

    rate: Measured
    marks: Sequence[float] = ()

    def draw(self, reach: float, label: str) -> Markup:
        label += "".join(f"; gains from {format_share(mark, mark, mark, 0).value}" for mark in self.marks)
        return draw_rate(self.rate.value, (self.rate.lo, self.rate.hi), label, self.marks)


@dataclass(frozen=True)
class TrickColumns(Drawing):
    """Columns of the numbers of tricks: filled where the contract makes, else open."""

    counts: Sequence[float]
    needed: int

    def draw(self, reach: float, label: str) -> Markup:
        total = sum(self.counts)
        shares = [
            f"{k}: {format_share(count / total, -math.inf, math.inf, 0).value}"
            for k, count in enumerate(self.counts)
            if count
        ]
        return draw_tricks(self.counts, self.needed, f"tricks, {self.needed} needed: {', '.join(shares)}")


@dataclass(frozen=True)
class Difference(Drawing):
    """A difference with its interval on an axis whose middle is 0, of its own if `reach` is given."""

    gain: Measured
    scale: float = 1.0
    reach: float | None = None

    @classmethod
    def find_reach(cls, drawings: Sequence[Difference]) -> float:
        gains = [(each.gain, each.scale) for each in drawings]
        return choose_reach([scale * end for gain, scale in gains for end in (gain.value, gain.lo, gain.hi)])

    def draw(self, reach: float, label: str) -> Markup:
        value, *ends = (self.scale * number for number in (self.gain.value, self.gain.lo, self.gain.hi))
        return draw_difference(value, (ends[0], ends[1]), self.reach or reach, label)


class Scale:
    """An axis from `low` to `high` across the width of a drawing."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high if high > low else low + 1

    def place(self, value: float) -> float:
        """Return the place of a value in per cent of the width, at the ends of the axis beyond them."""
        value = min(max(value, self.low), self.high)
        return 100 * (value - self.low) / (self.high - self.low)


def draw_spread(
    low: float,
    high: float,
    mean: float,
    sd: float,
    ends: tuple[float, float],
    names: tuple[str, str],
    label: str,
) -> Markup:
    """Return a mean among the values: line from least to greatest, band of mean ± sd, dot with whisker.

    Parameters
    ----------
    low, high : float
        The least and the greatest value, at the ends of the axis.
    mean, sd : float
    ends : tuple of float
        Of the interval of the mean; infinite where there is none.
    names : tuple of str
        The texts of `low` and `high`.
    label : str
    """
    scale = Scale(low, high)
    sd = sd if math.isfinite(sd) else 0.0  # of a single deal
    left, right = scale.place(mean - sd), scale.place(mean + sd)
    parts = [
        '<line class="frame" x1="0%" x2="100%" y1="11" y2="11"/>',
        f'<rect class="band" x="{left:.2f}%" width="{right - left:.2f}%" y="4" height="14"/>',
        _draw_whisker(scale, ends, 11, 5),
        f'<circle class="dot" cx="{scale.place(mean):.2f}%" cy="11" r="4"/>',
        f'<text x="0%" y="32" text-anchor="start">{escape(names[0])}</text>',
        f'<text x="100%" y="32" text-anchor="end">{escape(names[1])}</text>',
    ]
    return _wrap(parts, 34, label)


def draw_share(
    share: float, ends: tuple[float, float], top: float, label: str, exact: float | None = None
) -> Markup:
    """Return a bar from 0 with a whisker over its end, and a triangle below it at the exact share."""
    scale = Scale(0, top)
    parts = [
        '<line class="frame" x1="0" x2="0" y1="-3" y2="23"/>',
        f'<rect class="bar" x="0" y="2" height="12" width="{scale.place(share):.2f}%"/>',
        _draw_whisker(scale, ends, 8, 4),
    ]
    if exact is not None:
        parts.append(
            f'<svg x="{scale.place(exact):.2f}%" y="14"><path class="exact" d="M0 0L4.5 7L-4.5 7Z"/></svg>'
        )
    return _wrap(parts, 20, label)


def draw_rate(share: float, ends: tuple[float, float], label: str, marks: Sequence[float] = ()) -> Markup:
    """Return a bar on an axis from 0 to 100 % with its whisker; `marks` are dashed lines."""
    scale = Scale(0, 1)
    parts = [f'<line class="frame" x1="{x}%" x2="{x}%" y1="0" y2="32"/>' for x in (0, 100)]
    parts.append(f'<rect class="bar" x="0" y="9" height="14" width="{scale.place(share):.2f}%"/>')
    for x in map(scale.place, marks):
        parts.append(f'<line class="zero" x1="{x:.2f}%" x2="{x:.2f}%" y1="0" y2="32"/>')
    return _wrap([*parts, _draw_whisker(scale, ends, 16, 5)], 32, label)


def draw_tricks(counts: Sequence[float], n_needed: int, label: str) -> Markup:
    """Return columns of the numbers of tricks that occur: filled where the contract is made, else open."""
    occurring = [tricks for tricks, count in enumerate(counts) if count]
    first, last = min([*occurring, n_needed]), max([*occurring, n_needed])
    top, width, height = max(counts, default=1) or 1, 15, 33
    parts = [
        f'<line class="frame" x1="0" x2="{width * (last - first + 1)}" y1="{height}.5" y2="{height}.5"/>'
    ]
    for column, tricks in enumerate(range(first, last + 1)):
        size = (height - 3) * counts[tricks] / top
        kind = "made" if tricks >= n_needed else "down"
        if size:
            parts.append(
                f'<rect class="{kind}" x="{width * column + 1}" width="{width - 2}" y="{height - size:.1f}" '
                f'height="{size:.1f}"/>'
            )
        has_room = abs(tricks - n_needed) != 1 or max(tricks, n_needed) < 10  # beside the bold number
        if tricks in (first, last, n_needed) and has_room:
            bold = ' style="fill:var(--dk-text);font-weight:600"' if tricks == n_needed else ""
            parts.append(
                f'<text x="{width * column + width / 2:g}" y="47" text-anchor="middle"{bold}>{tricks}</text>'
            )
    return _wrap(parts, 50, label, width * (last - first + 1))


def draw_difference(value: float, ends: tuple[float, float], reach: float, label: str) -> Markup:
    """Return a difference with its interval on an axis from -reach to reach, whose middle is 0."""
    scale = Scale(-reach, reach)
    parts = [
        '<line class="frame" x1="0%" x2="100%" y1="20" y2="20"/>',
        '<line class="frame" x1="50%" x2="50%" y1="1" y2="20"/>',
        _draw_whisker(scale, ends, 10, 5),
        f'<circle class="dot" cx="{scale.place(value):.2f}%" cy="10" r="4"/>',
        f'<text x="0%" y="34" text-anchor="start">{format_number(-reach)}</text>',
        '<text x="50%" y="34" text-anchor="middle">0</text>',
        f'<text x="100%" y="34" text-anchor="end">{format_number(reach, sign=True)}</text>',
    ]
    return _wrap(parts, 36, label)


def choose_reach(values: Sequence[float]) -> float:
    """Return the end of a symmetric axis that holds all values: 1, 2 or 5 times a power of ten.

    >>> choose_reach([0.69, 0.04, 1.34]), choose_reach([-9, 68]), choose_reach([])
    (2.0, 100.0, 1.0)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=1.0) or 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= largest * (1 - 1e-9))


def _draw_whisker(scale: Scale, ends: tuple[float, float], y: int, size: int) -> str:
    """Return an interval as a line with caps, or nothing where it has no ends."""
    low, high = ends
    if not (math.isfinite(low) and math.isfinite(high)) or low >= high:
        return ""
    left, right = scale.place(low), scale.place(high)
    return "".join(
        f'<line class="whisk" x1="{x1:.2f}%" x2="{x2:.2f}%" y1="{y1}" y2="{y2}"/>'
        for x1, x2, y1, y2 in (
            (left, right, y, y), (left, left, y - size, y + size), (right, right, y - size, y + size),
        )
    )  # fmt: skip


def _wrap(parts: Sequence[str], height: int, label: str, width: int | None = None) -> Markup:
    size = "100%" if width is None else str(width)
    return Markup(
        f'<svg width="{size}" height="{height}" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )
