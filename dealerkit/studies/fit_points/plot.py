"""Plot of fitted points of cards and shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dealerkit.appearance.numbers import choose_decimals, format_number
from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import ROW, Frame, draw_whisker, label_end, name_rows
from dealerkit.charts.style import get_color, use_style

if TYPE_CHECKING:
    from dealerkit.studies.fit_points.result import FittedPoints

NAME_LENGTH = 28


def plot_fitted_points(fitted: FittedPoints, ax: Any = None) -> Any:
    """Plot the points of each predictor with their intervals.

    A grey dot is a value that defines the scale. All texts lie inside the Axes.

    Parameters
    ----------
    fitted : FittedPoints
    ax : matplotlib Axes, optional
        Axes in which the panel lies, as its ``child_axes``; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    table = fitted.frame
    names = [shorten(str(name), NAME_LENGTH) for name in table.index]
    with use_style(ax):
        frame = Frame(ax, 6.4, ROW * len(names) + 1.95)
        caption = [
            f"{fitted.sides:,} sides of {fitted.deals:,} deals, double dummy; "
            f"{100 * fitted.confidence:g} % intervals, narrower than the dot where none shows."
        ]
        if (table.se == 0).any():
            caption.append("Grey: the value that defines the scale.")
        point = fitted.per_point
        if not point.exact:
            decimals = choose_decimals(point.value, point.lo, point.hi)
            unit = "tricks" if fitted.target == "tricks" else "of the target"
            caption.append(f"A point is worth {format_number(point.value, decimals)} {unit}.")
        scale = fitted.scale[0].upper() + fitted.scale[1:]
        frame.write(fitted.title, f"{scale}; R² {fitted.R2:.3f}", " ".join(caption))
        (panel,) = frame.add_panels(left=0.2 + frame.measure(names), right=0.6, top=0.15)
        # Every value has the digits of the one that is known best.
        decimals = max(
            (choose_decimals(row.points, row.lo, row.hi) for row in table.itertuples() if row.se), default=2
        )
        for y, row in zip(range(len(table))[::-1], table.itertuples(), strict=True):
            panel.plot([0, row.points], [y, y], color=get_color("line"), linewidth=1, zorder=1)
            draw_whisker(
                panel,
                row.points,
                row.lo,
                row.hi,
                y,
                get_color("text") if row.se else get_color("rule"),
                clip_on=False,
            )
            number = format_number(row.points, decimals if row.se else None)
            label_end(panel, number, max(row.hi, 0), y, 1)  # names are at the left
        panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
        name_rows(panel, names)
        frame.scale(panel, min(0.0, table.lo.min()), max(0.0, table.hi.max()))
        return frame.ax
