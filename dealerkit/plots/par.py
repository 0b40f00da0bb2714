"""Plot of par scores: of each board, or of many boards how often each score occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.numbers import format_number
from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import Frame, draw_whisker, label_end, name_rows
from dealerkit.charts.style import get_color, get_share, use_style

if TYPE_CHECKING:
    from dealerkit.studies.par_table import ParTable

MOST_ROWS = 40
ROW = 0.22  # inches
BIN = 100  # points


def plot_par(table: ParTable, ax: Any = None) -> Any:
    """Plot par of each board with its first contract; of more than 40 boards a histogram.

    Parameters
    ----------
    table : ParTable
    ax : matplotlib Axes, optional
        Axes in which the panel lies, as its ``child_axes``; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    scores = table.frame.score.to_numpy()
    n = len(scores)
    with use_style(ax):
        frame = Frame(ax, 6.4, 4.0 if n > MOST_ROWS else 1.6 + ROW * n)
        caption = f"{n:,} boards, double dummy." if n > 1 else "Double dummy."
        if n > MOST_ROWS:
            mean = format_number(scores.mean(), 0, sign=True)
            frame.write("Par", "Points for north-south", f"{caption} Line: the mean, {mean}.")
            (panel,) = frame.add_panels(left=0.6, right=0.4)
            _draw_histogram(frame, panel, scores)
        else:
            frame.write("Par of each board", "Points for north-south", caption)
            _draw_boards(frame, table)
        return frame.ax


def _draw_histogram(frame: Frame, panel: Any, scores: np.ndarray) -> None:
    """Draw the number of boards with each score, in steps of 100 points."""
    edges = np.arange(BIN * np.floor(scores.min() / BIN), scores.max() + BIN + 1, BIN)
    panel.hist(scores, edges, color=get_color("data"), alpha=get_share("bar"), rwidth=0.92)
    panel.axvline(scores.mean(), color=get_color("exact"), linewidth=1.4)
    frame.scale(panel, float(edges[0]), float(edges[-1]), sign=True)
    panel.grid(axis="y")
    panel.spines["left"].set_visible(False)
    panel.set_ylabel("boards")


def _draw_boards(frame: Frame, table: ParTable) -> None:
    """Draw a row for each board, with its first contract beside the end."""
    rows = list(table.frame.itertuples())
    names = [str(row.board) for row in rows]
    (panel,) = frame.add_panels(left=1.3 + frame.measure(names), right=1.2, top=0.1)
    name_rows(panel, names)
    panel.tick_params(axis="y", pad=75)
    scores = [float(row.score) for row in rows]
    frame.scale(panel, min(0.0, *scores), max(0.0, *scores), sign=True)
    panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
    for y, row in zip(range(len(rows))[::-1], rows, strict=True):
        panel.plot([0, row.score], [y, y], color=get_color("rule"), linewidth=1, zorder=2)
        draw_whisker(panel, row.score, row.score, row.score, y, get_color("data"))
        first, *more = row.contracts.split(", ")
        label_end(panel, shorten(first + " ..." * bool(more), 18), row.score, y, 1 if row.score >= 0 else -1)
