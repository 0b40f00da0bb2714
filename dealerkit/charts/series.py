"""A plot of the user's own numbers as series, in the layout and style of all plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.appearance.content import Place
from dealerkit.charts.panels import Frame, label_lines, label_series, mark_series, open_frame
from dealerkit.charts.style import N_SERIES, get_color
from dealerkit.errors import ArgumentError, quote

TOP = 0.05  # room above the highest value or interval, as part of an axis from 0
SHIFT = 0.12  # distance between neighbouring series with intervals, in units of the horizontal scale


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
    """Plot up to four series of numbers, with their intervals if they have some.

    Parameters
    ----------
    series : dict of str to Series, DataFrame or dict
        The numbers of each series, indexed by their position on the horizontal scale; of a DataFrame, the
        columns value, lo and hi are used.
    title : str
        The title of the plot.
    x : str
        The name of the horizontal scale.
    subtitle, caption : str, optional
        Texts below the title, such as the measure and its unit, and below the plot, such as the number of
        deals and the method.
    percent : bool, optional
        Whether the numbers are shares from 0 to 1, which are shown in per cent.
    joined : bool, optional
        Whether a line joins the numbers of a series without intervals.
    reference : float, optional
        The height of a dashed line, in the unit of the numbers.
    ax : matplotlib Axes, optional
        The Axes to draw into; by default those of a new figure.
    figsize : (float, float), optional
        Width and height of a new figure in inches.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        There are no series or more than four, a series is empty, or both `ax` and `figsize` are given.

    Examples
    --------
    >>> ax = plot_series({"drop": {2: 0.53, 3: 0.5}, "finesse": {2: 0.5, 3: 0.55}}, "Two plays",
    ...                  x="hearts of west", percent=True)
    """
    if not 0 < len(series) <= N_SERIES:
        raise ArgumentError(f"{len(series)} series cannot be plotted; give 1 to {N_SERIES}")
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
    """Return positions, float64 [n], and the value and ends of the interval at each, float64 [n, 3]."""
    if hasattr(table, "columns"):
        places, values = table.index.to_numpy(float), table[["value", "lo", "hi"]].to_numpy(float)
    else:
        pairs = list(table.items())
        places, single = (np.array([pair[k] for pair in pairs], float) for k in (0, 1))
        values = np.repeat(single[:, None], 3, axis=1)
    if not len(places):
        raise ArgumentError(f"the series {quote(name)} has no numbers; leave it out")
    order = np.argsort(places, kind="stable")
    return places[order], scale * values[order]


def _are_apart(heights: Sequence[float], span: float) -> bool:
    """Return whether there would be room between names at the ends of lines."""
    return bool((np.diff(np.sort(heights)) > 0.06 * span).all())


def _draw(panel: Any, number: int, places: np.ndarray, values: np.ndarray, joined: bool) -> None:
    """Draw a series as marks with intervals, or as marks on a line."""
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
    if percent:  # from 0, with room above the highest interval
        panel.set_ylim(0, panel.dataLim.y1 * (1 + TOP) or 1)
    frame.number(panel.xaxis, integer=True)
    margin = 0.03 * max(float(np.ptp(places)), 1.0)
    panel.set_xlim(places.min() - margin, places.max() + margin)
