"""Plots of a comparison of evaluators: values with differences from the first, all pairs, and classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.numbers import format_count, format_estimate, format_level, format_number
from dealerkit.appearance.wording import shorten
from dealerkit.arguments import check_name
from dealerkit.charts.panels import ROW, WIDTH, Frame, draw_whisker, label_end, label_series, open_frame
from dealerkit.charts.style import N_SERIES, get_color, list_series
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.scoring import TOO_CLOSE

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.studies.comparison.decision_result import Decision
    from dealerkit.studies.comparison.tables import TrialTables


SHOWN = ("values", "pairs", "best", "gains", "classes", "calibration", "residuals", "decision")
NAME_LENGTH = 28
SHIFT = 0.14  # vertical shift of neighbouring evaluators in classes
SPACIOUS = 10  # up to this number of evaluators, the cells of a matrix have room for words
STRONGEST = 0.5  # tint of the largest difference


def plot_trial(trial: TrialTables, ax: Any = None, show: str = "values", **options: Any) -> Any:
    """Plot a comparison in one of the ways that `Trial.plot` describes.

    Parameters
    ----------
    trial : TrialTables
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.
    show : str
    **options
        Options of the plots of predictions and of the decision.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        `show` is unknown or is about something that was not computed; or the plot does not have the option.
    """
    plots = {"values": plot_values, "pairs": plot_pairs, "best": plot_best, "gains": plot_gains}
    show = check_name("show", show, SHOWN)
    if show in plots:
        if options:
            raise ArgumentError(f"{next(iter(options))}= is not an argument of a plot of {show}; remove it")
        return plots[show](trial, ax)
    if show == "classes":
        return plot_classes(trial, ax, **options)
    if show == "decision":
        return _require_decision(trial).plot(ax, **options)
    assert trial.predictions is not None
    return trial.predictions.plot(ax, show, **options)


def plot_values(trial: TrialTables, ax: Any = None) -> Any:
    """Plot R2 of each evaluator with its interval, the best first, and its difference from the first.

    Grey differences are too close to call: their interval contains 0.

    Parameters
    ----------
    trial : TrialTables
    ax : matplotlib Axes, optional
        By default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    names = trial.frame.index
    level = f"{format_level(trial.confidence)} intervals; no line: the interval is smaller than the dot"
    notes = [_count_sides(trial), level]
    if len(names) > 1:
        notes.append(f"intervals of differences are simultaneous; grey: {TOO_CLOSE}")
    if trial.unselected is not None:
        notes.append("open dots: all sides, without the selection")
    return _draw_values(
        ax,
        trial.frame[["R2", "lo", "hi"]],
        trial.differences[["R2", "lo", "hi"]],
        (
            f"R² of {len(names)} evaluators" if len(names) > 1 else f"R² of {names[0]}",
            f"{trial.title}: share of the variance that a straight line explains",
            f"{'; '.join(notes)}.",
        ),
        "R²",
        None if trial.unselected is None else trial.frame.R2_all,
    )


