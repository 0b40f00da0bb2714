"""Plots of tricks by points and fit: heat maps with numbers, or means by points alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.numbers import format_estimate
from dealerkit.charts.panels import Frame
from dealerkit.charts.style import get_color, use_style
from dealerkit.studies.limits import MIN_DEALS

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.studies.standard_tables.tricks_result import TricksTable

CELL = 0.2  # height of a cell in inches
HEAT = 0.5  # tint of the largest value


def plot_tricks(table: TricksTable, ax: Any = None) -> Any:
    """Plot mean tricks and make rates as heat maps with numbers; without fit as dots with intervals.

    Parameters
    ----------
    table : TricksTable
    ax : matplotlib Axes, optional
        Axes in which the panels lie; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    with use_style(ax):
        return _plot_means(table, ax) if table.fit is None else _plot_heat(table, ax)


def _describe(table: TricksTable) -> str:
    """Return deals and rules; without make rates, not what makes."""
    rules = table.describe_rules()
    rules = rules if table.fit is not None else rules.split(". ")[0] + "."
    return f"{table.description}, {table.sides:,} sides, double dummy. {rules}"


def _plot_heat(table: TricksTable, ax: Any) -> Any:
    """Draw a heat map of mean tricks, and one of make rates beside it."""
    tricks, makes = table.pivot("tricks"), table.pivot("makes")
    frame = Frame(ax, 6.4, CELL * len(tricks) + 2.1)
    large = table.shown[table.shown.deals >= MIN_DEALS]
    widest = [(large[f"{name}_hi"] - large[f"{name}_lo"]).max() / 2 for name in ("tricks", "makes")]
    frame.write(
        table.title,
        f"Rows: {table.name_points} of the side; columns: {table.name_fit}",
        f"{_describe(table)} {100 * table.confidence:g} % intervals are at most ± {widest[0]:.1f} tricks and "
        f"± {100 * widest[1]:.0f} %; cells of fewer than {MIN_DEALS} deals are empty.",
    )
    left, right = frame.add_panels([1, 1], left=0.55, gap=0.5, top=0.55, bottom=0.1)
    _draw_cells(left, table, tricks, float(tricks.min(axis=None)), "{:.1f}")
    _draw_cells(right, table, 100 * makes, 0.0, "{:.0f}")
    left.set_title("mean tricks", loc="left", pad=20)
    right.set_title(f"{table.contract} makes, %", loc="left", pad=20)
    return frame.ax


def _draw_cells(panel: Any, table: TricksTable, values: pd.DataFrame, low: float, spec: str) -> None:
    """Draw cells, tinted by their values, with numbers."""
    numbers = values.to_numpy()
    span = max(float(np.nanmax(numbers)) - low, 1e-9)
    for y, row in enumerate(numbers):
        for x, value in enumerate(row):
            if not np.isnan(value):
                tint = HEAT * (value - low) / span
                panel.fill_between([x, x + 1], y, y + 1, color=get_color("data"), alpha=tint, linewidth=0)
                panel.text(
                    x + 0.5,
                    y + 0.5,
                    spec.format(value),
                    ha="center",
                    va="center",
                    size=8,
                    color=get_color("text"),
                )
    panel.set_xlim(0, numbers.shape[1])
    panel.set_ylim(0, numbers.shape[0])
    rows = [table.label(int(points), "points") for points in values.index]
    panel.set_yticks(np.arange(len(rows)) + 0.5, rows)
    panel.set_xticks(
        np.arange(numbers.shape[1]) + 0.5, [table.label(int(fit), "fit") for fit in values.columns]
    )
    panel.xaxis.tick_top()
    panel.tick_params(axis="both", length=0, labelcolor=get_color("text"), labelsize=8)
    panel.spines[["left", "bottom"]].set_visible(False)


def _plot_means(table: TricksTable, ax: Any) -> Any:
    """Draw mean tricks by points, with intervals and a band of the standard deviation."""
    from matplotlib.ticker import MaxNLocator

    rows = table.by_points[table.by_points.deals >= MIN_DEALS]
    frame = Frame(ax, 6.4, 4.2)
    point = table.coefficients.loc["points"]
    gain = format_estimate(point.value, point.lo, point.hi, sign=True).value
    frame.write(
        f"{table.title}: {gain} a point",
        "Mean tricks of a side",
        f"{_describe(table)} Dots: means with {100 * table.confidence:g} % intervals, clustered by deal and "
        "narrower than the dot where none shows. Band: mean ± standard deviation. Line: least squares. Left "
        f"out: points of fewer than {MIN_DEALS} deals.",
    )
    (panel,) = frame.add_panels(left=0.55, right=0.25, bottom=0.5)
    x = rows.index.to_numpy(float)
    panel.fill_between(
        x, rows.tricks - rows.sd, rows.tricks + rows.sd, color=get_color("data"), alpha=0.14, linewidth=0
    )
    panel.plot(
        x,
        table.coefficients.value["constant"] + point.value * x,
        color=get_color("rule"),
        linewidth=0.9,
        zorder=2,
    )
    panel.vlines(x, rows.tricks_lo, rows.tricks_hi, color=get_color("text"), linewidth=1.4, zorder=3)
    panel.plot(x, rows.tricks, "o", color=get_color("text"), markersize=4, zorder=4)
    panel.xaxis.set_major_locator(MaxNLocator(9, integer=True))
    panel.set_xlabel(f"{table.name_points} of the side", color=get_color("quiet"))
    panel.set_yticks(range(0, 14, 2))
    panel.set_ylim(0, 13.4)
    panel.grid(axis="y")
    panel.spines["left"].set_visible(False)
    panel.spines["bottom"].set_bounds(x[0], x[-1])
    panel.set_xlim(x[0] - 0.7, x[-1] + 0.7)
    return frame.ax
