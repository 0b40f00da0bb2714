"""Plots of predictions: calibration of tricks and of probabilities, and the spread of residuals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import Frame, format_ticks, label_lines
from dealerkit.charts.style import N_SERIES, get_color, list_series, use_style
from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    from dealerkit.studies.comparison.predictions import Predictions

STRIP = 0.55  # height in inches of the bars below a calibration curve


def plot_calibration(
    predictions: Predictions,
    name: str | None = None,
    event: str | None = None,
    kind: str = "line",
    ax: Any = None,
) -> Any:
    """Plot what was observed against what was predicted, with intervals, and bars of the number of sides.

    Parameters
    ----------
    predictions : Predictions
    name, event, kind
        As for `Predictions.calibrate`.
    ax : matplotlib Axes, optional
        Axes in which the panels lie, as its ``child_axes``; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    table = predictions.calibrate(name, event, kind)
    name = predictions.names[0] if name is None else name
    scale = 1 if event is None else 100
    x, y, lo, hi = (scale * table[column].to_numpy() for column in ("predicted", "observed", "lo", "hi"))
    subject = f"{event}" if event else predictions.target
    with use_style(ax):
        frame = Frame(ax, 4.8, 5.6)
        how = "isotonic" if event or kind == "isotonic" else "straight line"
        caption = (
            f"{int(table.sides.sum()):,} sides that the prediction has not seen ({how}), double dummy. "
            f"Whiskers: {100 * predictions.confidence:g} % intervals, narrower than the dot where none "
            "shows. Bars: number of sides."
        )
        title = (
            f"{shorten(name, 24)}: {'chances of ' + shorten(event, 24) if event else shorten(subject, 24)}"
        )
        frame.write(
            title,
            f"Share of sides with {shorten(event, 40)}, by predicted chance" if event
            else f"Mean {shorten(subject, 30)} by prediction",
            caption,
        )  # fmt: skip
        panel, strip = _add_panels(frame)
        ends = (0, 100) if event else _round_ends(np.concatenate([x, lo, hi]))
        panel.plot(ends, ends, color=get_color("rule"), linewidth=0.9, linestyle=(0, (4, 3)), zorder=2)
        panel.vlines(x, lo, hi, color=get_color("text"), linewidth=1.4, zorder=3)
        panel.plot(x, y, "o", color=get_color("text"), markersize=5, zorder=4)
        margin = 0.02 * (ends[1] - ends[0])
        panel.set(xlim=(ends[0] - margin, ends[1] + margin), ylim=(ends[0] - margin, ends[1] + margin))
        ticks = [0, 25, 50, 75, 100] if event else _choose_ticks(*ends)
        panel.grid(axis="y")
        panel.spines[["left", "bottom"]].set_visible(False)
        panel.tick_params(axis="x", length=0, labelbottom=False)
        at = ends[0] + 0.80 * (ends[1] - ends[0])
        panel.annotate(
            "as predicted",
            (at, at),
            (8, -6),
            textcoords="offset points",
            color=get_color("quiet"),
            ha="left",
            va="top",
        )
        _draw_bars(strip, table, scale, ends)
        for axes in (panel, strip):
            axes.set_xticks(ticks)
            format_ticks(axes.xaxis, unit=" %" if event else "")
        panel.set_yticks(ticks)
        format_ticks(panel.yaxis, unit=" %" if event else "")
        strip.set_xlim(panel.get_xlim())
        strip.set_xlabel("predicted chance" if event else f"predicted {shorten(subject, 40)}")
        return frame.ax


def _add_panels(frame: Frame) -> tuple[Any, Any]:
    """Return the Axes of the curve and of the bars below it, with the same horizontal axis."""
    left, right, bottom, top = 0.62, 0.3, frame.bottom + 0.52, frame.top + 0.15
    width = (frame.width - left - right) / frame.width
    height = frame.height - bottom - top - STRIP - 0.12
    strip = frame.ax.inset_axes((left / frame.width, bottom / frame.height, width, STRIP / frame.height))
    start = (bottom + STRIP + 0.12) / frame.height
    panel = frame.ax.inset_axes((left / frame.width, start, width, height / frame.height))
    return panel, strip


