"""Plot of an estimate: the distribution of the values, and the estimate with its interval."""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_count, format_estimate, format_number, format_share
from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import Frame, draw_whisker, format_ticks, label_end
from dealerkit.charts.style import get_color, get_share, use_style
from dealerkit.statistics import Estimate

MAX_BARS = 60


def plot_estimate(
    question: str, given: str, estimate: Estimate, values: np.ndarray, weights: np.ndarray, ax: Any = None
) -> Any:
    """Plot the distribution of the values, weighted as in the estimate, and the estimate with its interval.

    Parameters
    ----------
    question, given : str
    estimate : Estimate
    values, weights : ndarray of float64 [n]
    ax : matplotlib Axes, optional
        Axes in which the panel lies, as its ``child_axes``; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    distinct, index = np.unique(values, return_inverse=True)
    has_bars = len(distinct) > 0 and not (distinct.min() >= 0 and distinct.max() <= 1)
    is_share = len(distinct) > 0 and bool(np.isin(distinct, (0, 1)).all())
    with use_style(ax):
        frame = Frame(ax, 6.4, 4.0 if has_bars else 2.1)
        notes = [format_count(len(values), "deal")] if len(distinct) else []
        if estimate.exact:
            notes.append("open diamond: the exact value")
        else:
            notes.append(f"whisker: {100 * estimate.confidence:g} % interval")
        notes += ["bars: share of the deals, weighted as in the estimate"] * has_bars
        caption = "; ".join(notes)
        frame.write(
            shorten(question, 110),
            f"given {shorten(' '.join(given.split()), 130)}" if given else "all deals",
            f"{caption[0].upper()}{caption[1:]}.",
        )
        (panel,) = frame.add_panels(
            left=0.6 if has_bars else 0.35, right=0.35, bottom=0.5 if has_bars else 0.35
        )
        scale = 100 if is_share else 1
        low, high = (scale * end for end in (estimate.lo, estimate.hi))
        if has_bars:
            ends = _draw_bars(frame, panel, distinct, index, weights)
            height = 1.1 * panel.get_ylim()[1]
            panel.set_ylim(0, 1.08 * height)
        else:
            ends, height = _set_axis(frame, panel, low, high, is_share), 0.0
        value, text = scale * estimate.value, _format_value(estimate, is_share)
        if estimate.exact:
            mark = {"marker": "D", "markerfacecolor": get_color("ground")}
            draw_whisker(panel, value, value, value, height, get_color("exact"), **mark)
        else:
            draw_whisker(panel, value, low, high, height)
        side = 1 if value < sum(ends) / 2 else -1
        label_end(panel, text, high if side > 0 else low, height, side)
        return frame.ax


def _format_value(estimate: Estimate, is_share: bool) -> str:
    """Return the estimate with its margin or interval."""
    value, (low, high), exact = estimate.value, (estimate.lo, estimate.hi), estimate.exact
    if exact:
        return f"{format_number(value)}, exact"
    text = format_share(value, low, high) if is_share else format_estimate(value, low, high)
    return f"{text.value} {text.margin}" if text.margin else f"{text.value}, {text.interval}"


def _set_axis(frame: Frame, panel: Any, low: float, high: float, is_share: bool) -> tuple[float, float]:
    """Set the axis of a value without bars: from 0 to 100 %, to 1, or round the interval; return its ends."""
    ends = (0, 100) if is_share else (min(low, 0), max(high, 1))
    frame.scale(panel, ends[0], ends[1], unit=" %" if is_share else "")
    panel.set_ylim(-1, 1)
    panel.set_yticks([])
    panel.spines["left"].set_visible(False)
    return ends


def _draw_bars(
    frame: Frame, panel: Any, distinct: np.ndarray, index: np.ndarray, weights: np.ndarray
) -> tuple[float, float]:
    """Draw the share of each value, or of intervals of many values; return the ends of the axis."""
    shares = 100 * np.bincount(index, weights)
    style: dict[str, Any] = {"color": get_color("data"), "alpha": get_share("bar"), "linewidth": 0}
    if len(distinct) > MAX_BARS:
        shares, edges = np.histogram(distinct, 30, weights=shares)
        places, width = (edges[:-1] + edges[1:]) / 2, 0.94 * float(edges[1] - edges[0])
    else:
        gap = float(np.diff(distinct).min()) if len(distinct) > 1 else 1.0
        places, width = distinct, max(0.8 * gap, float(np.ptp(distinct)) / 120)
    panel.bar(places, shares, width, **style)
    frame.scale(panel, float(places[0]), float(places[-1]))
    low, high = panel.get_xlim()
    panel.set_xlim(min(low, places[0] - width / 2), max(high, places[-1] + width / 2))
    panel.set_xlabel("value")
    format_ticks(panel.yaxis, unit=" %")
    panel.grid(axis="y")
    panel.spines["left"].set_visible(False)
    ends: tuple[float, float] = panel.get_xlim()
    return ends
