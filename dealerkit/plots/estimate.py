"""Plot of an estimate: the distribution of the values, and the estimate with its interval."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.plots.style import get_color, get_share, in_style
from dealerkit.plots.svg import add_title, create_axes

if TYPE_CHECKING:
    from dealerkit.studies.estimated import EstimateResult

MAX_BARS = 60


@in_style
def plot_estimate(result: EstimateResult, ax: Any = None) -> Any:
    """Plot the distribution of the values, weighted as in the estimate, and the estimate with its interval.

    Parameters
    ----------
    result : EstimateResult
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    distinct, index = np.unique(result.values, return_inverse=True)
    has_bars = len(distinct) > 0 and not (distinct.min() >= 0 and distinct.max() <= 1)
    ax = create_axes(ax, 7, 3.6 if has_bars else 2.2)
    if has_bars:
        _draw_bars(ax, distinct, index, result.weights)
    (low, high), value = result.interval, result.value
    height = 1.08 * ax.get_ylim()[1] if has_bars else 0.0
    ax.errorbar(
        [value],
        [height],
        xerr=[[value - low], [high - value]],
        fmt="o",
        color=get_color("exact"),
        capsize=4,
        zorder=3,
    )
    text = f"{result.estimate.rounded()}" + (" exactly" if result.estimate.exact else "")
    ax.annotate(text, (value, height), textcoords="offset points", xytext=(0, 9), ha="center", fontsize=9)
    if has_bars:
        ax.set_ylim(0, 1.25 * height / 1.08)
        ax.set_ylabel("share of deals, %")
        ax.set_xlabel("value")
    else:
        ax.set_ylim(-1, 1.4)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        margin = max(3 * (high - low), 1e-6)
        ax.set_xlim(value - margin, value + margin)
        ax.axhline(0, color=get_color("rule"), linewidth=0.6, zorder=0)
        level = f"{100 * result.estimate.confidence:g} % interval"
        ax.set_xlabel("value" if result.estimate.exact else f"value with its {level}")
    given = f"given {result.given}" if result.given else "all deals"
    title = "\n".join(textwrap.wrap(result.question, 70)[:2] + textwrap.wrap(given, 70)[:2])
    return add_title(ax, title)


def _draw_bars(ax: Any, distinct: np.ndarray, index: np.ndarray, weights: np.ndarray) -> None:
    """Draw the share of each value, or of intervals of many values."""
    shares = 100 * np.bincount(index, weights)
    style: dict[str, Any] = {"color": get_color("data"), "alpha": get_share("bar")}
    if len(distinct) > MAX_BARS:
        shares, edges = np.histogram(distinct, 30, weights=shares)
        ax.bar(
            edges[:-1],
            shares,
            np.diff(edges),
            align="edge",
            color=get_color("data"),
            edgecolor=get_color("ground"),
        )
        return
    width = 0.8 * float(np.diff(distinct).min()) if len(distinct) > 1 else 0.8
    ax.bar(distinct, shares, max(width, float(np.ptp(distinct)) / 120), **style)