def _draw_bars(strip: Any, table: Any, scale: float, ends: tuple[float, float]) -> None:
    """Draw the number of sides of each bin, the largest with its number."""
    from matplotlib.colors import to_rgba

    left = np.clip(scale * table["from"].to_numpy(), *ends)
    width = np.clip(scale * table["to"].to_numpy(), *ends) - left
    sides = table.sides.to_numpy()
    # The height is sides per unit of the axis, so that a joined bin is not larger than its parts.
    height = sides / width
    strip.bar(left + width / 2, height, width=0.96 * width, color=to_rgba(get_color("data"), 0.32))
    most = int(height.argmax())
    at = left[most] + width[most] / 2
    strip.annotate(
        f"{sides[most]:,}", (at, height[most]), (0, 2), textcoords="offset points", ha="center", va="bottom",
        size=8, color=get_color("quiet"),
    )  # fmt: skip
    strip.set_ylim(0, 1.45 * height[most])
    strip.spines["left"].set_visible(False)
    strip.spines["bottom"].set_bounds(*ends)
    strip.set_yticks([])


def _round_ends(values: np.ndarray) -> tuple[float, float]:
    """Return whole numbers below and above all values."""
    return float(np.floor(values.min())), float(np.ceil(values.max()))


def _choose_ticks(low: float, high: float) -> list[float]:
    """Return round ticks within both ends."""
    from matplotlib.ticker import MaxNLocator

    return [
        tick for tick in MaxNLocator(7, steps=[1, 2, 5, 10]).tick_values(low, high) if low <= tick <= high
    ]


def plot_residuals(predictions: Predictions, names: Sequence[str] | None = None, ax: Any = None) -> Any:
    """Plot the standard deviation of the residuals by predicted tricks, a line for each measure.

    Parameters
    ----------
    predictions : Predictions
    names : list of str, optional
        At most four measures; by default the first two.
    ax : matplotlib Axes, optional
        Axes in which the panel lies, as its ``child_axes``; by default of a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        No measure, more than four, or an unknown one.
    """
    chosen = predictions.names[:2] if names is None else list(names)
    if unknown := [name for name in chosen if name not in predictions.names]:
        raise ArgumentError(f"unknown evaluator {unknown[0]!r}; known: {', '.join(predictions.names)}")
    if not 0 < len(chosen) <= N_SERIES:
        raise ArgumentError(f"{len(chosen)} evaluators; a plot takes 1 to {N_SERIES}, in names=")
    subject = predictions.target
    with use_style(ax):
        frame = Frame(ax, 6.4, 4.0)
        unit = "tricks" if subject == "tricks" else "its unit"
        frame.write(
            f"How far {shorten(subject, 24)} differ from the prediction" if subject == "tricks"
            else f"How far {shorten(subject, 40)} is from the prediction",
            f"Standard deviation of the residuals in {unit}, by predicted {shorten(subject, 30)}",
            f"{len(predictions.data):,} sides that the straight line has not seen, double dummy. Ribbons: "
            f"{100 * predictions.confidence:g} % intervals.",
        )  # fmt: skip
        labels = [shorten(name, 20) for name in chosen]
        (panel,) = frame.add_panels(left=0.45, right=0.3 + frame.measure(labels), bottom=0.5)
        ends, largest = [], 0.0
        for name, label, (colour, marker) in zip(chosen, labels, list_series(), strict=False):
            table = predictions.residuals.loc[name]
            x, sd = table.predicted.to_numpy(), table.sd.to_numpy()
            panel.fill_between(x, table.lo, table.hi, color=colour, alpha=0.18, linewidth=0)
            face = colour if marker == "o" else get_color("ground")
            panel.plot(
                x, sd, marker=marker, color=colour, markersize=4.5, markerfacecolor=face, linewidth=1.4
            )
            ends.append((sd[-1], x[-1], label))
            largest = max(largest, float(table.hi.max()))
        panel.set_ylim(0, 1.04 * min(largest, 2 * max(end for end in predictions.residuals.loc[chosen].sd)))
        panel.grid(axis="y", color=get_color("line"))
        panel.spines["left"].set_visible(False)
        label_lines(frame, panel, ends)
        panel.set_xlabel(f"predicted {shorten(subject, 40)}")
        return frame.ax
