"""Plots: functions of a result and an optional matplotlib Axes that return the Axes; none calls show."""

from __future__ import annotations

from typing import Any

BLUE, GREY, ORANGE = "#3b6ea8", "#888888", "#d9822b"


def create_axes(ax: Any, width: float, height: float) -> Any:
    """Return the given Axes, or those of a new figure of this size in inches."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def add_title(ax: Any, title: str, **options: Any) -> Any:
    """Set the title, hide the upper and right lines of the frame, and return the Axes."""
    ax.set_title(title, **options)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
