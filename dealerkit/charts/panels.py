"""Panels with title, subtitle and caption that lie inside the given Axes, and their style.

Every text of a plot lies inside its Axes, so nothing is cut off, in whatever figure the Axes are.
Sizes are in inches, so that plots below each other align.
"""

from __future__ import annotations

import functools
import hashlib
import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

from dealerkit.appearance.content import Chart
from dealerkit.appearance.html import read_tokens, render_fragment
from dealerkit.appearance.numbers import format_number
from dealerkit.charts.style import find_theme, get_color, use_style
from dealerkit.errors import ArgumentError

WIDTH = 6.4  # of a new figure
ROW = 0.27  # height of a row of a plot with names at the left


class Frame:
    """The place of a plot: its Axes, without lines, in which title, caption and panels lie.

    Parameters
    ----------
    ax : matplotlib Axes or None
        None: those of a new figure of the given size.
    width, height : float
        In inches, of a new figure.
    """

    def __init__(self, ax: Any, width: float, height: float) -> None:
        if ax is None:
            ax = create_figure(width, height).add_axes((0, 0, 1, 1))
        elif ax.figure.get_layout_engine() is not None:
            ax.figure.draw_without_rendering()  # the size of the Axes is known from then on
        ax.set_axis_off()
        self.ax = ax
        self.width, self.height = ax.get_window_extent().size / ax.figure.dpi
        self.top = self.bottom = 0.0
        self._widths: dict[Any, float] = {}

    def write(self, title: str, subtitle: str = "", caption: str = "") -> None:
        """Write title and subtitle above the panels and the caption below them, in lines that fit."""
        name_figure(self.ax.figure, title)
        self.top = 0.08
        quiet = get_color("quiet")
        for text, size, options in ((title, 11, {"weight": "bold"}), (subtitle, 9, {"color": quiet})):
            if text:
                lines = self._wrap(text, size * (1.12 if options.get("weight") else 1))
                self._put(lines, 1 - self.top / self.height, size, "top", **options)
                self.top += len(lines) * size * 1.35 / 72 + 0.05
        lines = self._wrap(caption, 8) if caption else []
        self._put(lines, 0.06 / self.height, 8, "bottom", color=quiet)
        self.bottom = 0.06 + len(lines) * 8 * 1.35 / 72

    def _wrap(self, text: str, size: float) -> list[str]:
        """Return text in lines that fit into the width, by the mean width of letters of a size in points."""
        return textwrap.wrap(text, max(12, int((self.width - 0.2) * 72 / (0.56 * size))))

    def _put(self, lines: list[str], y: float, size: float, place: str, **options: Any) -> None:
        self.ax.text(
            0.1 / self.width, y, "\n".join(lines), size=size, va=place, transform=self.ax.transAxes,
            linespacing=1.3, **options,
        )  # fmt: skip

    def add_panels(
        self,
        ratios: Sequence[float] = (1.0,),
        *,
        left: float = 0.6,
        right: float = 0.2,
        top: float = 0.2,
        bottom: float = 0.35,
        gap: float = 0.25,
        lines: bool = False,
    ) -> list[Any]:
        """Return Axes side by side with widths in these ratios.

        The margins, in inches, have room for names, numbers and ticks; title and caption are outside of them.
        With `lines` horizontal ones stand at the ticks, in place of the vertical axis.
        """
        top, bottom = self.top + top, self.bottom + bottom
        inside = self.width - left - right - gap * (len(ratios) - 1)
        height = max(0.2, self.height - top - bottom)
        panels, x = [], left
        for ratio in ratios:
            width = max(0.2, inside * ratio / sum(ratios))
            box = (x / self.width, bottom / self.height, width / self.width, height / self.height)
            panels.append(self.ax.inset_axes(box))
            if lines:
                panels[-1].grid(axis="y")
                panels[-1].spines["left"].set_visible(False)
            self._widths[panels[-1]] = width
            x += width + gap
        return panels

    def get_width(self, panel: Any) -> float:
        """Return the width of a panel in inches."""
        return self._widths[panel]

    def measure(self, names: Sequence[str], size: float = 9) -> float:
        """Return the width in inches of the longest name."""
        text = self.ax.text(0, 0, "\n".join(names), size=size)
        width = float(text.get_window_extent().width) / self.ax.figure.dpi
        text.remove()
        return width

    def scale(self, panel: Any, lo: float, hi: float, sign: bool = False, unit: str = "") -> None:
        """Set round ticks from below lo to above hi, with the line of the axis from the first to the last."""
        from matplotlib.ticker import MaxNLocator

        width = (0.5 if sign else 0.42) + 0.08 * len(unit)
        room = max(1, int(self._widths[panel] / width))  # ticks that have room, less one
        for count in range(room, 0, -1):
            values = list(MaxNLocator(count, steps=[1, 2, 5, 10], min_n_ticks=1).tick_values(lo, hi))
            if len(values) <= room + 1:
                break
        else:
            values = [values[0], values[-1]]
        panel.set_xticks(values)
        panel.set_xlim(values[0], values[-1])
        panel.spines["bottom"].set_bounds(values[0], values[-1])
        format_ticks(panel.xaxis, sign=sign, unit=unit)


