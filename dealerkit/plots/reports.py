"""Plots of action reports: means among the values, tricks of contracts; several reports in one figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from dealerkit.actions import (
    AverageReport,
    ContractReport,
    CrossReport,
    FrequencyReport,
    Report,
    TypeReport,
)
from dealerkit.actions.heat_map import join_table
from dealerkit.actions.text_modern import describe_interval
from dealerkit.appearance.numbers import format_count, format_estimate, format_number, format_share
from dealerkit.charts.panels import Frame, draw_whisker, format_ticks, name_rows
from dealerkit.charts.style import get_color, get_share, use_style
from dealerkit.charts.svg import create_figure
from dealerkit.errors import ArgumentError
from dealerkit.plots.hand_types import find_types_height, plot_types
from dealerkit.plots.tables import find_cross_height, plot_cross, plot_frequency
from dealerkit.statistics import proportion

WIDTH, HEIGHT, ROW = 6.4, 4.0, 0.5  # inches: of a plot, and of a row of means
Plot = TypeVar("Plot", bound=Callable)
_PLOTS: dict[type[Report], tuple[Callable[[Any, Any], Any], Callable[[Any], float]]] = {}  # and their heights


def draws(
    report_class: type[Report], find_height: Callable[[Any], float] = lambda report: HEIGHT
) -> Callable[[Plot], Plot]:
    """Register a function as the plot of a class of reports, with the height for a report in inches."""

    def register(plot: Plot) -> Plot:
        _PLOTS[report_class] = plot, find_height
        return plot

    return register


def has_plot(report: Report) -> bool:
    """Return whether reports of this class have a plot."""
    return type(report) in _PLOTS


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
        Title, caption and panels lie inside it; the panels are its `child_axes`.

    Raises
    ------
    ArgumentError
        The report is about no deal, or of a type without a plot.
    """
    if not has_plot(report):
        raise ArgumentError(f"nothing to plot: a {type(report).__name__} has no plot")
    if not report.n:
        raise ArgumentError("nothing to plot: the report is about no deal")
    return _PLOTS[type(report)][0](report, ax)


def plot_reports(reports: Sequence[Report], ax: Any = None) -> Any:
    """Plot several reports: all averages in one plot, each other report in its own.

    Parameters
    ----------
    reports : sequence of Report
    ax : matplotlib Axes, sequence of Axes or Figure, optional
        One Axes for each plot, or a figure that gets them; by default a new figure.

    Returns
    -------
    matplotlib Axes, or ndarray of Axes for several plots

    Raises
    ------
    ArgumentError
        All reports are about no deal, or there are not as many Axes as plots.
    """
    averages = [report for report in reports if isinstance(report, AverageReport) and report.n]
    others = [report for report in reports if not isinstance(report, AverageReport) and report.n]
    n_plots = len(others) + bool(averages)
    if not n_plots:
        raise ArgumentError("nothing to plot: no deal was produced")
    heights = [find_height(len(averages))] * bool(averages) + [
        _PLOTS[type(report)][1](report) for report in others
    ]
    places = _create_places(ax, heights)
    if len(places) != n_plots:
        raise ArgumentError(
            f"{n_plots} plots do not fit into {len(places)} Axes; give as many Axes, a figure, or plot the "
            "reports separately"
        )
    drawn = [plot_averages(averages, places[0])] if averages else []
    drawn += [
        plot_report(report, place) for report, place in zip(others, places[bool(averages) :], strict=True)
    ]
    return drawn[0] if n_plots == 1 else np.array(drawn, dtype=object)


def find_height(n_rows: int) -> float:
    """Return the height of a plot of means in inches."""
    return 1.5 + ROW * n_rows


def _create_places(ax: Any, heights: Sequence[float]) -> list[Any]:
    """Return the Axes for plots of these heights: the given ones, or parts of a figure below each other."""
    if ax is not None and not hasattr(ax, "add_axes"):
        return list(ax) if isinstance(ax, Sequence | np.ndarray) else [ax]
    figure = create_figure(WIDTH, sum(heights)) if ax is None else ax
    ends = 1 - np.cumsum([0.0, *heights]) / sum(heights)
    return [figure.add_axes((0, low, 1, high - low)) for high, low in zip(ends[:-1], ends[1:], strict=True)]


