"""Plot of statistics of par: levels of par contracts, those that make and sacrifices, by vulnerability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dealerkit.appearance.wording import join_words
from dealerkit.charts.panels import Frame, format_ticks
from dealerkit.charts.style import get_color, use_style

if TYPE_CHECKING:
    from dealerkit.studies.standard_tables.par_statistics import ParStatistics

WORDS = {"none": "none vulnerable", "NS": "NS vulnerable", "EW": "EW vulnerable", "both": "both vulnerable"}


def plot_par_statistics(statistics: ParStatistics, ax: Any = None) -> Any:
    """Plot the share of each level of the par contract, a panel for each vulnerability.

    Parameters
    ----------
    statistics : ParStatistics
    ax : matplotlib Axes, optional
        Axes in which the panels lie; by default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    from matplotlib.ticker import MultipleLocator, NullFormatter

    states = statistics.states
    shares = 100 * statistics.levels.value
    highest = shares.groupby(["vulnerable", "level"]).sum().max()
    sacrifices = 100 * statistics.frame.xs("sacrifice", level="result").value
    widest = 50 * (statistics.levels.hi - statistics.levels.lo).max()
    with use_style(ax):
        frame = Frame(ax, 6.4, 3.4)
        found = join_words(f"{share:.0f} %" for share in sacrifices)
        frame.write(
            f"At par {found} of the contracts are sacrifices",
            "Level of the par contract, share of all deals",
            f"{statistics.description}, double dummy; {statistics.dealer} may open first. Blue: contracts "
            "that make; orange: doubled contracts that fail. "
            f"Whiskers: {100 * statistics.confidence:g} % intervals of each part of a bar, "
            f"at most ± {widest:.1g} %.",
        )
        panels = frame.add_panels([1] * len(states), left=0.5, gap=0.15, top=0.4, bottom=0.45)
        for number, (panel, state) in enumerate(zip(panels, states, strict=True)):
            part = shares[state]
            made, failed = (part.xs(kind, level="sacrifice") for kind in (False, True))
            panel.bar(made.index, made, 0.8, color=get_color("data"), alpha=0.45, linewidth=0)
            panel.bar(
                failed.index, failed, 0.8, bottom=made, color=get_color("exact"), alpha=0.6, linewidth=0
            )
            for kind, shift in ((False, -0.14), (True, 0.14)):
                ends = 100 * statistics.levels.loc[state].xs(kind, level="sacrifice")[["lo", "hi"]]
                shown = ends[ends.hi > ends.lo]
                starts = made[shown.index] if kind else 0.0
                panel.vlines(
                    shown.index + shift, starts + shown.lo, starts + shown.hi, color=get_color("text"),
                    linewidth=1.1, zorder=3,
                )  # fmt: skip
            panel.set_title(WORDS[state], loc="left", color=get_color("quiet"))
            panel.set_xticks(range(1, 8))
            panel.set_ylim(0, 1.08 * highest)
            panel.yaxis.set_major_locator(MultipleLocator(10))
            if number == 0:
                format_ticks(panel.yaxis, unit=" %")
            else:  # the first panel has the labels of all
                panel.yaxis.set_major_formatter(NullFormatter())
            panel.grid(axis="y")
            panel.spines["left"].set_visible(False)
            panel.tick_params(axis="x", length=0, labelcolor=get_color("text"))
        panels[0].set_xlabel("level", loc="left")
        return frame.ax
