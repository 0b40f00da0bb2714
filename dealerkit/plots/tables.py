"""Plots of frequencies: bars with intervals and the exact curve; two-way tables as heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dealerkit.actions import CrossReport, FrequencyReport
from dealerkit.actions.heat_map import describe_margin, join_table
from dealerkit.actions.text_modern import describe_count
from dealerkit.appearance.numbers import format_number
from dealerkit.charts.panels import Frame, format_ticks
from dealerkit.charts.style import get_color, get_share, use_style

WIDTH, HEIGHT = 6.4, 4.0
LEAST_SHARE = 0.0005  # values at the ends with smaller shares are named in the caption


def plot_frequency(report: FrequencyReport, ax: Any = None) -> Any:
    """Plot the share of each value with its interval, and the exact shares if there are some.

    Values at both ends with shares below 0.05 % are left out and named in the caption.
    """
    with use_style(ax):
        frame = Frame(ax, WIDTH, HEIGHT)
        is_sample = report.coverage == "sample"
        exact = report.exact if is_sample else None
        rows = list(report.shown_rows())
        highest = report.shares.share if exact is None else np.maximum(report.shares.share, exact)
        kept = _trim(rows, highest)
        labels = [report.axis.labels[k].replace(" ", "") for k in kept]
        about = f"{100 * report.confidence:g} % intervals" if is_sample else ""
        frame.write(
            report.title,
            f"share of deals, by {report.expression}"
            if report.expression != report.title
            else "share of deals",
            "; ".join(filter(None, [describe_count(report), about, _name_cut(report, rows, kept)])) + ".",
        )
        (panel,) = frame.add_panels(left=0.65, bottom=0.5)
        x, share = np.arange(len(kept)), 100 * report.shares.share[kept]
        panel.bar(x, share, 0.86, color=get_color("data"), alpha=get_share("bar"))
        if is_sample:
            ends = 100 * np.array([report.shares.lo[kept], report.shares.hi[kept]])
            panel.vlines(x, *ends, color=get_color("text"), linewidth=1.1, zorder=3)
        if exact is not None:
            panel.plot(
                x, 100 * exact[kept], color=get_color("exact"), linewidth=1.2, marker="D", markersize=3.6,
                markerfacecolor=get_color("ground"), markeredgewidth=1.1, label="exact", zorder=4,
            )  # fmt: skip
            panel.legend(frameon=False, fontsize=8.5, labelcolor=get_color("text"))
        thin_ticks(panel, labels, frame)
        panel.set_xlim(-0.7, len(kept) - 0.3)
        panel.set_xlabel(report.expression if len(report.expression) < 60 else "value")
        format_ticks(panel.yaxis, unit=" %")
        panel.set_ylim(bottom=0)
        panel.grid(axis="y")
        panel.spines["left"].set_visible(False)
        return frame.ax


def _trim(rows: Sequence[int], share: np.ndarray) -> list[int]:
    """Return the rows from the first to the last one whose share counts."""
    large = [place for place, row in enumerate(rows) if share[row] >= LEAST_SHARE]
    return list(rows[large[0] : large[-1] + 1]) if large else list(rows)


def _name_cut(report: FrequencyReport, rows: Sequence[int], kept: Sequence[int]) -> str:
    """Return which values were left out; "" if none was."""
    labels, first, last = report.axis.labels, rows.index(kept[0]), rows.index(kept[-1])
    parts = []
    if first:
        parts.append(labels[rows[0]] if first == 1 else f"{labels[rows[0]]} to {labels[rows[first - 1]]}")
    if last < len(rows) - 1:
        after = labels[rows[last + 1]]
        parts.append(after if last == len(rows) - 2 else f"{after} to {labels[rows[-1]]}")
    return f"values with a share below 0.05 % are left out: {' and '.join(parts)}" if parts else ""


def thin_ticks(panel: Any, labels: Sequence[str], frame: Frame) -> None:
    """Label each tick, or every second, fifth, tenth ... so that there is space between the labels."""
    room = frame.get_width(panel)
    widest = frame.measure(labels) + 8 / 72
    step = next(
        step for step in (1, 2, 5, 10, 20, 50, 100, 1000, 10_000) if widest * len(labels) / step <= room
    )  # fmt: skip
    first = 0
    if step > 1:  # round numbers are labelled
        round_ones = (k for k, text in enumerate(labels) if text.isdigit() and not int(text) % step)
        first = next(round_ones, 0)
    places = range(first, len(labels), step)
    panel.set_xticks(places, [labels[k] for k in places])


def find_cross_height(n_rows: int) -> float:
    """Return the height of a plot of a two-way table in inches."""
    return min(1.6 + 0.3 * n_rows, 6.0)


def plot_cross(report: CrossReport, ax: Any = None) -> Any:
    """Plot a two-way table: shares of all deals in per cent, tinted; long tails are joined."""
    from matplotlib.colors import to_rgba

    with use_style(ax):
        counts, row_names, column_names = join_table(report)
        frame = Frame(ax, WIDTH, find_cross_height(len(row_names)))
        share = 100 * counts / counts.sum()
        first, second = report.expressions
        frame.write(
            report.title,
            f"{first} down, {second} across; % of all deals",
            "; ".join(filter(None, [describe_count(report), describe_margin(report)])),
        )
        left = 0.35 + frame.measure(row_names)
        (panel,) = frame.add_panels(left=left, top=0.45, bottom=0.15)
        n_rows, n_columns = share.shape
        room = frame.get_width(panel) / n_columns
        size = min(8.5, 72 * room / 2.7)
        tints = [
            to_rgba(get_color("data"), tint) for tint in (get_share("heat-top") * share / share.max()).flat
        ]
        edges = np.arange(n_columns + 1) - 0.5, np.arange(n_rows + 1) - 0.5
        panel.pcolormesh(*edges, np.zeros_like(share), linewidth=0).set(array=None, facecolors=tints)
        for (row, column), value in np.ndenumerate(share if size >= 5 else share[:0]):
            text = "0" if not value else "<0.1" if value < 0.05 else format_number(float(value), 1)
            panel.text(column, row, text, ha="center", va="center_baseline", size=size)
        panel.set_xlim(-0.5, n_columns - 0.5)
        panel.set_ylim(n_rows - 0.5, -0.5)
        panel.xaxis.tick_top()
        thin_ticks(panel, column_names, frame)
        panel.set_yticks(range(n_rows), row_names)
        panel.tick_params(length=0)
        for side in ("left", "bottom"):
            panel.spines[side].set_visible(False)
        return frame.ax