@contextmanager
def open_frame(ax: Any, width: float, height: float) -> Iterator[Frame]:
    """Make the frame of a plot, and draw in the style of the package until it is complete.

    Parameters
    ----------
    ax : matplotlib Axes or None
        None: those of a new figure of the given size.
    width, height : float
        In inches, of a new figure.
    """
    with use_style(ax):
        yield Frame(ax, width, height)


def draw_whisker(
    ax: Any, value: float, lo: float, hi: float, y: float, colour: str | None = None, **options: Any
) -> None:
    """Draw a value as a dot with its interval as a line, by default in the colour of text."""
    colour = get_color("text") if colour is None else colour
    if lo < hi:
        ax.plot([lo, hi], [y, y], color=colour, linewidth=1.4, zorder=3)
    ax.plot(
        value, y, **{"marker": "o", "color": colour, "markersize": 5, "zorder": 4, "clip_on": False} | options
    )


def label_end(ax: Any, text: str, x: float, y: float, side: int, colour: str | None = None) -> None:
    """Write a number beside the end of a whisker, by default in the colour of text."""
    ax.annotate(
        text, (x, y), (5 * side, 0), textcoords="offset points", ha="left" if side > 0 else "right",
        va="center_baseline", size=8.5, annotation_clip=False,
        color=get_color("text") if colour is None else colour,
    )  # fmt: skip


def name_rows(ax: Any, names: Sequence[str], colours: Sequence[str] | None = None) -> None:
    """Write names at the left of rows, the first one at the top."""
    ax.set_yticks(range(len(names))[::-1], names, color=get_color("text"))
    for label, colour in zip(ax.get_yticklabels(), colours or (), strict=False):
        label.set_color(colour)
    ax.set_ylim(-0.6, len(names) - 0.4)
    ax.spines["left"].set_visible(False)


def format_ticks(axis: Any, *, sign: bool = False, unit: str = "") -> None:
    """Write the ticks of an axis as dealerkit writes numbers; zero among signed ones has no unit."""
    from matplotlib.ticker import FuncFormatter

    # No function within this one: a figure that has it could not be pickled.
    axis.set_major_formatter(FuncFormatter(functools.partial(_format_tick, sign=sign, unit=unit)))


def _format_tick(value: float, position: int | None = None, *, sign: bool, unit: str) -> str:
    return format_number(value, sign=sign) + ("" if sign and not value else unit)


def label_lines(frame: Frame, panel: Any, ends: Sequence[tuple[float, float, str]]) -> None:
    """Write names at the ends of lines, each with height and place, moved apart where they would overlap."""
    low, high = panel.get_ylim()
    step = 0.17 / (panel.get_position().height * frame.height) * (high - low)
    at = float("-inf")
    for y, x, label in sorted(ends):
        at = max(y, at + step)
        panel.annotate(
            label, (x, at), (7, 0), textcoords="offset points", va="center", color=get_color("text"),
            annotation_clip=False,
        )  # fmt: skip


def thin_ticks(panel: Any, labels: Sequence[str], frame: Frame) -> None:
    """Label each tick, or every second, fifth, tenth ... so that there is space between the labels."""
    room = frame.get_width(panel)
    widest = frame.measure(labels) + 8 / 72
    step = next(
        step for step in (1, 2, 5, 10, 20, 50, 100, 1000, 10_000) if widest * len(labels) / step <= room
    )  # fmt: skip
    first = 0
    if step > 1:  # round numbers are labelled
        round_ones = (k for k, text in enumerate(labels) if text.isdigit() and not int(text) % step)
        first = next(round_ones, 0)
    places = range(first, len(labels), step)
    panel.set_xticks(places, [labels[k] for k in places])


