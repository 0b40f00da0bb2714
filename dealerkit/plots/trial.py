"""Plots of a comparison of evaluators: values with differences from the first, and all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dealerkit.plots.panels import (
    DATA,
    QUIET,
    ROW,
    RULE,
    TEXT,
    Frame,
    draw_whisker,
    format_number,
    label_end,
    name_rows,
    use_style,
)
from dealerkit.wording import shorten

if TYPE_CHECKING:
    from dealerkit.studies.comparison.trial import Trial

NAME_LENGTH = 28
LABELS = 0.5  # width in inches of a number beside a whisker


def plot_trial(trial: Trial, ax: Any = None) -> Any:
    """Plot R2 of each evaluator with its interval, the best first, and its difference from the first.

    Grey differences have an interval that holds 0. All texts lie inside the Axes.

    Parameters
    ----------
    trial : Trial
    ax : matplotlib Axes, optional
        Axes in which the panels lie, as its ``child_axes``; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    table = trial.frame.sort_values("R2", ascending=False)
    names = [str(name) for name in table.index]
    with use_style():
        frame = Frame(ax, 6.4, ROW * len(names) + 1.95)
        frame.write(
            f"R² of {len(names)} evaluators" if len(names) > 1 else f"R² of {names[0]}",
            f"{trial.title}: share of the variance that a straight line explains",
            _describe(trial),
        )
        length = min(NAME_LENGTH, int(4.5 * frame.width))
        shown = [shorten(name, length) for name in names]
        left = 0.2 + frame.measure(shown)
        if not len(trial.differences):
            (values,) = frame.add_panels(left=left, right=LABELS)
            _draw_values(frame, values, trial, table, shown)
            return frame.ax
        negative = (trial.differences.R2 < 0).any()
        values, gains = frame.add_panels(
            (1, 1.1), left=left, right=LABELS + 0.1, gap=LABELS + 0.15 + LABELS * negative, top=0.35
        )
        _draw_values(frame, values, trial, table, shown)
        values.set_title("R²", loc="left", pad=4)
        _draw_differences(frame, gains, trial, names)
        return frame.ax


def _describe(trial: Trial) -> str:
    """Return the caption: deals, intervals, what is grey and open."""
    sides = f"{trial.sides:,} sides of {trial.deals:,} deals"
    parts = [f"{sides}, double dummy; {100 * trial.confidence:g} % intervals."]
    if len(trial.differences):
        parts.append("Differences are taken on the same deals; grey: the interval holds 0.")
    if trial.unselected is not None:
        parts.append("Open dots: all sides, without the selection.")
    return " ".join(parts)


def _draw_values(frame: Frame, ax: Any, trial: Trial, table: Any, names: Sequence[str]) -> None:
    first = trial.frame.index[0]
    ends = [table.lo.min(), table.hi.max()]
    if trial.unselected is not None:
        ends = [min(ends[0], table.R2_all.min()), max(ends[1], table.R2_all.max())]
    for y, (name, row) in zip(range(len(table))[::-1], table.iterrows(), strict=True):
        colour = RULE if name == first and len(table) > 1 else TEXT
        if trial.unselected is not None:
            ax.plot(row.R2_all, y, "o", color=QUIET, markerfacecolor="white", markersize=5, zorder=2)
        draw_whisker(ax, row.R2, row.lo, row.hi, y, colour)
        end = row.hi if trial.unselected is None else max(row.hi, row.R2_all)
        label_end(ax, f"{row.R2:.3f}", end, y, 1)
    name_rows(ax, names)
    frame.scale(ax, *ends)


def _draw_differences(frame: Frame, ax: Any, trial: Trial, names: Sequence[str]) -> None:
    first = str(trial.frame.index[0])
    table = trial.differences
    for y, name in zip(range(len(names))[::-1], names, strict=True):
        if name == first:
            ax.plot(0, y, "o", color=RULE, markersize=5, zorder=4)
            label_end(ax, "reference", 0, y, 1, QUIET)
            continue
        row = table.loc[name]
        draw_whisker(ax, row.R2, row.lo, row.hi, y, DATA if row.lo > 0 or row.hi < 0 else RULE)
        side = -1 if row.R2 < 0 else 1
        label_end(ax, format_number(row.R2, "+.3f"), row.lo if side < 0 else row.hi, y, side)
    ax.axvline(0, color=RULE, linewidth=0.8, zorder=1)
    frame.scale(ax, min(0, table.lo.min()), max(0, table.hi.max()), sign=True)
    ax.set_ylim(-0.6, len(names) - 0.4)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.set_title(f"less that of {shorten(first, NAME_LENGTH)}", loc="left", pad=4)
