"""Plot of hand types: their shares among the produced deals, and their natural shares."""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.actions import TypeReport
from dealerkit.appearance.numbers import choose_share_decimals, format_count, format_share
from dealerkit.charts.panels import Frame, format_ticks, name_rows
from dealerkit.charts.style import get_color, get_share, use_style


def find_types_height(report: TypeReport) -> float:
    """Return the height of the plot in inches."""
    return 1.7 + (0.5 if report.natural is not None else 0.36) * len(report.names)


def plot_types(report: TypeReport, ax: Any = None) -> Any:
    """Plot the share of each hand type; under `level` also its natural share, with its interval.

    Parameters
    ----------
    report : TypeReport
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    with use_style(ax):
        frame = Frame(ax, 6.4, find_types_height(report))
        n_types, is_levelled = len(report.names), report.natural is not None
        estimates = report.natural or report.shares
        has_intervals = not all(estimate.exact for estimate in estimates)
        parts = [format_count(report.n, "deal")]
        parts += [f"{100 * report.confidence:g} % intervals"] if has_intervals else []
        parts += ["filled: as dealt by level; open: natural shares among all deals"] if is_levelled else []
        frame.write(f"Deals by {report.title}", "share of deals", "; ".join(parts) + ".")
        left = min(0.25 + frame.measure(report.names), 0.4 * frame.width)
        (panel,) = frame.add_panels(left=left, right=0.75)
        y, data, rule = np.arange(n_types)[::-1], get_color("data"), get_color("rule")
        height = 0.36 if is_levelled else 0.6
        share = np.array([100 * estimate.value for estimate in report.shares])
        panel.barh(y + (height / 2 if is_levelled else 0), share, height, color=data, alpha=get_share("bar"))
        middle = y - height / 2 if is_levelled else y
        if is_levelled:
            natural = [100 * item.value for item in estimates]
            panel.barh(middle, natural, height, facecolor="none", edgecolor=rule, linewidth=1)
        estimated = [item for item in estimates if not item.exact]
        decimals = choose_share_decimals([item.lo for item in estimated], [item.hi for item in estimated])
        for item, row in zip(estimates, middle, strict=True):
            if not item.exact:
                panel.plot([100 * item.lo, 100 * item.hi], [row, row], color=get_color("text"), linewidth=1.4)
            text = format_share(item.value, item.lo, item.hi, decimals, exact=item.exact).value
            panel.annotate(
                text, (100 * max(item.value, item.hi), row), (5, 0), textcoords="offset points",
                va="center_baseline", size=8.5, color=get_color("text"), annotation_clip=False,
            )  # fmt: skip
        name_rows(panel, report.names)
        frame.scale(panel, 0, max([*share, *(100 * item.hi for item in estimates)]))
        format_ticks(panel.xaxis, unit=" %")
        return frame.ax
