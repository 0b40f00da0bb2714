"""Plot of the law of total tricks: mean tricks less trumps, by total trumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dealerkit.appearance.numbers import format_estimate
from dealerkit.appearance.wording import join_words
from dealerkit.charts.panels import Frame, format_ticks
from dealerkit.charts.style import get_color, use_style
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.sides import DECLARER_TEXTS
from dealerkit.studies.standard_tables.cell_texts import TIES

if TYPE_CHECKING:
    from dealerkit.studies.standard_tables.law import LawOfTotalTricks


def plot_law(law: LawOfTotalTricks, ax: Any = None) -> Any:
    """Plot the mean of tricks less trumps by total trumps, with its interval and standard deviation.

    Parameters
    ----------
    law : LawOfTotalTricks
    ax : matplotlib Axes, optional
        Axes of the plot; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    from matplotlib.ticker import MultipleLocator

    table = law.frame[law.frame.deals >= MIN_DEALS]
    n_left = len(law.frame) - len(table)
    mean = format_estimate(law.mean.value, law.mean.lo, law.mean.hi, sign=True).value
    with use_style(ax):
        frame = Frame(ax, 6.4, 4.0)
        caption = (
            f"{law.description}, double dummy. Each side plays its longest suit, {TIES[law.ties]}; tricks "
            f"of {DECLARER_TEXTS[law.declarer]}. Dots: means with {100 * law.confidence:g} % intervals, "
            "narrower than the dot where none shows. Band: mean ± standard deviation of the deals."
        )
        if n_left:
            names = join_words(str(trumps) for trumps in law.frame.index if trumps not in table.index)
            caption += f" Left out, with fewer than {MIN_DEALS} deals: {names} trumps."
        frame.write(
            f"Tricks less trumps: {mean} on average",
            "Tricks of both sides less their trumps, by trumps of both sides",
            caption,
        )
        (panel,) = frame.add_panels(left=0.55, right=0.25, bottom=0.5)
        x = table.index.to_numpy()
        less = (table.tricks - x).to_numpy()
        panel.fill_between(
            x, less - table.sd, less + table.sd, color=get_color("data"), alpha=0.14, linewidth=0
        )
        panel.vlines(x, table.lo - x, table.hi - x, color=get_color("text"), linewidth=1.4, zorder=3)
        panel.plot(x, less, "o", color=get_color("text"), markersize=5, zorder=4)
        panel.axhline(0, color=get_color("rule"), linewidth=0.8, zorder=2)
        panel.annotate(
            "the law",
            (x[-1], 0),
            (0, 3),
            textcoords="offset points",
            ha="right",
            va="bottom",
            color=get_color("quiet"),
        )
        panel.set_xlim(x[0] - 0.5, x[-1] + 0.5)
        panel.spines["bottom"].set_bounds(x[0], x[-1])
        panel.set_xticks(x)
        panel.set_xlabel("trumps of both sides")
        panel.yaxis.set_major_locator(MultipleLocator(1))
        format_ticks(panel.yaxis, sign=True)
        panel.grid(axis="y")
        panel.spines["left"].set_visible(False)
        return frame.ax