def plot_gains(trial: TrialTables, ax: Any = None) -> Any:
    """Plot what each evaluator gains as a guide to the decision, and its difference from the first.

    Parameters
    ----------
    trial : TrialTables
        With a decision.
    ax : matplotlib Axes, optional
        By default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    decision = _require_decision(trial)
    ends = (decision.foresight.value, decision.foresight.lo, decision.foresight.hi)
    perfect = format_estimate(*(decision.scale * end for end in ends)).value
    notes = (
        f"{_count_sides(trial)}; {format_level(trial.confidence)} intervals, simultaneous for differences; "
        f"grey: {TOO_CLOSE}. Each threshold is chosen on deals other than those it is tested on. Perfect "
        f"foresight gains {perfect}."
    )
    return _draw_values(
        ax,
        decision.scale * decision.frame[["gain", "lo", "hi"]],
        decision.scale * decision.differences[["gain", "lo", "hi"]],
        (
            f"{shorten(decision.title, 50)}: gain",
            f"{decision.unit} a side over always {decision.always}, {_lower(trial.title)}",
            notes,
        ),
        f"gain, {decision.unit}",
    )


def _require_decision(trial: TrialTables) -> Decision:
    if trial.decision is None:
        raise ArgumentError(
            "there is no decision to plot; give one, as in ", Parameter("decision=", ("4M", "3M"))
        )
    return trial.decision


def _draw_values(
    ax: Any,
    values: pd.DataFrame,
    differences: pd.DataFrame,
    texts: tuple[str, str, str],
    heading: str,
    unselected: pd.Series | None = None,
) -> Any:
    """Draw values, and differences from the first; each is a frame of value, lower and upper end."""
    columns = ["value", "lo", "hi"]
    first = str(values.index[0])
    values, differences = values.set_axis(columns, axis=1), differences.set_axis(columns, axis=1)
    values = values.sort_values("value", ascending=False)
    names = [str(name) for name in values.index]
    with open_frame(ax, height=ROW * len(names) + 1.95) as frame:
        frame.write(*texts)
        panels = frame.add_panels((1, 1.1) if len(names) > 1 else (1,))
        # Values, the best first; an open dot shows the value without selection
        frame.head(panels[0], heading)
        ends = values[["lo", "hi"]] if unselected is None else values[["lo", "hi"]].assign(all=unselected)
        for y, row in enumerate(values.itertuples()):
            end = row.hi
            if unselected is not None:
                value = float(unselected[row.Index])
                panels[0].plot(
                    value,
                    y,
                    "o",
                    color=get_color("quiet"),
                    markerfacecolor=get_color("ground"),
                    markersize=5,
                    zorder=2,
                )
                end = max(end, value)
            colour = get_color("rule") if row.Index == first and len(names) > 1 else get_color("text")
            draw_whisker(panels[0], row.value, row.lo, row.hi, y, colour)
            label_end(panels[0], format_estimate(row.value, row.lo, row.hi).value, end, y, 1)
        frame.name_rows(panels[0], names)
        frame.scale(panels[0].xaxis, float(ends.min().min()), float(ends.max().max()))
        # Differences from the first
        if len(names) > 1:
            frame.head(panels[1], f"minus that of {shorten(first, NAME_LENGTH)}")
            _draw_differences(frame, panels[1], differences, names)
        return frame.ax


def _draw_differences(frame: Frame, panel: Any, differences: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw the rows of a panel of differences; a name without a row is the reference."""
    for y, name in enumerate(names):
        if name not in differences.index:
            draw_whisker(panel, 0, 0, 0, y, get_color("rule"))
            label_end(panel, "reference", 0, y, 1, get_color("quiet"))
            continue
        value, lo, hi = differences.loc[name]
        draw_whisker(panel, value, lo, hi, y, get_color("data") if lo > 0 or hi < 0 else get_color("rule"))
        side = -1 if value < 0 else 1
        number = format_estimate(value, lo, hi, sign=True).value
        label_end(panel, number, lo if side < 0 else hi, y, side)
    panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
    frame.scale(panel.xaxis, min(0, differences.lo.min()), max(0, differences.hi.max()), sign=True)
    panel.set_ylim(len(names) - 0.4, -0.6)
    panel.set_yticks([])
    panel.spines["left"].set_visible(False)


