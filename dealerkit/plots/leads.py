"""Plot of a study of opening leads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import SEATS
from dealerkit.cards.text import SUIT_SYMBOLS
from dealerkit.charts.panels import ROW, Frame, draw_whisker, label_end, name_rows
from dealerkit.charts.style import get_color, use_style
from dealerkit.scoring import SCORINGS

if TYPE_CHECKING:
    from dealerkit.statistics import Estimate
    from dealerkit.studies.leads.result import LeadStudy

SUITS = ("spades", "hearts", "diamonds", "clubs")
_GAINS = {
    "beats": "the same, less that of {}",
    "tricks": "tricks, less those of {}",
}


def plot_leads(study: LeadStudy, ax: Any = None) -> Any:
    """Plot for each lead its chance to beat the contract, and beside it the gain over the best lead.

    Leads that cannot be distinguished from the best one have a grey gain.

    Parameters
    ----------
    study : LeadStudy
    ax : matplotlib Axes, optional
        Axes in which the panels lie, as its ``child_axes``; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    first = study.order[0]
    scoring = SCORINGS[study.scoring]
    scale, unit = scoring.scale, " %" if scoring.scale == 100 else ""
    words = _GAINS.get(scoring.name, f"{scoring.text} over {{}}")
    level = f"{100 * study.confidence:g} %"
    note = "; grey: not distinguished from the best lead" if len(study.possibly_best) > 1 else ""
    with use_style(ax):
        frame = Frame(ax, 6.4, ROW * len(study.leads) + 2.05)
        frame.write(
            f"{SEATS[study.leader].capitalize()} leads against {study.declared}",
            f"From {_format_suits(study.hand)}",
            f"{study.n:,} deals, double dummy. Whiskers: {level} intervals; gains: deal by deal{note}.",
        )
        names = [study.leads[i].text for i in study.order]
        chance, gain = frame.add_panels(
            (4, 5), left=0.25 + frame.measure(names), right=0.35, top=0.35, gap=0.65
        )
        rates = [study.gains.rate("beats", i) for i in study.order]
        ends = [end for rate in rates for end in _list_ends(rate, 100)]
        for y, rate in zip(range(len(names))[::-1], rates, strict=True):
            _draw(chance, rate, y, 100)
        name_rows(chance, names, [get_color(SUITS[study.leads[i].suit]) for i in study.order])
        frame.scale(chance, 0, max(*ends, 1e-9), unit=" %")
        gains = {i: study.gains.compare(study.scoring, i, first) for i in study.order[1:]}
        for y, i in zip(range(len(names))[::-1], study.order, strict=True):
            if i == first:
                draw_whisker(gain, 0, 0, 0, y)
                label_end(gain, "reference", 0, y, -1, get_color("quiet"))
            else:
                grey = study.leads[i] in study.possibly_best
                _draw(gain, gains[i], y, scale, get_color("rule" if grey else "data"))
        ends = [0.0, *(end for estimate in gains.values() for end in _list_ends(estimate, scale))]
        frame.scale(gain, min(*ends, -1e-9), max(ends), sign=True, unit=unit)
        gain.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
        name_rows(gain, [""] * len(names))
        chance.set_title(f"beats {study.declared.contract}", loc="left", pad=4)
        gain.set_title(words.format(study.best.text), loc="left", pad=4)
        return frame.ax


def _list_ends(estimate: Estimate, scale: float) -> list[float]:
    """Return value and ends of an interval, without those that are not known."""
    values = (estimate.value, estimate.lo, estimate.hi)
    return [scale * float(value) for value in values if np.isfinite(value)]


def _draw(panel: Any, estimate: Estimate, y: float, scale: float, colour: str | None = None) -> None:
    """Draw a value with its interval, if it is known."""
    ends = _list_ends(estimate, scale)
    draw_whisker(panel, ends[0], min(ends), max(ends), y, colour)


def _format_suits(hand: str) -> str:
    """Return a hand with the symbols of its suits: ``♠KJ74 ♥Q93 ♦T85 ♣J62``."""
    holdings = zip(SUIT_SYMBOLS, hand.split("."), strict=True)
    return " ".join(f"{symbol}{holding or '–'}" for symbol, holding in holdings)
