"""Drawings in the cells of tables, as SVG that is as wide as its cell and follows the page's theme.

Positions along the axis are percentages of the width. Each drawing has a label with all its numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from dealerkit.appearance.html import Markup
from dealerkit.appearance.numbers import format_number


class Scale:
    """An axis from `low` to `high` across the width of a drawing."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high if high > low else low + 1

    def place(self, value: float) -> float:
        """Return the position of a value in per cent of the width; values beyond the ends are at the ends."""
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
    """Draw a mean among the values: a line from the smallest to the largest, a band of mean ± sd, and a dot.

    Parameters
    ----------
    low, high : float
        The smallest and the largest value, which are the ends of the axis.
    mean, sd : float
        Mean and standard deviation of the values.
    ends : tuple of float
        Ends of the interval of the mean; infinite if there is none.
    names : tuple of str
        The texts of `low` and `high`.
    label : str
        A sentence with all numbers.
    """
    scale = Scale(low, high)
    sd = sd if math.isfinite(sd) else 0.0  # a single deal has none
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
    share: float | None,
    ends: tuple[float, float],
    top: float,
    label: str,
    exact: float | None = None,
    model: float | None = None,
) -> Markup:
    """Draw a bar from 0 with its interval, a triangle at the exact share, and a circle at that of a model."""
    scale = Scale(0, top)
    parts = ['<line class="frame" x1="0" x2="0" y1="-3" y2="23"/>']
    if share is not None:
        parts.append(f'<rect class="bar" x="0" y="2" height="12" width="{scale.place(share):.2f}%"/>')
        parts.append(_draw_whisker(scale, ends, 8, 4))
    if model is not None:
        parts.append(f'<circle class="model" cx="{scale.place(model):.2f}%" cy="8" r="4"/>')
    if exact is not None:
        parts.append(
            f'<svg x="{scale.place(exact):.2f}%" y="14"><path class="exact" d="M0 0L4.5 7L-4.5 7Z"/></svg>'
        )
    return _wrap(parts, 20, label)


def draw_rate(share: float, ends: tuple[float, float], label: str, marks: Sequence[float] = ()) -> Markup:
    """Draw a bar on an axis from 0 to 100 % with its interval; `marks` are dashed lines."""
    scale = Scale(0, 1)
    parts = [f'<line class="frame" x1="{x}%" x2="{x}%" y1="0" y2="32"/>' for x in (0, 100)]
    parts.append(f'<rect class="bar" x="0" y="9" height="14" width="{scale.place(share):.2f}%"/>')
    for x in map(scale.place, marks):
        parts.append(f'<line class="zero" x1="{x:.2f}%" x2="{x:.2f}%" y1="0" y2="32"/>')
    return _wrap([*parts, _draw_whisker(scale, ends, 16, 5)], 32, label)


def draw_tricks(counts: Sequence[float], n_needed: int, label: str) -> Markup:
    """Draw a column for each number of tricks that occurs, filled if the contract makes, otherwise open."""
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
        has_room = abs(tricks - n_needed) != 1 or max(tricks, n_needed) < 10  # next to the bold number
        if tricks in (first, last, n_needed) and has_room:
            bold = ' style="fill:var(--dk-text);font-weight:600"' if tricks == n_needed else ""
            parts.append(
                f'<text x="{width * column + width / 2:g}" y="47" text-anchor="middle"{bold}>{tricks}</text>'
            )
    return _wrap(parts, 50, label, width * (last - first + 1))


def draw_difference(value: float, ends: tuple[float, float], reach: float, label: str) -> Markup:
    """Draw a difference with its interval on an axis from -reach to reach."""
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


def _draw_whisker(scale: Scale, ends: tuple[float, float], y: int, size: int) -> str:
    """Draw an interval as a line with caps; draw nothing if it is infinite or has no width."""
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
        f'<svg width="{size}" height="{height}" role="img"><title>{escape(label)}</title>'
        f"{''.join(parts)}</svg>"
    )
