"""Plots of all pairs of compared methods, and of those that may be the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_estimate, format_number
from dealerkit.charts.panels import ROW, Frame, draw_whisker, label_end, name_rows
from dealerkit.charts.style import get_color, use_style

SPACIOUS = 10  # up to so many, cells have room for words
STRONGEST = 0.5  # tint of the largest difference


def draw_pairs(
    ax: Any,
    names: Sequence[str],
    differences: np.ndarray,
    decided: np.ndarray,
    texts: tuple[str, str, str],
    undecided: str,
) -> Any:
    """Draw a matrix: in each cell the value of the row minus that of the column, if it is decided.

    Parameters
    ----------
    ax : matplotlib Axes or None
        Axes in which the matrix lies; None: of a new figure.
    names : sequence of str
        The best first.
    differences : ndarray of float64 [k, k]
        Row minus column; those above the diagonal are drawn.
    decided : ndarray of bool [k, k]
        Whether the interval of a difference excludes 0.
    texts : (str, str, str)
        Title, subtitle and caption.
    undecided : str
        What the other cells show, where there is room for it.
    """
    k = len(names)
    cell = 0.62 if k <= SPACIOUS else 0.29
    with use_style(ax):
        shape = max(6.4, 2.0 + cell * k), ROW * k + 1.95 + 0.2 * (k <= SPACIOUS)
        frame = Frame(ax, *shape)
        title, subtitle, caption = texts
        unit = "" if k <= SPACIOUS else ", in thousandths"
        frame.write(title, f"{subtitle}: row minus column{unit}", caption)
        rows = [f"{name}  {number}" for number, name in enumerate(names, 1)]
        left = 0.2 + frame.measure(rows)
        right = max(0.15, frame.width - left - cell * k)
        (panel,) = frame.add_panels(left=left, right=right, top=0.3, bottom=0.1)
        largest = np.abs(differences[decided]).max() if decided.any() else 1.0
        for i in range(k):
            for j in range(i + 1, k):
                share = abs(differences[i, j]) / largest if decided[i, j] else 0.0
                colour = (
                    (get_color("data"), max(0.08, STRONGEST * share))
                    if decided[i, j]
                    else (get_color("line"), 0.4)
                )
                panel.add_patch(_cell(i, j, k, colour))
                if decided[i, j]:
                    size = 8.5 if k <= SPACIOUS else 7.5
                    panel.text(
                        j, k - 1 - i, _format(differences[i, j], k), ha="center", va="center", size=size
                    )
                elif k <= SPACIOUS:
                    panel.text(
                        j, k - 1 - i, undecided, ha="center", va="center", size=7,
                        linespacing=0.95, color=get_color("quiet"),
                    )  # fmt: skip
        name_rows(panel, rows)
        panel.set_xlim(-0.5, k - 0.5)
        panel.set_ylim(-0.5, k - 0.5)
        panel.set_xticks(range(k), [str(number) for number in range(1, k + 1)])
        panel.tick_params(axis="x", top=False, labeltop=True, bottom=False, labelbottom=False, length=0)
        panel.spines["bottom"].set_visible(False)
        return frame.ax


def _cell(i: int, j: int, k: int, colour: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((j - 0.48, k - 1 - i - 0.46), 0.96, 0.92, facecolor=colour, linewidth=0)


def _format(difference: float, k: int) -> str:
    """Return a difference, of many evaluators in thousandths."""
    if k <= SPACIOUS:
        return format_number(difference, 3, sign=True)
    return format_number(1000 * difference, 0) if abs(difference) >= 0.0005 else "<1"


def draw_best(
    ax: Any, names: Sequence[str], gaps: np.ndarray, possible: np.ndarray, texts: tuple[str, str, str]
) -> Any:
    """Draw how far each is ahead of the best of the others; those that may be the best are dark.

    Parameters
    ----------
    ax : matplotlib Axes or None
        Axes in which the panel lies; None: of a new figure.
    names : sequence of str
        The best first.
    gaps : ndarray of float64 [k, 3]
        Difference from the best of the others, with the ends of its interval.
    possible : ndarray of bool [k]
        Whether it may be the best.
    texts : (str, str, str)
        Title, subtitle and caption.
    """
    with use_style(ax):
        frame = Frame(ax, 6.4, ROW * len(names) + 1.75)
        frame.write(*texts)
        (panel,) = frame.add_panels(left=0.75 + frame.measure(names), right=1.3)
        panel.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
        for y, (value, lo, hi), may in zip(range(len(names))[::-1], gaps, possible, strict=True):
            draw_whisker(panel, value, lo, hi, y, get_color("text" if may else "rule"))
            number = format_estimate(value, lo, hi, sign=True).value
            label_end(panel, number, lo, y, -1, get_color("text" if may else "quiet"))
        frame.scale(panel, min(0.0, gaps.min()), max(0.0, gaps.max()), sign=True)
        name_rows(panel, names, [get_color("text" if may else "quiet") for may in possible])
        panel.tick_params(axis="y", pad=0.55 * 72)
        return frame.ax
