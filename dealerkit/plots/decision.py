"""Plots of decisions: the gain of an evaluator by its threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import Frame, format_ticks
from dealerkit.charts.style import N_SERIES, get_color, list_series, use_style
from dealerkit.errors import ArgumentError
from dealerkit.studies.comparison.thresholds import Threshold

if TYPE_CHECKING:
    from dealerkit.studies.comparison.decision_result import Decision

SHOWN = 3  # evaluators, by default


def plot_decision(decision: Decision, ax: Any = None, names: Sequence[str] | None = None) -> Any:
    """Plot the gain of evaluators by threshold, with a ribbon for the interval at each.

    With several evaluators, whose units differ, the axis is the share of sides that bid the first contract.
    A marker shows the threshold that gains most, a dashed line the gain with perfect foresight.

    Parameters
    ----------
    decision : Decision
    ax : matplotlib Axes, optional
        Axes in which the panel lies, as its ``child_axes``; by default of a new figure.
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
    chosen = list(decision.frame.index[:SHOWN]) if names is None else list(names)
    if isinstance(names, str):
        chosen = [names]
    if not 0 < len(chosen) <= N_SERIES:
        raise ArgumentError(f"{len(chosen)} evaluators; a plot takes 1 to {N_SERIES}, in names=")
    curves = [decision.curve(name) for name in chosen]
    by_share = len(chosen) > 1
    state = "vulnerable" if decision.vulnerable else "not vulnerable"
    with use_style(ax):
        frame = Frame(ax, 6.4, 4.4)
        frame.write(
            f"{decision.contract} or {decision.other}, {state}",
            f"Gain over always bidding {decision.always}, {decision.unit} a side, by "
            + (f"the share that bids {decision.contract}" if by_share else "threshold"),
            f"{decision.sides:,} sides of {decision.deals:,} deals, double dummy. Ribbons: "
            f"{100 * decision.confidence:g} % intervals at each threshold. Markers: the threshold that gains "
            "most.",
        )
        (panel,) = frame.add_panels(left=0.55, bottom=0.5)
        labels = []
        for name, curve, (colour, marker) in zip(chosen, curves, list_series(), strict=False):
            x = 100 * curve.bid.to_numpy() if by_share else curve.threshold.to_numpy()
            best = _draw_curve(panel, decision, curve, x, colour, marker)
            text = str(Threshold(curve.threshold[best], bool(decision.frame.rises[name])))
            labels.append((x[best], f"{shorten(str(name), 24)}, {text}", colour))
        perfect = decision.scale * decision.perfect["gain"]
        lowest = min(float(decision.scale * curve.gain.min()) for curve in curves)
        panel.set_ylim(max(lowest, -0.8 * perfect) - 0.05 * perfect, 1.15 * perfect)
        panel.axhline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
        panel.axhline(perfect, color=get_color("rule"), linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        panel.annotate(
            "perfect foresight", (panel.get_xlim()[1], perfect), (-2, 3), textcoords="offset points",
            ha="right", va="bottom", color=get_color("quiet"),
        )  # fmt: skip
        _label_curves(panel, labels)
        _label_axes(panel, f"sides that bid {decision.contract}, %" if by_share else chosen[0])
        return frame.ax


def _draw_curve(panel: Any, decision: Decision, curve: Any, x: np.ndarray, colour: str, marker: str) -> int:
    """Draw a curve with its ribbon; return the index of the threshold that gains most."""
    gain, lo, hi = (decision.scale * curve[column].to_numpy() for column in ("gain", "lo", "hi"))
    panel.fill_between(x, lo, hi, color=colour, alpha=0.18, linewidth=0)
    panel.plot(x, gain, color=colour, linewidth=1.6)
    best = int(gain.argmax())
    face = colour if marker == "o" else get_color("ground")
    panel.plot(x[best], gain[best], marker, color=colour, markersize=6, markerfacecolor=face, zorder=4)
    return best


def _label_curves(panel: Any, labels: Sequence[tuple[float, str, str]]) -> None:
    """Name the curves below the line of perfect foresight, on the side without the highest gain."""
    left, right = panel.get_xlim()
    at_right = np.mean([x for x, _, _ in labels]) < (left + right) / 2
    for row, (_, text, colour) in enumerate(labels):
        panel.annotate(
            text, (0.99 if at_right else 0.02, 1 / 1.15), (0, -14 - 14 * row), xycoords="axes fraction",
            textcoords="offset points", ha="right" if at_right else "left", va="top", color=colour,
        )  # fmt: skip


def _label_axes(panel: Any, name: str) -> None:
    """Name the horizontal axis; write gains with their signs."""
    panel.set_xlabel(shorten(name, 50))
    panel.grid(axis="y")
    panel.spines[["left", "bottom"]].set_visible(False)
    format_ticks(panel.yaxis, sign=True)
