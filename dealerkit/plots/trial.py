"""Plot of a trial of evaluators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.plots import BLUE, GREY, add_title, create_axes

if TYPE_CHECKING:
    from dealerkit.studies.comparison import Trial


def plot_trial(trial: Trial, ax: Any = None) -> Any:
    """Plot R2 of each evaluator with its interval; on the right its difference from the first.

    Parameters
    ----------
    trial : Trial
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    frame = trial.frame
    y = np.arange(len(frame))[::-1]
    ax = create_axes(ax, 8, 1.6 + 0.42 * len(frame))
    r2 = frame.R2.to_numpy()
    margins = np.abs(np.stack([r2 - frame.lo, frame.hi - r2]))
    ax.axvline(r2[0], color=GREY, linewidth=1, linestyle=":", zorder=0)
    ax.errorbar(r2, y, xerr=margins, fmt="o", color=BLUE, capsize=3, label="selected sides")
    if trial.unselected is not None:
        ax.plot(frame.R2_all, y, "o", mfc="none", color=GREY, label="all sides")
        ax.legend(loc="best", frameon=False)
    texts = [f"R² minus {frame.index[0]}'s"] if len(frame) > 1 else []
    texts += [f"{row.R2:+.3f}  [{row.lo:+.3f}, {row.hi:+.3f}]" for row in trial.differences.itertuples()]
    for text, height in zip(texts, y, strict=False):
        ax.annotate(text, (1.02, height), xycoords=("axes fraction", "data"), va="center", fontsize=9)
    ax.set_yticks(y, [str(name) for name in frame.index])
    ax.set_ylim(-0.6, len(frame) - 0.4)
    ax.margins(x=0.08)
    ax.set_xlabel(f"R²: share of the variance of tricks explained, {100 * trial.confidence:g} % intervals")
    return add_title(ax, f"{trial.title}  ({trial.deals:,} deals)", loc="left")