def stack_charts(charts: Sequence[Chart], ax: Any = None) -> Any:
    """Draw charts below each other.

    Parameters
    ----------
    charts : sequence of Chart
    ax : matplotlib Axes, sequence of Axes or Figure, optional
        One Axes for each chart, or a figure that gets them; by default a new figure.

    Returns
    -------
    matplotlib Axes, or ndarray of Axes for several charts

    Raises
    ------
    ArgumentError
        There is no chart, or there are not as many Axes as charts.
    """
    import numpy as np

    if not charts:
        raise ArgumentError("nothing to plot: no deal was produced")
    places = _create_places(ax, [chart.height for chart in charts])
    if len(places) != len(charts):
        raise ArgumentError(
            f"{len(charts)} plots do not fit into {len(places)} Axes; give as many Axes, a figure, or plot "
            "the reports separately"
        )
    drawn = [chart.draw(place) for chart, place in zip(charts, places, strict=True)]
    return drawn[0] if len(drawn) == 1 else np.array(drawn, dtype=object)


def _create_places(ax: Any, heights: Sequence[float]) -> list[Any]:
    """Return the Axes for plots of these heights: the given ones, or parts of a figure below each other."""
    import numpy as np

    if ax is not None and not hasattr(ax, "add_axes"):
        return list(ax) if isinstance(ax, Sequence | np.ndarray) else [ax]
    figure = create_figure(WIDTH, sum(heights)) if ax is None else ax
    ends = 1 - np.cumsum([0.0, *heights]) / sum(heights)
    return [figure.add_axes((0, low, 1, high - low)) for high, low in zip(ends[:-1], ends[1:], strict=True)]


_COLORS = (
    "ground", "text", "quiet", "line", "rule", "data", "exact", "cat3", "cat4", "warn", "spades", "hearts",
    "diamonds", "clubs", "vulnerable",
)  # fmt: skip


@functools.cache
def define_figure() -> Any:
    """Return the class of figures of this package; matplotlib is imported here."""
    from matplotlib.figure import Figure

    class ThemedFigure(Figure):
        """A figure that notebooks show as SVG in the colours of the page."""

        def _repr_html_(self) -> str | None:
            return render_figure(self)

        def __reduce__(self) -> tuple[Any, ...]:  # pickle does not find a class made by a function
            return _create_empty_figure, (), self.__getstate__()

    return ThemedFigure


def _create_empty_figure() -> Any:
    figure = define_figure()
    return figure.__new__(figure)


def create_figure(width: float, height: float) -> Any:
    """Return a new figure of a size in inches, which notebooks show as SVG."""
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), FigureClass=define_figure())


def name_figure(figure: Any, title: str) -> None:
    """Add a title to the label of a figure of this package, which readers of the screen hear."""
    if isinstance(figure, define_figure()):
        names = [name for name in figure.get_label().split("; ") if name]
        figure.set_label("; ".join([*names, *([] if title in names else [title])]))


def render_figure(figure: Any) -> str | None:
    """Return HTML of a figure on a light ground; None on a dark one, which is shown as an image."""
    if find_theme(figure.axes[0] if figure.axes else None) == "dark":
        return None
    return render_fragment(f'<div class="dk-figure">{render_svg(figure)}</div>', figure.get_label())


def render_svg(figure: Any) -> str:
    """Return a figure as SVG for a page; its colours are tokens of the style sheet.

    No ground is painted, the text is drawn as outlines, and a narrow page shows the figure smaller.
    """
    from matplotlib import rc_context

    file = io.StringIO()
    with rc_context({"svg.fonttype": "path", "svg.hashsalt": "dealerkit"}):
        figure.savefig(file, format="svg", transparent=True, bbox_inches=None, metadata={"Date": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    # A <style> of a drawing holds for the whole page; this one is a rule for all elements.
    text = re.sub(
        r"\s*<metadata>.*?</metadata>|\s*<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.S
    )
    tokens = read_tokens("light")
    names = {tokens[f"--dk-{name}"]: f"--dk-{name}" for name in reversed(_COLORS)}
    text = re.sub("|".join(names), lambda match: f"var({names[match[0]]}, {match[0]})", text)
    # Several figures are on a page, so each has identifiers of its own.
    prefix = "dk" + hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{prefix}-", text)
    style = "max-width: 100%; height: auto; stroke-linejoin: round; stroke-linecap: butt"
    return text.replace(
        "<svg ", f'<svg role="img" aria-label="{escape(figure.get_label())}" style="{style}" ', 1
    )
