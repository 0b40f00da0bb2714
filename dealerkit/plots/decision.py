"""Plots of decisions: the gain of an evaluator by its threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.plots import BLUE, GREY, create_axes
from dealerkit.wording import shorten

if TYPE_CHECKING:
    from dealerkit.studies.comparison.decision import Decision

SERIES = ((BLUE, "-", True), ("#c05600", "-", False), ("#1a968a", "--", True), ("#4d1f63", ":", False))
QUIET = "#57606a"
MAX_DEFAULT = 3


def plot_decision(decision: Decision, ax: Any = None, names: list[str] | None = None) -> Any:
    """Plot the gain of evaluators by threshold, with a ribbon for the interval at each.

    With several evaluators, whose units differ, the axis is the share of sides that bid the first contract.
    A dot marks the threshold that gains most, a dashed line the gain with perfect foresight.

    Parameters
    ----------
    decision : Decision
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.
    names : list of str, optional
        At most four evaluators; by default the first three.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        More than four evaluators, or an unknown one.
    """
    names = list(decision.frame.index[:MAX_DEFAULT]) if names is None else list(names)
    if not 0 < len(names) <= len(SERIES):
        raise ArgumentError(f"{len(names)} evaluators; a plot takes 1 to {len(SERIES)}, in names=")
    curves = [decision.curve(name) for name in names]
    ax = create_axes(ax, 6.4, 4.4)
    shares = len(names) > 1
    ends = []
    for name, curve, (colour, line, is_filled) in zip(names, curves, SERIES, strict=False):
        x = 100 * curve.bid.to_numpy() if shares else curve.threshold.to_numpy()
        gain, lo, hi = (decision.scale * curve[column].to_numpy() for column in ("gain", "lo", "hi"))
        ax.fill_between(x, lo, hi, color=colour, alpha=0.18, linewidth=0)
        ax.plot(x, gain, line, color=colour, linewidth=1.6)
        best = int(gain.argmax())
        face = colour if is_filled else "white"
        ax.plot(x[best], gain[best], "o", color=colour, markersize=6, markerfacecolor=face, zorder=4)
        text = f"{curve.threshold[best]:.4g} or {'more' if decision.frame.rises[name] else 'less'}"
        ends.append((gain[best], x[best], f"{shorten(str(name), 24)}, {text}", colour))
    perfect = decision.scale * decision.perfect["gain"]
    lowest = _find_bottom([decision.scale * curve.gain.to_numpy() for curve in curves], perfect)
    ax.set_ylim(lowest, 1.12 * perfect)
    ax.axhline(0, color=GREY, linewidth=1, zorder=0)
    ax.axhline(perfect, color=GREY, linewidth=1, linestyle="--", zorder=0)
    right = ax.get_xlim()[1]
    ax.annotate(
        "perfect foresight", (right, perfect), textcoords="offset points", xytext=(0, 4), ha="right",
        fontsize=9, color=QUIET,
    )  # fmt: skip
    _label_curves(ax, ends)
    state = "vulnerable" if decision.vulnerable else "not vulnerable"
    axis = (
        f"sides that bid {decision.contract}, %"
        if shares
        else f"{names[0]}: threshold to bid {decision.contract}"
    )
    notes = (
        f"{decision.sides:,} sides of {decision.deals:,} deals, double dummy. Ribbon: "
        f"{100 * decision.confidence:g} % interval at each threshold;\ndot: the threshold that gains most."
    )
    ax.set_xlabel(axis)
    ax.annotate(
        notes, (0, 0), xycoords="axes fraction", textcoords="offset points", xytext=(0, -44), va="top",
        fontsize=8, color=QUIET,
    )  # fmt: skip
    ax.set_ylabel(f"gain over always {decision.always}, {decision.unit} a side", fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color="#d5dae0", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.set_title(
        f"{decision.contract} or {decision.other}, {state}", loc="left", fontsize=11, fontweight="bold"
    )
    return ax


def _find_bottom(gains: list[np.ndarray], perfect: float) -> float:
    """Return the lower end of the axis: far losses at absurd thresholds are not shown."""
    return max(min(float(gain.min()) for gain in gains), -0.8 * perfect) - 0.05 * perfect


def _label_curves(ax: Any, ends: list[tuple[float, float, str, str]]) -> None:
    """Name the curves below the line of perfect foresight, on the side without the highest gain."""
    left, right = ax.get_xlim()
    at_right = max(ends)[1] < (left + right) / 2
    for row, (_, _, text, colour) in enumerate(ends):
        ax.annotate(
            text, (0.99 if at_right else 0.02, 0.9), xycoords="axes fraction", textcoords="offset points",
            ha="right" if at_right else "left", va="top", xytext=(0, -8 - 14 * row), fontsize=9, color=colour,
        )  # fmt: skip
