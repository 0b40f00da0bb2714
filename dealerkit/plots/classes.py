"""Plot of a comparison of evaluators by classes of sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.wording import shorten
from dealerkit.charts.panels import Frame
from dealerkit.charts.style import N_SERIES, get_color, list_series, use_style
from dealerkit.errors import ArgumentError, suggest_name

if TYPE_CHECKING:
    from dealerkit.studies.comparison.trial import Trial

SHIFT = 0.14  # of neighbouring evaluators, in classes


def plot_classes(trial: Trial, ax: Any = None, names: Sequence[str] | None = None) -> Any:
    """Plot R2 of at most four evaluators in each class, with intervals.

    Parameters
    ----------
    trial : Trial
        With classes.
    ax : matplotlib Axes, optional
        Axes in which the panel lies; by default of a new figure.
    names : list of str, optional
        By default the first four evaluators.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ArgumentError
        A trial without classes, an unknown evaluator, none or more than four.
    """
    if not trial.classes:
        raise ArgumentError("there are no classes to plot; give some, as in by='fit'")
    known = [str(name) for name in trial.frame.index]
    shown = known[:N_SERIES] if names is None else list(names)
    for name in shown:
        if name not in known:
            raise ArgumentError(f"no evaluator {name!r:.60}{suggest_name(str(name), known)}")
    if not 0 < len(shown) <= N_SERIES:
        raise ArgumentError(f"{len(shown)} evaluators; a plot of classes takes 1 to {N_SERIES}, in names=")
    labels = list(trial.classes)
    with use_style(ax):
        frame = Frame(ax, max(6.4, 2.4 + 0.62 * len(labels)), 4.0)
        frame.write(
            "R² in each class",
            f"{trial.title}: share of the variance that a straight line explains",
            f"{trial.sides:,} sides of {trial.deals:,} deals, double dummy. Whiskers: "
            f"{100 * trial.confidence:g} % intervals, each by itself.",
        )
        texts = [shorten(name, 20) for name in shown]
        (panel,) = frame.add_panels(left=0.55, right=0.35 + frame.measure(texts))
        for number, (name, (colour, marker)) in enumerate(zip(shown, list_series(), strict=False)):
            shift = SHIFT * (number - (len(shown) - 1) / 2)
            face = colour if marker == "o" else get_color("ground")
            for place, part in enumerate(trial.classes.values()):
                row = part.frame.loc[name]
                x = place + shift
                panel.plot([x, x], [row.lo, row.hi], color=colour, linewidth=1.4, zorder=3)
                panel.plot(
                    x,
                    row.R2,
                    marker,
                    color=colour,
                    markersize=5,
                    markerfacecolor=face,
                    zorder=4,
                    clip_on=False,
                )
            y = 0.96 - 0.09 * number
            panel.plot(
                1.03, y, marker, color=colour, markersize=5, markerfacecolor=face, clip_on=False,
                transform=panel.transAxes,
            )  # fmt: skip
            panel.annotate(
                texts[number], (1.03, y), xycoords="axes fraction", xytext=(7, 0), textcoords="offset points",
                va="center", color=get_color("text"), annotation_clip=False,
            )  # fmt: skip
        width = max(6, int(frame.width * 7 / len(labels)))
        panel.set_xticks(
            range(len(labels)), [shorten(label, width) for label in labels], color=get_color("quiet")
        )
        panel.set_xlim(-0.5, len(labels) - 0.5)
        panel.set_ylim(0, 1)
        panel.grid(axis="y", color=get_color("line"))
        panel.spines["left"].set_visible(False)
        return frame.ax
