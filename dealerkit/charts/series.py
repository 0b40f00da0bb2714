"""Plot of numbers of the user's own: series against a scale, in the layout and style of all plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.appearance.content import Place
from dealerkit.charts.panels import Frame, label_lines, label_series, mark_series, open_frame
from dealerkit.charts.style import N_SERIES, get_color
from dealerkit.errors import ArgumentError

TOP = 0.05  # of an axis from 0: room above the highest value or end of an interval
SHIFT = 0.12  # of neighbouring series with intervals, in steps of the scale


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
    figsize: tuple[float, float] | None = None,
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
        Axes of the plot; by default of a new figure.
    figsize : (float, float), optional
        Width and height of a new figure in inches.

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
    with open_frame(Place.of(ax, figsize), height=4.2) as frame:
        frame.write(title, subtitle, caption)
        span = np.ptp(np.concatenate([values[:, 0] for _, values in tables])) or 1.0
        with_intervals = sum(bool((values[:, 2] > values[:, 1]).any()) for _, values in tables)
        is_direct = joined and not with_intervals and len(names) > 1
        is_direct = is_direct and _are_apart([values[-1, 0] for _, values in tables], span)
        (panel,) = frame.add_panels(lines=True)
        drawn: list[np.ndarray] = []
        for number, (places, values) in enumerate(tables):
            shift = SHIFT * (number - (len(tables) - 1) / 2) if with_intervals > 1 else 0.0
            drawn.append(places + shift)
            _draw(panel, number, drawn[-1], values, joined)
        if reference is not None:
            panel.axhline(
                (100 if percent else 1) * reference, color=get_color("rule"), linewidth=0.9,
                linestyle=(0, (4, 3)), zorder=1,
            )  # fmt: skip
        _set_axes(frame, panel, np.concatenate(drawn), percent)
        panel.set_xlabel(x)
        if is_direct:
            ends = [
                (float(values[-1, 0]), float(places[-1]), name)
                for name, (places, values) in zip(names, tables, strict=True)
            ]
            label_lines(frame, panel, ends)
        elif len(names) > 1:
            label_series(panel, names)
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


def _draw(panel: Any, number: int, places: np.ndarray, values: np.ndarray, joined: bool) -> None:
    """Draw a series: whiskers and marks, or marks on a line."""
    middle, lo, hi = values.T
    has_intervals = bool((hi > lo).any())
    style = mark_series(number)
    if has_intervals:
        panel.vlines(places, lo, hi, color=style["color"], linewidth=1.4, zorder=3)
    line = "-" if joined and not has_intervals else ""
    panel.plot(places, middle, linestyle=line, linewidth=1.2, zorder=4, clip_on=False, **style)


def _set_axes(frame: Frame, panel: Any, places: np.ndarray, percent: bool) -> None:
    """Set ticks and grid."""
    frame.number(panel.yaxis, unit=" %" if percent else "")
    if percent:  # room above the highest interval as a part of the whole axis, not of the range of the values
        panel.set_ylim(0, panel.dataLim.y1 * (1 + TOP) or 1)
    frame.number(panel.xaxis, integer=True)
    margin = 0.03 * max(float(np.ptp(places)), 1.0)
    panel.set_xlim(places.min() - margin, places.max() + margin)
