"""Plot of a study of opening leads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import SEATS
from dealerkit.cards.text import SUIT_SYMBOLS
from dealerkit.errors import ArgumentError
from dealerkit.plots.style import get_color, in_style
from dealerkit.plots.svg import create_figure, name_figure

if TYPE_CHECKING:
    from dealerkit.statistics import Estimate
    from dealerkit.studies.leads.result import LeadStudy

SUITS = ("spades", "hearts", "diamonds", "clubs")
_GAINS = {
    "beats": ("beats it more often than {}", 100, " %"),
    "tricks": ("tricks more than {}", 1, ""),
    "imps": ("IMPs over {}", 1, ""),
    "matchpoints": ("matchpoints over {}", 100, " %"),
    "total": ("points over {}", 1, ""),
}


@in_style
def plot_leads(study: LeadStudy, ax: Any = None) -> Any:
    """Plot for each lead its chance to beat the contract, and beside it the gain over the best lead.

    Leads that cannot be distinguished from the best one have a grey gain.

    Parameters
    ----------
    study : LeadStudy
    ax : sequence of two matplotlib Axes, optional
        By default those of a new figure.

    Returns
    -------
    ndarray of two matplotlib Axes

    Raises
    ------
    ArgumentError
        Not two Axes.
    """
    n = len(study.leads)
    if ax is None:
        figure = create_figure(6.4, 0.28 * n + 2.0)
        figure.set_layout_engine("constrained")
        panels = figure.subplots(1, 2, sharey=True, width_ratios=(4, 5))
        words = (
            f"{SEATS[study.leader].capitalize()} leads from {_format_suits(study.hand)} against "
            f"{study.declared}"
        )
        figure.suptitle(words, x=0.01, ha="left", fontsize=11, fontweight="bold", color=get_color("text"))
        name_figure(figure, words)
        note = (
            f"{study.n:,} deals, double dummy; {100 * study.confidence:g} % intervals. Gains are taken deal "
            f"by deal;\ngrey: at {100 * study.confidence:g} % the lead cannot be distinguished from the best."
        )
        figure.supxlabel(note, x=0.01, ha="left", fontsize=8, color=get_color("quiet"))
    else:
        panels = np.atleast_1d(np.asarray(ax, dtype=object))
        if panels.shape != (2,):
            raise ArgumentError(f"the plot has two panels; give two Axes, not {panels.size}")
    chance, gain = panels
    heights = np.arange(n)[::-1]
    first = study.order[0]
    for y, i in zip(heights, study.order, strict=True):
        _draw(chance, study.gains.rate("beats", i), y, get_color("text"), 100)
        if i == first:
            gain.plot(0, y, "o", color=get_color("text"), markersize=5)
            continue
        _, scale, _ = _GAINS[study.scoring]
        estimate = study.gains.compare(study.scoring, i, first)
        _draw(
            gain,
            estimate,
            y,
            get_color("rule") if study.leads[i] in study.possibly_best else get_color("data"),
            scale,
        )
    _label(study, chance, gain, heights)
    return panels


def _draw(ax: Any, estimate: Estimate, y: float, colour: str, scale: float) -> None:
    """Draw a value with its interval."""
    low, high = (scale * end for end in (estimate.lo, estimate.hi))
    if np.isfinite(high - low):
        ax.plot([low, high], [y, y], color=colour, linewidth=1.4, solid_capstyle="butt")
    ax.plot(scale * estimate.value, y, "o", color=colour, markersize=5)


def _label(study: LeadStudy, chance: Any, gain: Any, heights: np.ndarray) -> None:
    """Name leads, axes and panels."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    words, _, unit = _GAINS[study.scoring]
    chance.set_yticks(heights, [study.leads[i].text for i in study.order])
    for label, i in zip(chance.get_yticklabels(), study.order, strict=True):
        label.set_color(get_color(SUITS[study.leads[i].suit]))
    chance.set_ylim(-0.6, len(heights) - 0.4)
    chance.set_xlim(left=0)
    chance.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
    gain.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=0)
    gain.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:+g}{unit}" if value else "0"))
    for ax, title in ((chance, f"beats {study.declared.contract}"), (gain, words.format(study.best.text))):
        ax.set_title(title, fontsize=9, color=get_color("quiet"))
        ax.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)


def _format_suits(hand: str) -> str:
    """Return a hand with the symbols of its suits: ``♠KJ74 ♥Q93 ♦T85 ♣J62``."""
    holdings = zip(SUIT_SYMBOLS, hand.split("."), strict=True)
    return " ".join(f"{symbol}{holding or '–'}" for symbol, holding in holdings)
