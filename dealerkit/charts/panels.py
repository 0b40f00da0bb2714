"""Panels, titles, ticks and marks of plots in given Axes.

The Axes of a plot are its main panel, so that a user can change title, labels and ticks as in any other plot.
`Layout` arranges everything when the figure is drawn.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dealerkit.appearance.content import Chart, Place
from dealerkit.appearance.numbers import format_number
from dealerkit.charts.figures import create_figure, name_figure
from dealerkit.charts.layout import LEAST_SIZE, Cells, Layout, Names, keep_position, measure
from dealerkit.charts.style import complete_font, get_color, list_series, use_style
from dealerkit.errors import ArgumentError

WIDTH = 6.4  # width of a new figure in inches
ROW = 0.27  # height in inches of a row in plots with names at the left


class Frame:
    """A plot that is being drawn: its Axes, which are the main panel, and its layout.

    Parameters
    ----------
    ax : matplotlib Axes or None
        The Axes to draw into, which get the style of the package if they are empty; None for a new figure.
    width, height : float
        Size of a new figure in inches.
    title : str, optional
        A title that replaces the plot's own.
    """

    def __init__(self, ax: Any, width: float, height: float, title: str | None = None) -> None:
        if ax is None:
            ax = create_figure(width, height).add_subplot()
        elif not ax.has_data() and not ax.texts:
            ax.clear()  # so that ticks and texts get the settings of the style
            ax.set_facecolor("none")
            ax.spines[:].set(edgecolor=get_color("rule"), linewidth=0.8)
            ax.spines[["top", "right"]].set_visible(False)
        self.ax, self.title, self.layout = ax, title, Layout(ax)

    def write(self, title: str, subtitle: str = "", caption: str = "") -> None:
        """Write the title and subtitle above the panels and the caption below them."""
        title = title if self.title is None else self.title
        name_figure(self.ax.figure, title)
        self.layout.write(self.ax.title, title)
        self.ax.title.set(size=11, weight="bold", color=get_color("text"))
        for name, words in (("subtitle", subtitle), ("caption", caption)):
            if words:
                text = self.ax.text(0, 0, words, size=9, color=get_color("quiet"), linespacing=1.3)
                self.layout.write(text, words)
                self.layout.notes[name] = text

    def add_panels(
        self, ratios: Sequence[float] = (1.0,), *, lines: bool = False, is_column: bool = False
    ) -> list[Any]:
        """Return Axes with sizes in these ratios, side by side or one below the other.

        The first is the main panel. With `lines`, there are horizontal lines at the ticks instead of a
        vertical axis.
        """
        layout, self.layout.ratios, self.layout.is_column = self.layout, list(ratios), is_column
        for _ in ratios[1:]:
            panel = self.ax.inset_axes((0, 0, 1, 1))
            panel.set_axes_locator(functools.partial(keep_position, panel))
            layout.panels.append(panel)
        for panel in layout.panels if lines else ():
            panel.grid(axis="y")
            panel.spines["left"].set_visible(False)
        return layout.panels

    def head(self, panel: Any, words: str) -> None:
        """Write a heading above a panel."""
        text = self.layout.headings[panel] = panel.text(0, 1, words, color=get_color("quiet"))
        self.layout.write(text, words)

    def scale(self, axis: Any, lo: float, hi: float, *, sign: bool = False, unit: str = "") -> None:
        """Let an axis extend from a round number below lo to a round number above hi, with round ticks."""
        from matplotlib.ticker import MaxNLocator

        values = MaxNLocator(5, steps=[1, 2, 5, 10], min_n_ticks=1).tick_values(lo, hi)
        panel = axis.axes
        (panel.set_xlim if axis is panel.xaxis else panel.set_ylim)(values[0], values[-1])
        panel.spines["bottom" if axis is panel.xaxis else "left"].set_bounds(values[0], values[-1])
        self.number(axis, sign=sign, unit=unit)

    def number(self, axis: Any, *, sign: bool = False, unit: str = "", integer: bool = False) -> None:
        """Give an axis as many round ticks as there is room for; zero has no unit among signed ticks."""
        from matplotlib.ticker import FuncFormatter, MaxNLocator

        locator = MaxNLocator(5, steps=[1, 2, 5, 10], integer=integer)
        axis.set_major_locator(locator)
        # A local function would prevent figures from being pickled.
        axis.set_major_formatter(FuncFormatter(functools.partial(_format_tick, sign=sign, unit=unit)))
        self.layout.numbers.append((axis, locator))

    def name(
        self,
        axis: Any,
        labels: Sequence[str],
        colors: Sequence[str] | None = None,
        values: Sequence[int] | None = None,
    ) -> None:
        """Label as many categories at 0, 1, 2 ... of an axis as have room; for `values` see `Names`."""
        from matplotlib.ticker import FuncFormatter

        if values is not None:
            labels = [label.replace("-", "\N{MINUS SIGN}") for label in labels]
        names = Names(labels, values)
        axis.set_ticks(range(len(names.labels)), names.labels)
        written = axis.get_majorticklabels()  # another call would reset the labels
        for label in written:
            complete_font(label)
        names.labels = [label.get_text() for label in written]
        axis.set_major_formatter(FuncFormatter(names))
        for tick, color in zip(axis.get_major_ticks(len(labels)), colors or (), strict=False):
            tick.label1.set_color(color)
        self.layout.names.append((axis, names))

    def name_rows(
        self,
        panel: Any,
        names: Sequence[str],
        colors: Sequence[str] | None = None,
        values: Sequence[int] | None = None,
    ) -> None:
        """Write names at the left of rows 0, 1, 2 ..., from the top."""
        panel.set_ylim(len(names) - 0.4, -0.6)
        panel.tick_params(axis="y", labelcolor=get_color("text"))
        self.name(panel.yaxis, names, colors, values)
        panel.spines["left"].set_visible(False)

    def fill(
        self, panel: Any, texts: Sequence[Any], width: float = 0.0, height: float = 0.0, note: str = ""
    ) -> None:
        """Scale texts so that they fit into cells of size 1, or hide them if they would be too small.

        If they are hidden, `note` is added to the caption, such as the numbers of the tints.
        If `width` and `height`, the size of a cell in inches for texts of full size, are given, texts are
        only scaled.
        """
        if texts:
            needed = max(measure(text.get_text(), text.get_fontproperties()) for text in texts) + 0.06
            lines = max(text.get_text().count("\n") + 1 for text in texts)
            tall = lines * 1.2 * texts[0].get_fontsize() / 72
            sizes = {text: float(text.get_fontsize()) for text in texts}
            least = 0.0 if width else LEAST_SIZE
            self.layout.cells.append(Cells(panel, sizes, width or needed, height or tall, least, note))

    def close(self) -> None:
        """Finish the plot; from now on, it is arranged whenever it is drawn."""
        from matplotlib.text import Text

        # Texts that are hidden if there is no room: all that have no other role
        layout = self.layout
        fixed = {*layout.notes.values(), *layout.headings.values(), *layout.written}
        fixed |= {text for group in layout.cells for text in group.sizes}
        fixed |= {text for _, texts in layout.ends for text in texts}
        layout.labels = [text for panel in layout.panels for text in panel.texts if text not in fixed]
        # Ticks and texts keep the current style
        for panel in layout.panels:
            for axis in (panel.xaxis, panel.yaxis):
                axis.get_major_ticks(max(len(axis.get_majorticklocs()), 12))
                layout.write(axis.label, axis.label.get_text())
            for text in panel.findobj(Text):
                complete_font(text)
                if text in layout.written:
                    layout.write(text, text.get_text())
        layout.caption = layout.notes["caption"].get_text() if "caption" in layout.notes else ""
        self.ax.set_axes_locator(layout)


@contextmanager
def open_frame(place: Any, *, height: float, width: float = WIDTH) -> Iterator[Frame]:
    """Start a plot, and draw in the style of the package until it is complete.

    Parameters
    ----------
    place : Place or matplotlib Axes or None
        Where to draw; None for the Axes of a new figure.
    height, width : float
        Size of a new figure in inches.

    Raises
    ------
    ArgumentError
        Both Axes and the size of a new figure are given.
    """
    ax, figsize, title = Place.of(place)
    _check_place(ax, figsize)
    with use_style(ax):
        frame = Frame(ax, *(figsize or (width, height)), title)
        try:
            yield frame
        except BaseException:
            if ax is None:
                _close_figure(frame.ax.figure)
            raise
        frame.close()


def _check_place(ax: Any, figsize: tuple[float, float] | None) -> None:
    """Raise ArgumentError if both Axes and the size of a new figure are given."""
    if ax is not None and figsize is not None:
        raise ArgumentError("figsize= is for a new figure, but ax= belongs to one already; give one of them")


def _close_figure(figure: Any) -> None:
    import matplotlib.pyplot as plt

    plt.close(figure)


def draw_whisker(
    ax: Any, value: float, lo: float, hi: float, y: float, colour: str | None = None, **options: Any
) -> None:
    """Draw a value as a dot and its interval as a line, by default in the colour of text."""
    colour = get_color("text") if colour is None else colour
    if lo < hi:
        ax.plot([lo, hi], [y, y], color=colour, linewidth=1.4, zorder=3)
    ax.plot(
        value, y, **{"marker": "o", "color": colour, "markersize": 5, "zorder": 4, "clip_on": False} | options
    )


def label_end(ax: Any, text: str, x: float, y: float, side: int, colour: str | None = None) -> None:
    """Write a number beside the end of an interval, by default in the colour of text."""
    ax.annotate(
        text, (x, y), (5 * side, 0), textcoords="offset points", ha="left" if side > 0 else "right",
        va="center_baseline", annotation_clip=False,
        color=get_color("text") if colour is None else colour,
    )  # fmt: skip


def _format_tick(value: float, position: int | None = None, *, sign: bool, unit: str) -> str:
    return format_number(value, sign=sign) + ("" if sign and not value else unit)


def label_lines(frame: Frame, panel: Any, ends: Sequence[tuple[float, float, str]]) -> None:
    """Write names at the ends of lines, given as (y, x, name); names that would overlap are moved apart."""
    texts = [
        panel.annotate(
            label, (x, y), (7, 0), textcoords="offset points", va="center", color=get_color("text"),
            annotation_clip=False,
        )
        for y, x, label in ends
    ]  # fmt: skip
    frame.layout.ends.append((panel, texts))


def mark_series(number: int) -> dict[str, Any]:
    """Return the settings for the marks of a series; all marks except dots are open."""
    colour, marker = list_series()[number]
    face = colour if marker == "o" else get_color("ground")
    return {"color": colour, "marker": marker, "markersize": 4.5, "markerfacecolor": face}


def label_series(panel: Any, names: Sequence[str]) -> None:
    """Write a legend above a panel, with the names and marks of series."""
    from matplotlib.lines import Line2D

    marks = [Line2D([], [], linestyle="", **mark_series(number)) for number in range(len(names))]
    panel.legend(
        marks, names, loc="lower left", bbox_to_anchor=(0, 1), frameon=False, borderaxespad=0.2, borderpad=0,
        handlelength=1, handletextpad=0.4, labelspacing=0.2, labelcolor=get_color("text"), fontsize=9,
    )  # fmt: skip


def stack_charts(
    charts: Sequence[Chart],
    ax: Any = None,
    figsize: tuple[float, float] | None = None,
    title: str | Sequence[str] | None = None,
) -> Any:
    """Draw charts one below the other.

    Parameters
    ----------
    charts : sequence of Chart
        The plots.
    ax : matplotlib Axes, sequence of Axes or Figure, optional
        Axes for each chart, or a figure in which they are created; by default a new figure.
    figsize : (float, float), optional
        Width and height of a new figure in inches.
    title : str or sequence of str, optional
        A title for each chart.

    Returns
    -------
    matplotlib Axes, or ndarray of Axes for several charts

    Raises
    ------
    ArgumentError
        There is no chart; the number of Axes or titles is not that of the charts; or both `ax` and `figsize`
        are given.
    """
    import numpy as np

    # As many titles and Axes as charts
    if not charts:
        raise ArgumentError("nothing to plot: no deal was produced")
    titles = [title] if isinstance(title, str) else [None] * len(charts) if title is None else list(title)
    if len(titles) != len(charts):
        raise ArgumentError(
            f"title= has {len(titles)} titles for {len(charts)} plots; give a list of {len(charts)} texts"
        )
    if len(charts) == 1 and (ax is None or figsize is not None):
        return charts[0].draw(Place(ax, figsize, titles[0]))
    places = _create_places(ax, [chart.height for chart in charts], figsize)
    if len(places) != len(charts):
        raise ArgumentError(
            f"{len(charts)} plots do not fit into {len(places)} Axes; give as many Axes, a figure, or plot "
            "the reports separately"
        )
    drawn = [
        chart.draw(Place(place, None, title))
        for chart, place, title in zip(charts, places, titles, strict=True)
    ]
    return drawn[0] if len(drawn) == 1 else np.array(drawn, dtype=object)


def _create_places(ax: Any, heights: Sequence[float], figsize: tuple[float, float] | None) -> list[Any]:
    """Return the Axes for plots of these heights: the given ones, or new ones below each other."""
    import numpy as np

    _check_place(ax, figsize)
    if ax is not None and not hasattr(ax, "add_axes"):
        return list(ax) if isinstance(ax, Sequence | np.ndarray) else [ax]
    figure = create_figure(*(figsize or (WIDTH, sum(heights)))) if ax is None else ax
    grid = figure.add_gridspec(
        len(heights), 1, left=0, right=1, bottom=0, top=1, hspace=0, height_ratios=heights
    )
    return [figure.add_subplot(grid[k]) for k in range(len(heights))]
