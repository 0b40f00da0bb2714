"""Plot of tricks over layouts: mean by strain with interval and standard deviation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import ROW, Frame, draw_whisker, name_rows
from dealerkit.charts.style import get_color, use_style

if TYPE_CHECKING:
    from dealerkit.studies.standard_tables.layouts import Layouts


def plot_layouts(found: Layouts, ax: Any = None) -> Any:
    """Plot mean tricks by strain with intervals, and a band of the standard deviation over layouts.

    Parameters
    ----------
    found : Layouts
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    table = found.frame
    with use_style(ax):
        frame = Frame(ax, 6.4, ROW * len(table) + 1.9)
        notes = " ".join(found._notes())
        frame.write(
            shorten(found.title, 60),
            "Mean tricks of the side, by strain",
            f"{notes} Dots with whiskers: means with intervals; bands: mean ± standard deviation.",
        )
        names = [str(strain) for strain in table.index]
        (panel,) = frame.add_panels(left=0.25 + frame.measure(names), right=0.3)
        for y, row in zip(range(len(table))[::-1], table.itertuples(), strict=True):
            panel.plot([0, 13], [y, y], color=get_color("line"), linewidth=0.8, zorder=1)
            if row.sd > 0:
                panel.fill_between(
                    [max(row.value - row.sd, 0), min(row.value + row.sd, 13)], y - 0.25, y + 0.25,
                    color=get_color("data"), alpha=0.2, linewidth=0, zorder=2,
                )  # fmt: skip
            draw_whisker(panel, row.value, row.lo, row.hi, y)
        name_rows(panel, names)
        panel.set_xticks(range(14))
        panel.set_xlim(-0.2, 13.2)
        panel.spines["bottom"].set_bounds(0, 13)
        return frame.ax
