"""Pictures of action reports: bars with intervals, heat maps, means with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dealerkit.actions import AverageReport, ContractReport, CrossReport, FrequencyReport, Report
from dealerkit.errors import ArgumentError

BLUE, GREY, ORANGE = "#3b6ea8", "#888888", "#d9822b"


def plot_report(report: Report, ax: Any = None) -> Any:
    """Draw one report.

    Parameters
    ----------
    report : AverageReport, FrequencyReport or CrossReport
    ax : matplotlib Axes, optional
        Drawn into; by default a figure of its own.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        A report without a picture, or without any deal.
    """
    if not report.n:
        raise ArgumentError("nothing to draw: the report has seen no deal")
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(7, 4), layout="constrained")
    if isinstance(report, FrequencyReport):
        return _bars(report, ax)
    if isinstance(report, CrossReport):
        return _heat(report, ax)
    if isinstance(report, ContractReport):
        return _contract(report, ax)
    assert isinstance(report, AverageReport)
    return _means([report], ax)


def plot_reports(reports: Sequence[Report], ax: Any = None) -> Any:
    """Draw several reports: all averages in one picture, every other in its own.

    Returns
    -------
    Axes, or ndarray of Axes where there are several pictures
    """
    averages = [report for report in reports if isinstance(report, AverageReport) and report.n]
    others = [report for report in reports if not isinstance(report, AverageReport) and report.n]
    pictures: list[list[Any]] = ([averages] if averages else []) + [[report] for report in others]
    if not pictures:
        raise ArgumentError("nothing to draw: no deal was produced")
    if ax is not None:
        if len(pictures) > 1:
            raise ArgumentError(f"{len(pictures)} pictures do not fit one Axes; draw the reports one by one")
        panels = np.array([ax])
    else:
        import matplotlib.pyplot as plt

        heights = [1.2 + 0.45 * len(some) if isinstance(some[0], AverageReport) else 4 for some in pictures]
        figure, grid = plt.subplots(
            len(pictures),
            1,
            figsize=(7, sum(heights)),
            height_ratios=heights,
            layout="constrained",
            squeeze=False,
        )
        panels = grid[:, 0]
    for some, panel in zip(pictures, panels, strict=True):
        if isinstance(some[0], AverageReport):
            _means(some, panel)
        else:
            plot_report(some[0], panel)
    return panels[0] if len(panels) == 1 else panels


def _bars(report: FrequencyReport, ax: Any) -> Any:
    kept, last = report.kept(), len(report.counts) - 1
    words = report.axis.words
    labels = [words[k].replace(" ", "") for k in kept]
    share, low, high = (
        100 * column[kept] for column in (report.shares.share, report.shares.lo, report.shares.hi)
    )
    places = np.arange(len(kept))
    ends = [place for place, k in enumerate(kept) if k in (0, last)]
    bars = ax.bar(places, share, color=BLUE, width=0.85)
    for k in ends:
        bars[k].set_color(GREY)
    ax.errorbar(
        places, share, [share - low, high - share], fmt="none", ecolor="black", elinewidth=1, capsize=2
    )
    if report.exact is not None:
        ax.plot(places, 100 * report.exact[kept], "o", color=ORANGE, markersize=4, label="exact", zorder=3)
        ax.legend(frameon=False)
    step = max(1, len(labels) // 20)
    ax.set_xticks(places[::step], labels[::step])
    ax.set_xlabel(report.expression)
    ax.set_ylabel("share of deals, %")
    ax.set_title(f"{report.title}  ({report.n:,} deals, {100 * report.level:g} % intervals)")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _contract(report: ContractReport, ax: Any) -> Any:
    share = 100 * report.tricks / report.tricks.sum()
    seen = np.flatnonzero(share)
    numbers = np.arange(seen[0], seen[-1] + 1)
    colours = [BLUE if number >= report.needed else GREY for number in numbers]
    ax.bar(numbers, share[numbers], color=colours, width=0.85)
    ax.set_xticks(numbers)
    ax.set_xlabel("tricks, double dummy")
    ax.set_ylabel("share of deals, %")
    made, low, high = (100 * value for value in (report.made.value, report.made.lo, report.made.hi))
    ax.set_title(
        f"{report.title}: makes {made:.1f} % ({low:.1f} to {high:.1f}), "
        f"mean score {report.score.rounded()}\n{report.n:,} deals",
        fontsize=10,
    )
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _heat(report: CrossReport, ax: Any) -> Any:
    (names, heads), (down, over) = (axis.words for axis in report.axes), report.kept()
    share = 100 * report.counts[np.ix_(down, over)] / report.counts.sum()
    image = ax.imshow(share, cmap="Blues", aspect="auto")
    ax.figure.colorbar(image, ax=ax, label="share of deals, %")
    ax.set_xticks(range(len(over)), [heads[k] for k in over])
    ax.set_yticks(range(len(down)), [names[k] for k in down])
    if share.size <= 150:
        for (row, column), value in np.ndenumerate(share):
            colour = "white" if value > 0.6 * share.max() else "black"
            ax.text(column, row, f"{value:.1f}", ha="center", va="center", fontsize=7, color=colour)
    ax.set_xlabel(report.expressions[1])
    ax.set_ylabel(report.expressions[0])
    ax.set_title(f"{report.title}  ({report.n:,} deals)")
    return ax


def _means(reports: Sequence[AverageReport], ax: Any) -> Any:
    places = np.arange(len(reports))[::-1]
    means = [report.mean for report in reports]
    values = np.array([mean.value for mean in means])
    reach = np.array([[mean.value - mean.lo, mean.hi - mean.value] for mean in means]).T
    ax.errorbar(values, places, xerr=np.nan_to_num(reach, posinf=0), fmt="o", color=BLUE, capsize=3)
    for place, value in zip(places, values, strict=True):
        ax.annotate(
            f"{value:.4g}", (value, place), textcoords="offset points", xytext=(0, 7), ha="center", fontsize=8
        )
    ax.set_yticks(places, [report.title for report in reports])
    ax.set_ylim(-0.6, len(reports) - 0.4)
    ax.margins(x=0.15)
    ax.set_xlabel("share of deals" if all(report.truth for report in reports) else "mean")
    ax.set_title(f"Averages  ({reports[0].n:,} deals, {100 * means[0].level:g} % intervals)")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
