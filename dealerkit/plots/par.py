"""Plot of par scores: of each board, or of many boards how often each score occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.plots.style import get_color, in_style
from dealerkit.plots.svg import add_title, create_axes
from dealerkit.wording import shorten

if TYPE_CHECKING:
    from dealerkit.studies.par_table import ParTable

MOST_ROWS = 40
BIN = 100  # points


@in_style
def plot_par(table: ParTable, ax: Any = None) -> Any:
    """Plot par of each board with its first contract; of more than 40 boards a histogram.

    Parameters
    ----------
    table : ParTable
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    frame = table.frame
    scores = frame.score.to_numpy()
    if len(frame) > MOST_ROWS:
        ax = create_axes(ax, 6.4, 4.0)
        low, high = (BIN * np.floor(scores.min() / BIN), BIN * np.ceil((scores.max() + 1) / BIN))
        ax.hist(scores, np.arange(low, high + BIN, BIN), color=get_color("data"), alpha=0.7, rwidth=0.92)
        ax.axvline(scores.mean(), color=get_color("exact"), linewidth=1.4)
        ax.set_ylabel("boards")
        ax.set_xlabel(f"par for north-south, points; {len(frame):,} boards, double dummy\norange: the mean")
    else:
        ax = create_axes(ax, 6.4, 1.4 + 0.27 * len(frame))
        y = np.arange(len(frame))[::-1]
        ax.hlines(y, 0, scores, color=get_color("rule"), linewidth=1)
        ax.plot(scores, y, "o", color=get_color("data"), markersize=5)
        for row, height in zip(frame.itertuples(), y, strict=True):
            first, *more = row.contracts.split(", ")
            text = shorten(first + " ..." * bool(more), 20)
            side = 1 if row.score >= 0 else -1
            ax.annotate(
                text, (row.score, height), textcoords="offset points", xytext=(6 * side, 0), va="center",
                ha="left" if side > 0 else "right", fontsize=8,
            )  # fmt: skip
        ax.set_yticks(y, [str(board) for board in frame.board])
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(-0.7, len(frame) - 0.3)
        ax.axvline(0, color=get_color("rule"), linewidth=1)
        ax.margins(x=0.22)
        ax.set_ylabel("board")
        ax.set_xlabel("par for north-south, points, double dummy")
    return add_title(ax, "Par")