def plot_pairs(trial: TrialTables, ax: Any = None) -> Any:
    """Plot the differences of R2 of all pairs as a matrix; grey where they are too close to call.

    Parameters
    ----------
    trial : TrialTables
    ax : matplotlib Axes, optional
        By default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    names, differences, lo, hi = _arrange_pairs(trial)
    texts = (
        "Which evaluators differ",
        f"R², {_lower(trial.title)}",
        f"{_count_sides(trial)}. Blue: the interval excludes 0; grey: {TOO_CLOSE}. All "
        f"{len(trial.pairs)} intervals together have {format_level(trial.confidence)} confidence.",
    )
    return draw_pairs(
        ax, names, differences, (lo > 0) | (hi < 0), texts, TOO_CLOSE.replace("close ", "close\n")
    )


def plot_best(trial: TrialTables, ax: Any = None) -> Any:
    """Plot how far each evaluator is ahead of the best of the others; dark dots may be the best.

    Parameters
    ----------
    trial : TrialTables
    ax : matplotlib Axes, optional
        By default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    _check_pairs(trial)
    best = trial.best.sort_values("difference", ascending=False)
    names = [str(name) for name in best.index]
    with open_frame(ax, height=ROW * len(names) + 1.75) as frame:
        frame.write(
            "Which may be the best",
            f"R² minus that of the best other, {_lower(trial.title)}",
            f"{_count_sides(trial)}. Dark: with {format_level(trial.confidence)} confidence the best is "
            "among these. Intervals are simultaneous.",
        )
        (panel,) = frame.add_panels()
        panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
        for y, row in enumerate(best.itertuples()):
            draw_whisker(
                panel, row.difference, row.lo, row.hi, y, get_color("text" if row.possible else "rule")
            )
            number = format_estimate(row.difference, row.lo, row.hi, sign=True).value
            # On the side away from the line at 0
            x, side = (row.hi, 1) if row.lo > 0 else (row.lo, -1)
            label_end(panel, number, x, y, side, get_color("text" if row.possible else "quiet"))
        frame.scale(panel.xaxis, min(0.0, best.lo.min()), max(0.0, best.hi.max()), sign=True)
        frame.name_rows(panel, names, [get_color("text" if may else "quiet") for may in best.possible])
        return frame.ax


def plot_classes(trial: TrialTables, ax: Any = None, names: Sequence[str] | None = None) -> Any:
    """Plot R2 of at most four evaluators in each class, with intervals.

    Parameters
    ----------
    trial : TrialTables
        With classes.
    ax : matplotlib Axes, optional
        By default of a new figure.
    names : list of str, optional
        By default the first four evaluators.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        The trial has no classes, an evaluator is unknown, or their number is not 1 to 4.
    """
    if not trial.classes:
        raise ArgumentError("there are no classes to plot; give some, as in ", Parameter("by=", "fit"))
    # The evaluators to show
    known = [str(name) for name in trial.frame.index]
    shown = [check_name("evaluator", name, known) for name in (known[:N_SERIES] if names is None else names)]
    if not 0 < len(shown) <= N_SERIES:
        raise ArgumentError(f"{len(shown)} evaluators; a plot of classes takes 1 to {N_SERIES}, in names=")
    labels = list(trial.classes)
    with open_frame(ax, width=max(WIDTH, 2.4 + 0.62 * len(labels)), height=4.0) as frame:
        frame.write(
            "R² in each class",
            f"{trial.title}: share of the variance that a straight line explains",
            f"{format_count(trial.sides, 'side')} of {format_count(trial.deals, 'deal')}, double dummy. "
            f"Whiskers: {format_level(trial.confidence)} separate intervals.",
        )
        (panel,) = frame.add_panels()
        # A whisker for each class, and the name of the evaluator
        for number, (name, (colour, marker)) in enumerate(zip(shown, list_series(), strict=False)):
            shift = SHIFT * (number - (len(shown) - 1) / 2)
            face = colour if marker == "o" else get_color("ground")
            for place, part in enumerate(trial.classes.values()):
                row = part.frame.loc[name]
                x = place + shift
                panel.plot([x, x], [row.lo, row.hi], color=colour, linewidth=1.4, zorder=3)
                panel.plot(
                    x,
                    row.R2,
                    marker,
                    color=colour,
                    markersize=5,
                    markerfacecolor=face,
                    zorder=4,
                    clip_on=False,
                )
        # The axes
        label_series(panel, shown)
        frame.name(panel.xaxis, labels)
        panel.set_xlim(-0.5, len(labels) - 0.5)
        panel.set_ylim(0, 1)
        frame.number(panel.yaxis)
        panel.grid(axis="y", color=get_color("line"))
        panel.spines["left"].set_visible(False)
        return frame.ax


