"""The picture of a trial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from dealerkit.studies.trial import Trial

BLUE, GREY = "#3b6ea8", "#888888"


def plot_trial(trial: Trial, ax: Any = None) -> Any:
    """Draw R2 of every evaluator with its interval; the difference to the first stands at the right.

    Parameters
    ----------
    trial : Trial
    ax : matplotlib Axes, optional
        Drawn into; by default a figure of its own.

    Returns
    -------
    matplotlib Axes
    """
    frame = trial.frame
    places = np.arange(len(frame))[::-1]
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(8, 1.6 + 0.42 * len(frame)), layout="constrained")
    r2 = frame.R2.to_numpy()
    reach = np.abs(np.stack([r2 - frame.lo, frame.hi - r2]))
    ax.axvline(r2[0], color=GREY, linewidth=1, linestyle=":", zorder=0)
    ax.errorbar(r2, places, xerr=reach, fmt="o", color=BLUE, capsize=3, label="selected sides")
    if trial.unselected is not None:
        ax.plot(frame.R2_all, places, "o", mfc="none", color=GREY, label="all sides")
        ax.legend(loc="best", frameon=False)
    for place, name in zip(places[1:], trial.differences.index, strict=True):
        row = trial.differences.loc[name]
        ax.annotate(
            f"{row.R2:+.3f}  [{row.lo:+.3f}, {row.hi:+.3f}]",
            (1.02, place),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=9,
        )
    if len(frame) > 1:
        ax.annotate(
            f"R² less {frame.index[0]}'s",
            (1.02, places[0]),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=9,
        )
    ax.set_yticks(places, [str(name) for name in frame.index])
    ax.set_ylim(-0.6, len(frame) - 0.4)
    ax.margins(x=0.08)
    ax.set_xlabel(f"R²: share of the variance of tricks explained, {100 * trial.level:g} % intervals")
    ax.set_title(f"{trial.title}  ({trial.deals:,} deals)", loc="left")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
