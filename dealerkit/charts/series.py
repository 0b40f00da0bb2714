"""Plot of numbers of the user's own: series against a scale, in the layout and style of all plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.charts.panels import Frame, format_ticks, label_lines, open_frame
from dealerkit.charts.style import N_SERIES, get_color, list_series
from dealerkit.errors import ArgumentError

SHIFT = 0.12  # of neighbouring series with intervals, in steps of the scale
LEGEND = 0.2  # height of a row in inches


def plot_series(
    series: Mapping[str, Any],
    title: str,
    *,
    x: str,
    subtitle: str = "",
    caption: str = "",
    percent: bool = False,
    joined: bool = True,
    reference: float | None = None,
    ax: Any = None,
) -> Any:
    """Plot at most four series of numbers, with intervals where they have some.

    Parameters
    ----------
    series : dict of str to Series, DataFrame or dict
        Numbers by their place on the scale; of a DataFrame the columns value, lo and hi.
    title : str
    x : str
        What the scale is.
    subtitle, caption : str, optional
        Measure and unit; number of deals, intervals and method.
    percent : bool, optional
        The numbers are shares, and shown from 0 to 100 %.
    joined : bool, optional
        Join the numbers of a series by a line, where they have no intervals.
    reference : float, optional
        Height of a dashed line.
    ax : matplotlib Axes, optional
        Axes in which the panel lies, as its ``child_axes``; by default of a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        No series, or more than four; a series without a number.

    Examples
    --------
    >>> ax = plot_series({"drop": {2: 0.53, 3: 0.5}, "finesse": {2: 0.5, 3: 0.55}}, "Two plays",
    ...                  x="hearts of west", percent=True)
    """
    if not 0 < len(series) <= N_SERIES:
        raise ArgumentError(f"{len(series)} series; a plot takes 1 to {N_SERIES}")
    tables = [_read(name, table, 100 if percent else 1) for name, table in series.items()]
    names = list(series)
    with open_frame(ax, 6.4, 4.2) as frame:
        frame.write(title, subtitle, caption)
        span = np.ptp(np.concatenate([values[:, 0] for _, values in tables])) or 1.0
        with_intervals = sum(bool((values[:, 2] > values[:, 1]).any()) for _, values in tables)
        is_direct = joined and not with_intervals and len(names) > 1
        is_direct = is_direct and _are_apart([values[-1, 0] for _, values in tables], span)
        rows = len(names) if len(names) > 1 and not is_direct else 0
        right = 0.3 + (frame.measure(names) if is_direct else 0)
        (panel,) = frame.add_panels(left=0.6, right=right, top=0.2 + LEGEND * rows, bottom=0.5, lines=True)
        for number, (places, values) in enumerate(tables):
            shift = SHIFT * (number - (len(tables) - 1) / 2) if with_intervals > 1 else 0.0
            _draw(panel, number, places + shift, values, joined)
        if reference is not None:
            panel.axhline(
                (100 if percent else 1) * reference, color=get_color("rule"), linewidth=0.9,
                linestyle=(0, (4, 3)), zorder=1,
            )  # fmt: skip
        _set_axes(frame, panel, np.concatenate([places for places, _ in tables]), percent)
        panel.set_xlabel(x)
        if is_direct:
            ends = [
                (float(values[-1, 0]), float(places[-1]), name)
                for name, (places, values) in zip(names, tables, strict=True)
            ]
            label_lines(frame, panel, ends)
        elif rows:
            _draw_legend(frame, panel, names)
        return frame.ax


def _read(name: str, table: Any, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the places, and value and ends of the interval at each: float64 [n], float64 [n, 3]."""
    if hasattr(table, "columns"):
        places, values = table.index.to_numpy(float), table[["value", "lo", "hi"]].to_numpy(float)
    else:
        pairs = list(table.items())
        places, single = (np.array([pair[k] for pair in pairs], float) for k in (0, 1))
        values = np.repeat(single[:, None], 3, axis=1)
    if not len(places):
        raise ArgumentError(f"the series {name!r:.60} has no number")
    order = np.argsort(places, kind="stable")
    return places[order], scale * values[order]


def _are_apart(heights: Sequence[float], span: float) -> bool:
    """Return whether names beside the ends of lines would stand apart."""
    return bool((np.diff(np.sort(heights)) > 0.06 * span).all())


def _mark(number: int) -> dict[str, Any]:
    """Return how the marks of a series look; all but dots are open."""
    colour, marker = list_series()[number]
    face = colour if marker == "o" else get_color("ground")
    return {"color": colour, "marker": marker, "markersize": 4.5, "markerfacecolor": face}


def _draw(panel: Any, number: int, places: np.ndarray, values: np.ndarray, joined: bool) -> None:
    """Draw a series: whiskers and marks, or marks on a line."""
    middle, lo, hi = values.T
    has_intervals = bool((hi > lo).any())
    style = _mark(number)
    if has_intervals:
        panel.vlines(places, lo, hi, color=style["color"], linewidth=1.4, zorder=3)
    line = "-" if joined and not has_intervals else ""
    panel.plot(places, middle, linestyle=line, linewidth=1.2, zorder=4, clip_on=False, **style)


def _set_axes(frame: Frame, panel: Any, places: np.ndarray, percent: bool) -> None:
    """Set ticks and grid."""
    from matplotlib.ticker import MaxNLocator

    if percent:
        format_ticks(panel.yaxis, unit=" %")
        panel.set_ylim(bottom=0)
    count = max(2, int(frame.get_width(panel) / 0.4))
    panel.xaxis.set_major_locator(MaxNLocator(count, integer=True, steps=[1, 2, 5, 10]))
    margin = 0.03 * max(float(np.ptp(places)), 1.0)
    panel.set_xlim(places.min() - margin, places.max() + margin)


def _draw_legend(frame: Frame, panel: Any, names: Sequence[str]) -> None:
    """Write the names with their marks above the panel, the first one at the top."""
    from matplotlib.transforms import offset_copy

    for number, name in enumerate(names):
        height = (len(names) - number - 0.3) * LEGEND * 72
        at = {"xycoords": "axes fraction", "textcoords": "offset points", "annotation_clip": False}
        panel.annotate(name, (0, 1), (14, height), va="center", color=get_color("text"), **at)
        place = offset_copy(panel.transAxes, panel.figure, x=5, y=height, units="points")
        panel.plot(0, 1, transform=place, linestyle="", clip_on=False, **_mark(number))