def _arrange_pairs(trial: TrialTables) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Return names, the best first, and differences of all pairs with their intervals: float64 [k, k]."""
    _check_pairs(trial)
    names = [str(name) for name in trial.frame.R2.sort_values(ascending=False).index]
    place = {name: number for number, name in enumerate(names)}
    parts = np.zeros((3, len(names), len(names)))
    for row in trial.pairs.itertuples():
        i, j = place[row.first], place[row.second]
        parts[:, i, j] = row.difference, row.lo, row.hi
        parts[:, j, i] = -row.difference, -row.hi, -row.lo
    return names, *parts


def _check_pairs(trial: TrialTables) -> None:
    if len(trial.fits) < 2:
        raise ArgumentError("a single evaluator has no pairs; compare it with another one")


def _count_sides(trial: TrialTables) -> str:
    return f"{format_count(trial.sides, 'side')} of {format_count(trial.deals, 'deal')}, double dummy"


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]


def draw_pairs(
    ax: Any,
    names: Sequence[str],
    differences: np.ndarray,
    decided: np.ndarray,
    texts: tuple[str, str, str],
    undecided: str,
) -> Any:
    """Draw a matrix of differences, row minus column, in the cells where the difference is clear.

    Parameters
    ----------
    ax : matplotlib Axes or None
        None: axes of a new figure.
    names : sequence of str
        The best first.
    differences : ndarray of float64 [k, k]
        Row minus column; those above the diagonal are drawn.
    decided : ndarray of bool [k, k]
        Whether the interval of a difference excludes 0.
    texts : (str, str, str)
        Title, subtitle and caption.
    undecided : str
        What the other cells show, if there is room.
    """
    from matplotlib.patches import Rectangle

    k = len(names)
    cell = 0.8 if k <= SPACIOUS else 0.32
    height = (0.36 if k <= SPACIOUS else ROW) * k + 1.95
    with open_frame(ax, height=height, width=max(WIDTH, 2.0 + cell * k)) as frame:
        title, subtitle, caption = texts
        unit = "" if k <= SPACIOUS else ", in thousandths"
        frame.write(title, f"{subtitle}: row minus column{unit}", caption)
        rows = [f"{number}  {name}" for number, name in enumerate(names, 1)]
        (panel,) = frame.add_panels()
        numbers, words = [], []
        largest = np.abs(differences[decided]).max() if decided.any() else 1.0
        for i in range(k):
            for j in range(i + 1, k):
                share = abs(differences[i, j]) / largest if decided[i, j] else 0.0
                colour = get_color("line"), 0.4
                if decided[i, j]:
                    colour = get_color("data"), max(0.08, STRONGEST * share)
                place = j - 0.48, i - 0.46
                panel.add_patch(Rectangle(place, 0.96, 0.92, facecolor=colour, linewidth=0))
                if decided[i, j]:
                    text = _format(differences[i, j], k)
                    numbers.append(panel.text(j, i, text, ha="center", va="center", clip_on=True))
                elif k <= SPACIOUS:
                    words.append(
                        panel.text(
                            j, i, undecided, ha="center", va="center", linespacing=0.95, clip_on=True,
                            color=get_color("quiet"),
                        )
                    )  # fmt: skip
        shown = np.abs(differences[np.triu(decided, 1)])
        ends = [_format(end, k) for end in (shown.min(), shown.max())] if len(shown) else []
        frame.fill(panel, numbers, note=f"Tints: {' to '.join(ends)}.")
        frame.fill(panel, words)
        frame.name_rows(panel, rows)
        panel.set_xlim(-0.5, k - 0.5)
        panel.set_ylim(k - 0.5, -0.5)
        places = range(1, k + 1)
        frame.name(panel.xaxis, [str(place) for place in places], values=places)
        panel.tick_params(axis="x", top=False, labeltop=True, bottom=False, labelbottom=False, length=0)
        panel.spines["bottom"].set_visible(False)
        return frame.ax


def _format(difference: float, k: int) -> str:
    """Return a difference as text, for many evaluators in thousandths."""
    if k <= SPACIOUS:
        return format_number(difference, 3, sign=True)
    return format_number(1000 * difference, 0) if abs(difference) >= 0.0005 else "<1"