def plot_averages(reports: Sequence[AverageReport], ax: Any = None) -> Any:
    """Plot means with their intervals, each among the values of the deals, and shares from 0 to 100 %.

    Parameters
    ----------
    reports : sequence of AverageReport
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
    """
    with use_style(ax):
        frame = Frame(ax, WIDTH, find_height(len(reports)))
        intervals = list(dict.fromkeys(describe_interval(report.mean) for report in reports))
        counts = sorted({report.n for report in reports})
        deals = (
            format_count(counts[0], "deal") if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,} deals"
        )
        title = "Averages" if len(reports) > 1 else f"Average of {reports[0].title}"
        frame.write(
            title,
            "Each on its own axis, from the smallest to the largest value; shares from 0 to 100 %",
            f"{deals}; whisker: {' or '.join(intervals)}, narrower than the dot where none shows. "
            "Band: mean ± one standard deviation.",
        )
        names = [_shorten(report.title) for report in reports]
        texts = [_format_mean(report) for report in reports]
        left = min(0.25 + frame.measure(names), 0.4 * frame.width)
        (panel,) = frame.add_panels(left=left, right=0.3 + frame.measure(texts), top=0.1, bottom=0.15)
        name_rows(panel, names)
        panel.set_xlim(0, 1)
        panel.set_xticks([])
        panel.spines["bottom"].set_visible(False)
        for row, (report, text) in enumerate(zip(reports, texts, strict=True)):
            _draw_mean(panel, report, len(reports) - 1 - row, text)
        return frame.ax


def _shorten(name: str, most: int = 34) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _format_mean(report: AverageReport) -> str:
    mean = report.mean
    if report.truth:
        text = format_share(mean.value, mean.lo, mean.hi, exact=mean.exact)
    else:
        text = format_estimate(mean.value, mean.lo, mean.hi)
    return f"{text.value} {text.margin}".strip()


def _draw_mean(panel: Any, report: AverageReport, y: int, text: str) -> None:
    """Draw a mean at a height: the line of its values, the band of their deviation, dot and whisker."""
    mean, quiet = report.mean, get_color("quiet")
    low, high = (0.0, 1.0) if report.truth else (float(report.minimum or 0), float(report.maximum or 0))
    reach = high - low or 1.0

    def place(value: float) -> float:
        return min(max((value - low) / reach, 0.0), 1.0)

    panel.plot([0, 1], [y, y], color=get_color("rule"), linewidth=0.8, zorder=1)
    if not report.truth and np.isfinite(report.sd):
        left, right = place(mean.value - report.sd), place(mean.value + report.sd)
        panel.barh(y, right - left, 0.36, left, color=get_color("data"), alpha=get_share("bar"), zorder=0)
    ends = (mean.lo, mean.hi) if np.isfinite(mean.hi - mean.lo) else (mean.value, mean.value)
    draw_whisker(panel, place(mean.value), place(ends[0]), place(ends[1]), y)
    names = ("0", "100 %") if report.truth else (format_number(low), format_number(high))
    for x, name, side in ((0, names[0], "left"), (1, names[1], "right")):
        panel.annotate(
            name, (x, y), (0, -9), textcoords="offset points", ha=side, va="top", size=7.5, color=quiet,
            annotation_clip=False,
        )  # fmt: skip
    panel.annotate(
        text, (1, y), (8, 0), textcoords="offset points", va="center_baseline", size=9, annotation_clip=False,
        color=get_color("text"),
    )  # fmt: skip


@draws(ContractReport)
def plot_contract(report: ContractReport, ax: Any = None) -> Any:
    """Plot the share of each number of tricks with its interval; made ones are filled."""
    with use_style(ax):
        frame = Frame(ax, WIDTH, HEIGHT)
        made, score = report.made, report.score
        rate = format_share(made.value, made.lo, made.hi, exact=made.exact)
        points = format_estimate(score.value, score.lo, score.hi, sign=True)
        frame.write(
            report.title,
            f"Makes {rate.value} ({rate.interval}), mean score {points.value} ({points.interval})",
            f"{format_count(report.n, 'deal')}, double dummy. Filled: the contract is made. "
            f"Whiskers: {100 * made.confidence:g} % intervals of each number of tricks.",
        )
        (panel,) = frame.add_panels(left=0.65, bottom=0.5)
        total = report.tricks.sum()
        occurring = np.flatnonzero(report.tricks)
        tricks = np.arange(occurring[0], occurring[-1] + 1)
        share = 100 * report.tricks[tricks] / total
        data, rule = get_color("data"), get_color("rule")
        for number, height in zip(tricks, share, strict=True):
            is_made = number >= report.n_tricks
            style = {"color": data, "alpha": 0.6} if is_made else {"facecolor": "none", "edgecolor": rule}
            panel.bar(number, height, 0.8, linewidth=0 if is_made else 1, **style)
        if not made.exact:
            for number in tricks:
                own = proportion(
                    round(float(report.tricks[number] / total * report.n)), report.n, made.confidence
                )
                panel.plot([number] * 2, [100 * own.lo, 100 * own.hi], color=get_color("text"), linewidth=1.1)
        panel.set_xticks(tricks)
        panel.set_xlabel("tricks")
        format_ticks(panel.yaxis, unit=" %")
        panel.set_ylim(bottom=0)
        panel.grid(axis="y")
        panel.spines["left"].set_visible(False)
        return frame.ax


draws(AverageReport)(lambda report, ax: plot_averages([report], ax))
draws(FrequencyReport)(plot_frequency)
draws(CrossReport, lambda report: find_cross_height(len(join_table(report)[1])))(plot_cross)
draws(TypeReport, find_types_height)(plot_types)
