"""Plot of hand types: their shares among the produced deals, and their natural shares."""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.actions import TypeReport
from dealerkit.appearance.numbers import choose_share_decimals, format_count, format_share
from dealerkit.plots import BLUE, GREY, add_title, create_axes


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
    n_types = len(report.names)
    is_levelled = report.natural is not None
    ax = create_axes(ax, 7, 1.4 + (0.6 if is_levelled else 0.4) * n_types)
    y = np.arange(n_types)[::-1]
    height = 0.38 if is_levelled else 0.7
    share = np.array([100 * estimate.value for estimate in report.shares])
    label = "levelled" if is_levelled else None
    ax.barh(y + (height / 2 if is_levelled else 0), share, height, color=BLUE, label=label)
    estimates = report.natural or report.shares
    values = np.array([100 * estimate.value for estimate in estimates])
    margins = 100 * np.array([[item.value - item.lo, item.hi - item.value] for item in estimates]).T
    middle = y - height / 2 if is_levelled else y
    if is_levelled:
        ax.barh(middle, values, height, color=GREY, label="natural")
        estimated = [item for item in estimates if not item.exact]
        decimals = choose_share_decimals([item.lo for item in estimated], [item.hi for item in estimated])
        for item, end, row in zip(estimates, values + margins[1], middle, strict=True):
            text = format_share(item.value, item.lo, item.hi, decimals, exact=item.exact).value
            ax.annotate(text, (end, row), textcoords="offset points", xytext=(4, 0), va="center", fontsize=8)
        ax.legend(frameon=False, loc="best")
    ax.errorbar(values, middle, xerr=margins, fmt="none", ecolor="black", elinewidth=1, capsize=2)
    ax.set_yticks(y, report.names)
    ax.set_ylim(-0.7, n_types - 0.3)
    ax.margins(x=0.12)
    ax.set_xlabel("share of deals, %")
    about = (
        "" if all(estimate.exact for estimate in estimates) else f", {100 * report.confidence:g} % intervals"
    )
    return add_title(ax, f"Deals by {report.title}  ({format_count(report.n, 'deal')}{about})")
