"""Plots of action reports: bars with intervals, heat maps, means with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dealerkit.actions import (
    AverageReport,
    ContractReport,
    CrossReport,
    FrequencyReport,
    Report,
    TypeReport,
)
from dealerkit.actions.text_modern import describe_interval
from dealerkit.appearance.numbers import format_count, format_share, format_with_interval
from dealerkit.errors import ArgumentError
from dealerkit.plots import BLUE, GREY, ORANGE, add_title, create_axes
from dealerkit.plots.hand_types import plot_types


def plot_report(report: Report, ax: Any = None) -> Any:
    """Plot one report.

    Parameters
    ----------
    report : AverageReport, ContractReport, CrossReport, FrequencyReport or TypeReport
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        The report is about no deal, or of a type without a plot.
    """
    if type(report) not in _PLOTS:
        raise ArgumentError(f"nothing to plot: a {type(report).__name__} has no plot")
    if not report.n:
        raise ArgumentError("nothing to plot: the report is about no deal")
    return _PLOTS[type(report)](report, create_axes(ax, 7, 4))


def plot_reports(reports: Sequence[Report], ax: Any = None) -> Any:
    """Plot several reports: all averages in one plot, each other report in its own.

    Parameters
    ----------
    reports : sequence of Report
    ax : matplotlib Axes, optional
        Axes of the plot, if there is only one; by default of a new figure.

    Returns
    -------
    matplotlib Axes, or ndarray of Axes for several plots

    Raises
    ------
    ArgumentError
        All reports are about no deal, or there are several plots for one Axes.
    """
    averages = [report for report in reports if isinstance(report, AverageReport) and report.n]
    others = [report for report in reports if not isinstance(report, AverageReport) and report.n]
    n_plots = len(others) + bool(averages)
    if not n_plots:
        raise ArgumentError("nothing to plot: no deal was produced")
    if ax is not None:
        if n_plots > 1:
            raise ArgumentError(f"{n_plots} plots do not fit into one Axes; plot the reports separately")
        panels = np.array([ax])
    else:
        import matplotlib.pyplot as plt

        heights = [1.2 + 0.45 * len(averages)] * bool(averages) + [4] * len(others)
        size = 7, sum(heights)
        panels = plt.subplots(
            n_plots, figsize=size, height_ratios=heights, layout="constrained", squeeze=False
        )[1][:, 0]
    if averages:
        _plot_averages(averages, panels[0])
    for report, panel in zip(others, panels[bool(averages) :], strict=True):
        plot_report(report, panel)
    return panels[0] if n_plots == 1 else panels


def _plot_frequency(report: FrequencyReport, ax: Any) -> Any:
    """Plot the share of each value with its interval, and the exact shares if there are some."""
    rows, last = report.shown_rows(), len(report.counts) - 1
    labels = [report.axis.labels[k].replace(" ", "") for k in rows]
    share, low, high = (
        100 * column[rows] for column in (report.shares.share, report.shares.lo, report.shares.hi)
    )
    x = np.arange(len(rows))
    ax.bar(x, share, color=[GREY if k in (0, last) else BLUE for k in rows], width=0.85)
    if is_sample := report.coverage == "sample":
        margins = [share - low, high - share]
        ax.errorbar(x, share, margins, fmt="none", ecolor="black", elinewidth=1, capsize=2)
    if is_sample and report.exact is not None:
        ax.plot(x, 100 * report.exact[rows], "o", color=ORANGE, markersize=4, label="exact", zorder=3)
        ax.legend(frameon=False)
    step = max(1, len(labels) // 20)
    ax.set_xticks(x[::step], labels[::step])
    ax.set_xlabel(report.expression)
    ax.set_ylabel("share of deals, %")
    about = {"sample": f"{100 * report.confidence:g} % intervals", "all": "exact", "part": "no intervals"}
    return add_title(ax, f"{report.title}  ({format_count(report.n, 'deal')}, {about[report.coverage]})")


def _plot_contract(report: ContractReport, ax: Any) -> Any:
    """Plot the share of each number of tricks; those that make the contract are blue."""
    share = 100 * report.tricks / report.tricks.sum()
    occurring = np.flatnonzero(share)
    tricks = np.arange(occurring[0], occurring[-1] + 1)
    ax.bar(tricks, share[tricks], color=np.where(tricks >= report.n_tricks, BLUE, GREY), width=0.85)
    ax.set_xticks(tricks)
    ax.set_xlabel("tricks, double dummy")
    ax.set_ylabel("share of deals, %")
    made, score = report.made, report.score
    makes = format_share(made.value, made.lo, made.hi, exact=made.exact)
    mean = format_with_interval(score.value, score.lo, score.hi, sign=True)
    title = f"{report.title}: makes {makes.value} ({makes.interval}), mean score {mean}"
    return add_title(ax, f"{title}\n{format_count(report.n, 'deal')}", fontsize=10)


def _plot_cross(report: CrossReport, ax: Any) -> Any:
    """Plot a heat map of the shares of pairs of values."""
    (row_names, column_names), (rows, columns) = (axis.labels for axis in report.axes), report.shown_cells()
    share = 100 * report.counts[np.ix_(rows, columns)] / report.counts.sum()
    image = ax.imshow(share, cmap="Blues", aspect="auto")
    ax.figure.colorbar(image, ax=ax, label="share of deals, %")
    ax.set_xticks(range(len(columns)), [column_names[k] for k in columns])
    ax.set_yticks(range(len(rows)), [row_names[k] for k in rows])
    if share.size <= 150:
        for (row, column), value in np.ndenumerate(share):
            colour = "white" if value > 0.6 * share.max() else "black"
            ax.text(column, row, f"{value:.1f}", ha="center", va="center", fontsize=7, color=colour)
    ax.set_xlabel(report.expressions[1])
    ax.set_ylabel(report.expressions[0])
    ax.set_title(f"{report.title}  ({format_count(report.n, 'deal')})")
    return ax


def _plot_averages(reports: Sequence[AverageReport], ax: Any) -> Any:
    """Plot means with their intervals, one below the other."""
    y = np.arange(len(reports))[::-1]
    means = [report.mean for report in reports]
    values = np.array([mean.value for mean in means])
    margins = np.array([[mean.value - mean.lo, mean.hi - mean.value] for mean in means]).T
    ax.errorbar(values, y, xerr=np.nan_to_num(margins, posinf=0), fmt="o", color=BLUE, capsize=3)
    for point in zip(values, y, strict=True):
        ax.annotate(
            f"{point[0]:.4g}", point, textcoords="offset points", xytext=(0, 7), ha="center", fontsize=8
        )
    ax.set_yticks(y, [report.title for report in reports])
    ax.set_ylim(-0.6, len(reports) - 0.4)
    ax.margins(x=0.15)
    ax.set_xlabel("share of deals" if all(report.truth for report in reports) else "mean")
    interval = describe_interval(means[0])
    about = f"{interval}s" if "%" in interval else interval
    return add_title(ax, f"Averages  ({format_count(reports[0].n, 'deal')}, {about})")


_PLOTS: dict[type[Report], Callable[[Any, Any], Any]] = {
    AverageReport: lambda report, ax: _plot_averages([report], ax),
    ContractReport: _plot_contract,
    CrossReport: _plot_cross,
    FrequencyReport: _plot_frequency,
    TypeReport: plot_types,
}
