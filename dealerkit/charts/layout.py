"""The layout of a plot: the boxes of its panels, texts that fit, and labels that do not overlap.

A plot fills the cell of its Axes. Ticks, names, title and caption are measured whenever the figure is drawn,
so that they also fit in another size, at another resolution, and after a user has changed them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from dealerkit.charts.style import complete_font

PAD = 0.07  # inches around a plot, and between its parts
GAP = 8 / 96  # inches between the labels of ticks
NARROW = 0.65  # inches; a panel narrower than this may have a single label of numbers
NAMES, NARROW_NAMES = 0.42, 0.27  # largest part of the width for the names of rows; before numbers are hidden
NARROWEST, LOWEST = (
    0.5,
    0.55,
)  # least width and height of a panel in inches; if it is smaller, parts are hidden
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000)  # multiples of these are labelled
ENGINE = {"caption": 3.0, "subtitle": 2.2}  # least height in inches for these, with a layout engine
LEAST_SIZE = 0.8  # smallest size of numbers in cells, as part of their full size
MOST_LINES = 20  # most lines of a text for which a figure becomes higher
# What smaller and smaller boxes show: everything, names in less room, no numbers, one panel without a legend
LEVELS = ((0, NAMES), (0, NARROW_NAMES), (1, NAMES), (2, NAMES))


class Names:
    """The labels of categories at 0, 1, 2 ..., for a formatter; the layout chooses which are shown.

    Parameters
    ----------
    labels : sequence of str
        The label of each category.
    values : sequence of int, optional
        If the labels are numbers: these numbers, or their positions in a scale. Such labels are not wrapped,
        and if there is not enough room, those of multiples of 2, 5, 10 ... are shown.
    """

    def __init__(self, labels: Sequence[str], values: Sequence[int] | None = None) -> None:
        self.labels, self.values = list(labels), values
        self.shown = dict(enumerate(self.labels))

    def __call__(self, value: float, position: int | None = None) -> str:
        return self.shown.get(round(value), "")


class Cells(NamedTuple):
    """Texts in the cells of a panel, which are scaled together.

    Attributes
    ----------
    panel : Axes
        The panel.
    sizes : dict of Text to float
        The texts with their full sizes.
    width, height : float
        The size in inches of a unit of the axes that texts of full size need.
    least : float
        The smallest part of the full size; if it would be smaller, the texts are hidden.
    note : str
        A sentence that the caption then has in addition.
    """

    panel: Any
    sizes: dict[Any, float]
    width: float
    height: float
    least: float
    note: str


class Layout:
    """The Axes locator of a plot, which arranges it whenever it is drawn.

    Without a layout engine, the whole plot is inside the cell of its Axes, which is a cell of a grid or the
    rectangle given for the Axes. A layout engine chooses the box of the Axes and measures what is around it.

    Parameters
    ----------
    ax : Axes
        The main panel, which has the title.
    """

    def __init__(self, ax: Any) -> None:
        base: Any = ax.get_axes_locator()
        self.base: Any = base.base if isinstance(base, Layout) else base
        self.ax = ax
        self.panels, self.ratios, self.is_column = [ax], [1.0], False
        self.notes: dict[str, Any] = {}  # subtitle and caption
        self.caption = ""  # the words of the caption, without those about hidden texts of cells
        self.headings: dict[Any, Any] = {}  # the heading of each panel
        self.numbers: list[tuple[Any, Any]] = []  # axes of numbers with their locators
        self.names: list[tuple[Any, Names]] = []  # axes of categories with their labels
        self.cells: list[Cells] = []
        self.ends: list[tuple[Any, list[Any]]] = []  # panels with the names of their lines
        self.labels: list[Any] = []  # texts in panels, which are hidden if there is no room
        self.written: dict[Any, tuple[str, str]] = {}  # the words of each text, and as they were wrapped
        self.hidden: set[Any] = set()
        self.placed: list[list[float]] | None = None  # the box that a layout engine gave to the Axes
        self.names_width = NAMES  # the largest part of the width for the names of rows
        self.is_shortened = True  # whether texts that are too long for the figure are shortened
        self.stretch = 1.0  # how much wider letters become when they are rounded to pixels
        self.box: Any = None  # the last box of all panels, as part of the figure

    def __call__(self, ax: Any, renderer: Any) -> Any:
        """Arrange the plot, and return the box of the main panel as part of the figure."""
        if ax is self.ax and renderer is not None:
            self.stretch = _find_stretch(renderer, self.dpi)
            cell, is_free = self._find_cell(renderer)
            for level, self.names_width in LEVELS:
                self._show(level)
                self._arrange(cell, is_free, renderer)
                boxes = [panel.bbox.size / self.dpi for panel in self.panels if panel.get_visible()]
                lowest = 0.7 * LOWEST if self.names_width == NAMES else 2 * LOWEST  # for names of two lines
                if all(width >= NARROWEST and height >= lowest for width, height in boxes):
                    break
            self._drop_labels(renderer)
        return ax.get_position()

    @property
    def dpi(self) -> float:
        """Dots per inch of the figure."""
        return float(self.ax.figure.dpi)

    @property
    def unit(self) -> float:
        """Dots per inch of measured text."""
        return self.dpi * self.stretch

    # ------------------------------------------------------------------------------------- boxes

    def _find_cell(self, renderer: Any) -> tuple[Any, bool]:
        """Return the cell of the Axes in pixels, and whether the plot fills it without a layout engine.

        With a layout engine, the size of the cell is known before its position.
        """
        from matplotlib.layout_engine import PlaceHolderLayoutEngine
        from matplotlib.transforms import Bbox

        figure = self.ax.figure
        spec, engine = self.ax.get_subplotspec(), figure.get_layout_engine()
        original = self.ax.get_position(original=True)
        if self.base is not None:
            return self.base(self.ax, renderer).transformed(figure.transSubfigure), True
        is_engine = engine is not None and not isinstance(engine, PlaceHolderLayoutEngine)
        points = original.get_points().tolist()  # savefig turns the engine off when the Axes have their box
        if spec is not None and (is_engine or points == self.placed):
            self.placed = points
            rows, columns = spec.get_gridspec().get_geometry()
            share = Bbox([[0, 0], [len(spec.colspan) / columns, len(spec.rowspan) / rows]])
            return share.transformed(figure.transSubfigure), False
        if spec is None or abs(original.get_points() - spec.get_position(figure).get_points()).max() > 1e-6:
            return original.transformed(figure.transSubfigure), True
        return self._leave_titles(_find_grid_cell(spec, figure), renderer), True

    def _leave_titles(self, share: Any, renderer: Any) -> Any:
        """Return a cell in pixels, without the parts that titles of the figure occupy."""
        from matplotlib.transforms import Bbox

        figure = self.ax.figure
        (left, bottom), (right, top) = share.transformed(figure.transSubfigure).get_points()
        for text in figure.texts:
            box = text.get_window_extent(renderer)
            if not text.get_visible() or not text.get_text():
                continue
            if box.y0 > (bottom + top) / 2:
                top = min(top, box.y0)
            elif box.y1 < (bottom + top) / 2 and box.height < box.width:
                bottom = max(bottom, box.y1)
            elif box.x1 < (left + right) / 2:
                left = max(left, box.x1)
        return Bbox([[left, bottom], [right, top]])

    def _arrange(self, cell: Any, is_free: bool, renderer: Any) -> None:
        """Find the boxes of the panels, and place the texts around them."""
        from matplotlib.transforms import Bbox

        # The boxes of the last drawing
        pad, to_share = PAD * self.dpi, self.ax.figure.transSubfigure.inverted()
        original = self.ax.get_position(original=True)
        box = (self.box or original) if is_free else original
        box = box.transformed(self.ax.figure.transSubfigure)
        around = {panel: (0.0, 0.0, 0.0, 0.0) for panel in self.panels}
        for panel in self.panels[1:]:
            panel.apply_aspect(panel.get_position())
        # Texts and boxes depend on each other, so they are fitted until the box is stable.
        for _ in range(6 if is_free else min(len(self.panels), 2)):
            self._divide(box, around)
            self._fit_labels(cell, renderer)
            around = {panel: _measure(panel, self.notes.values(), renderer) for panel in self.panels}
            self._divide(box, around)
            width = cell.width - 2 * pad if is_free else self._find_extent(around).width
            core = self._find_extent(around)
            room = cell.height - (core.height - box.height)
            most = max(2, int(cell.height / self.dpi / 0.9)) if self.is_shortened else MOST_LINES
            least = None if is_free else cell.height
            top, bottom = self._fit_notes(width, room, most, least, renderer)
            if not is_free:
                self._place_notes(core, renderer)
                continue
            left, low = box.x0 - core.x0, box.y0 - core.y0 + bottom
            right, high = core.x1 - box.x1, core.y1 - box.y1 + top
            x0, y0 = cell.x0 + pad + left, cell.y0 + pad + low
            new = Bbox(
                [
                    [x0, y0],
                    [
                        max(x0 + 0.1 * self.dpi, cell.x1 - pad - right),
                        max(y0 + 0.1 * self.dpi, cell.y1 - pad - high),
                    ],
                ]
            )
            is_stable = bool(abs(new.get_points() - box.get_points()).max() < 0.5)
            if is_stable:
                break
            box = new
        else:
            if is_free:
                self._divide(box, around)
                self._fit_labels(cell, renderer)
        self._place_notes(self._find_extent(around), renderer)
        self.box = box.transformed(to_share) if is_free else None

    def _divide(self, box: Any, around: dict[Any, tuple[float, float, float, float]]) -> None:
        """Divide a box among the panels, with gaps for the texts between them."""
        from matplotlib.transforms import Bbox

        panels = [panel for panel in self.panels if panel.get_visible()]
        start, end = (3, 1) if self.is_column else (0, 2)  # of left, bottom, right, top
        gaps = [around[one][end] + around[other][start] + PAD * self.dpi for one, other in pairwise(panels)]
        length = (box.height if self.is_column else box.width) - sum(gaps)
        unit = max(length, 1.0) / sum(self.ratios[: len(panels)])
        at = 0.0
        for panel, ratio, gap in zip(panels, self.ratios, [*gaps, 0.0], strict=False):
            size = ratio * unit
            points = (
                [[box.x0, box.y1 - at - size], [box.x1, box.y1 - at]]
                if self.is_column
                else [[box.x0 + at, box.y0], [box.x0 + at + size, box.y1]]
            )
            panel.apply_aspect(Bbox(points).transformed(self.ax.figure.transSubfigure.inverted()))
            at += size + gap

    def _find_extent(self, around: dict[Any, tuple[float, float, float, float]]) -> Any:
        """Return the box of all panels, including the texts around them."""
        from matplotlib.transforms import Bbox

        boxes = []
        for panel in self.panels:
            if panel.get_visible():
                left, bottom, right, top = around[panel]
                (x0, y0), (x1, y1) = panel.bbox.get_points()
                boxes.append(Bbox([[x0 - left, y0 - bottom], [x1 + right, y1 + top]]))
        return Bbox.union(boxes)

    # ------------------------------------------------------------------------------------- texts

    def write(self, text: Any, words: str) -> None:
        """Set a text that is wrapped when it is drawn."""
        text.set_text(words)
        self.written[text] = words, words

    def _fit(self, text: Any, width: float, most: int) -> None:
        """Wrap a text, which a user may have changed, to a width in pixels and at most `most` lines."""
        from matplotlib import rcParams

        now = text.get_text()
        words, wrapped = self.written.get(text, (now, now))
        if now != wrapped:
            text.set_parse_math(rcParams["text.parse_math"])
            complete_font(text)
            words = text.get_text()
        if not text.get_parse_math() or "$" not in words:
            now = fit_lines(words, text.get_fontproperties(), width / self.unit, most)
        if now != text.get_text():
            text.set_text(now)
        self.written[text] = words, now

    def _show(self, level: int) -> None:
        """Hide what a level does not show, and show everything else."""
        legends = {panel.get_legend() for panel in self.panels} - {None}
        gone = {*self.labels} if level else set()
        gone |= {*self.panels[1:], *legends} if level > 1 else set()
        self._hide(gone, {*self.labels, *self.panels[1:], *legends})

    def _hide(self, gone: set[Any], among: set[Any]) -> None:
        """Hide some artists and show the others, except those that a user has hidden."""
        for artist in among:
            if artist in gone and artist.get_visible():
                artist.set_visible(False)
                self.hidden.add(artist)
            elif artist not in gone and artist in self.hidden:
                artist.set_visible(True)
                self.hidden.discard(artist)

    def _fit_labels(self, cell: Any, renderer: Any) -> None:
        """Fit names, numbers and headings to the current size of the panels."""
        for axis, locator in self.numbers:
            if axis.get_major_locator() is locator:
                _thin_numbers(axis, locator, self.unit)
        for axis, names in self.names:
            _choose_names(axis, names, self.names_width * cell.width / self.unit, self.unit)
        for panel in self.panels:
            self._clear_numbers(panel, renderer)
        for group in self.cells:
            self._scale(group)
        for panel, texts in self.ends:
            _spread(panel, texts, self.dpi)
        most = max(1, int(cell.height / self.dpi / 1.2))
        for panel in self.panels:
            self._fit(panel.xaxis.label, panel.bbox.width, most)
            self._fit(panel.yaxis.label, max(panel.bbox.height, 0.8 * self.dpi), most)
            for text in panel.get_legend().get_texts() if panel.get_legend() else ():
                self._fit(text, cell.width - 0.8 * self.dpi, most)
        for panel, text in self.headings.items():
            self._fit(text, 0.94 * panel.bbox.width, most)
            ticks = panel.xaxis.get_tightbbox() if panel.xaxis.get_ticks_position() == "top" else None
            above = max(ticks.y1 - panel.bbox.y1, 0.0) if ticks else 0.0
            _pin(text, panel, 1, 0.0, above / self.dpi + 4 / 72)

    def _clear_numbers(self, panel: Any, renderer: Any) -> None:
        """Move the names of rows away from numbers that reach beyond the left end of the axis."""
        if any(axis is panel.yaxis for axis, _ in self.names):
            shown = [text for text in self.labels if text.axes is panel and text.get_visible()]
            lefts = [text.get_window_extent(renderer).x0 for text in shown]
            beyond = max([panel.bbox.x0 - left for left in lefts], default=0.0) / self.dpi
            panel.tick_params(axis="y", pad=max(3.5, 72 * beyond + 5))

    def _scale(self, group: Cells) -> None:
        """Scale the texts in cells so that they fit."""
        (x0, y0), (x1, y1) = group.panel.transData.transform([(0, 0), (1, 1)])
        unit = self.unit if group.least else self.dpi
        width, height = abs(x1 - x0) / unit, abs(y1 - y0) / unit
        share = min(1.0, width / group.width, height / group.height)
        self._hide({*group.sizes} if share < group.least else set(), {*group.sizes})
        for text, size in group.sizes.items() if share >= group.least else ():
            text.set_fontsize(share * size)

    def _fit_notes(
        self, width: float, room: float, most: int, least: float | None, renderer: Any
    ) -> tuple[float, float]:
        """Wrap title, subtitle and caption, and return their heights above and below the panels in pixels.

        If there is little room, the caption is hidden first, then the subtitle.
        """
        height, gap = {}, 0.5 * PAD * self.dpi
        for name, text in (("title", self.ax.title), *self.notes.items()):
            if text in self.hidden:
                self._hide(set(), {text})
            if name == "caption":
                self._complete_caption(text)
            self._fit(text, width, most)
            is_shown = text.get_visible() and text.get_text().strip()
            height[name] = text.get_window_extent(renderer).height + gap if is_shown else 0.0
        room -= LOWEST * self.dpi + 2 * PAD * self.dpi
        for name in ("caption", "subtitle"):
            is_low = sum(height.values()) > room if least is None else least < ENGINE[name] * self.dpi
            if is_low and height.get(name):
                self._hide({self.notes[name]}, {self.notes[name]})
                height[name] = 0.0
        above, below = height["title"] + height.get("subtitle", 0.0), height.get("caption", 0.0)
        return above + gap * bool(above), below + gap * bool(below)

    def _complete_caption(self, text: Any) -> None:
        """Add sentences about texts of cells that are hidden to a caption, unless a user has changed it."""
        words, wrapped = self.written[text]
        if text.get_text() == wrapped and words.startswith(self.caption):
            gone = [group.note for group in self.cells if self.hidden.intersection(group.sizes)]
            self.written[text] = " ".join(filter(None, [self.caption, *gone])), wrapped

    def measure_notes(self) -> float:
        """Return the height of title, subtitle and caption in inches, as last drawn."""
        texts = [text for text in (self.ax.title, *self.notes.values()) if text.get_text().strip()]
        return float(sum(text.get_window_extent().height for text in texts if text.get_visible()) / self.dpi)

    def _place_notes(self, core: Any, renderer: Any) -> None:
        """Place title and subtitle above and the caption below, aligned with the left edge of the plot."""
        box, gap = self.ax.bbox, 0.5 * PAD * self.dpi
        left, at = (core.x0 - box.x0) / self.dpi, core.y1 + 2 * gap
        for text in (self.notes.get("subtitle"), self.ax.title):
            if text is not None and text.get_visible() and text.get_text().strip():
                _pin(text, self.ax, 1, left, (at - box.y1) / self.dpi)
                at += text.get_window_extent(renderer).height + gap
        if "caption" in self.notes:
            _pin(self.notes["caption"], self.ax, 0, left, (core.y0 - 2 * gap - box.y0) / self.dpi)

    def _drop_labels(self, renderer: Any) -> None:
        """Hide texts in panels that overlap earlier ones."""
        kept = [
            label.get_window_extent(renderer)
            for panel in self.panels
            if panel.get_visible() and panel.axison
            for axis in (panel.xaxis, panel.yaxis)
            for label in _list_shown(axis)
        ]
        kept += [
            panel.get_legend().get_window_extent(renderer) for panel in self.panels if panel.get_legend()
        ]
        kept += [text.get_window_extent(renderer) for text in self.headings.values()]
        gone = set()
        for text in self.labels:
            if not text.get_visible() or not text.get_text():
                continue
            box = text.get_window_extent(renderer)
            if any(_overlap(box, other) for other in kept):
                gone.add(text)
            else:
                kept.append(box)
        # If one text of a row is hidden, hide all, because others could be taken for it.
        rows = {axis.axes for axis, _ in self.names if axis is axis.axes.yaxis}
        crowded = {text.axes for text in gone} & rows
        gone |= {text for text in self.labels if text.axes in crowded and text.get_visible()}
        if gone:
            self._hide(gone, gone)


def keep_position(panel: Any, ax: Any, renderer: Any) -> Any:
    """Return the box that the layout gave to a panel beside the main one; for `set_axes_locator`."""
    return panel.get_position()


def _find_grid_cell(spec: Any, figure: Any) -> Any:
    """Return a cell of a grid, with half of the space around it, as part of the figure."""
    from matplotlib.transforms import Bbox

    bottoms, tops, lefts, rights = spec.get_gridspec().get_grid_positions(figure)
    top = spec.get_topmost_subplotspec()
    outer = Bbox([[0, 0], [1, 1]]) if top is spec else _find_grid_cell(top, figure)
    (x0, y0), (x1, y1) = outer.get_points()
    rows, columns = spec.rowspan, spec.colspan
    if columns.start:
        x0 = (rights[columns.start - 1] + lefts[columns.start]) / 2
    if columns.stop < len(lefts):
        x1 = (rights[columns.stop - 1] + lefts[columns.stop]) / 2
    if rows.start:
        y1 = (bottoms[rows.start - 1] + tops[rows.start]) / 2
    if rows.stop < len(tops):
        y0 = (bottoms[rows.stop - 1] + tops[rows.stop]) / 2
    return Bbox([[x0, y0], [x1, y1]])


def _measure(panel: Any, notes: Any, renderer: Any) -> tuple[float, float, float, float]:
    """Return how many pixels ticks, labels and texts extend beyond a panel: left, below, right, above."""
    from matplotlib.transforms import Bbox

    without = {*notes, *panel.child_axes}
    parts = [axis for axis in (panel.xaxis, panel.yaxis) if panel.axison and axis.get_visible()]
    parts += [part for part in panel.get_default_bbox_extra_artists() if part not in without]
    found = [part.get_tightbbox(renderer) for part in parts]
    boxes = [box for box in found if box is not None and abs(box.get_points()).max() < float("inf")]
    (x0, y0), (x1, y1) = panel.bbox.get_points()
    outer = Bbox.union([*boxes, panel.bbox])
    return x0 - outer.x0, y0 - outer.y0, outer.x1 - x1, outer.y1 - y1


def _pin(text: Any, panel: Any, height: int, right: float, up: float) -> None:
    """Place a text at the left edge of a panel, above it (height 1) or below it (0), moved by inches."""
    from matplotlib.transforms import Affine2D, ScaledTranslation

    # The transform keeps this place even if matplotlib moves a title.
    corner = Affine2D().scale(0).translate(0, height) + panel.transAxes
    text.set_transform(corner + ScaledTranslation(right, up, panel.figure.dpi_scale_trans))
    text.set(ha="left", va="bottom" if height else "top")


def _overlap(one: Any, other: Any) -> bool:
    """Return whether two boxes overlap by more than a pixel."""
    return bool(
        min(one.x1, other.x1) - max(one.x0, other.x0) > 1
        and min(one.y1, other.y1) - max(one.y0, other.y0) > 1
    )


def _list_shown(axis: Any) -> Iterator[Any]:
    """Yield the labels of the ticks that are visible."""
    low, high = sorted(axis.get_view_interval())
    margin = 1e-6 * (high - low)
    for tick in axis.get_major_ticks(len(axis.get_majorticklocs())):
        if low - margin <= tick.get_loc() <= high + margin:
            yield from (
                label for label in (tick.label1, tick.label2) if label.get_visible() and label.get_text()
            )


# ----------------------------------------------------------------------------------------- words


@functools.lru_cache(maxsize=4096)
def _measure_letter(letter: str, weight: Any, family: tuple[str, ...]) -> float:
    """Return the width of a letter as part of the font size."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=list(family), size=100, weight=weight)
    find_size = functools.partial(text_to_path.get_text_width_height_descent, prop=font, ismath=False)
    return float(find_size(2 * letter + "|")[0] - find_size(letter + "|")[0]) / 100


def measure(words: str, font: Any) -> float:
    """Return the width in inches of the longest line of a text in a font."""
    weight, family = font.get_weight(), tuple(font.get_family())
    widths = [sum(_measure_letter(letter, weight, family) for letter in line) for line in words.split("\n")]
    return 1.03 * max(widths) * float(font.get_size_in_points()) / 72  # 3 % more for rounding to pixels


def _find_stretch(renderer: Any, dpi: float) -> float:
    """Return the ratio of drawn to measured widths of texts, at least 1."""
    from matplotlib.font_manager import FontProperties

    font, sample = FontProperties(family="DejaVu Sans", size=9), "intervals of 0123456789 deals, mean tricks"
    width = renderer.get_text_width_height_descent(sample, font, False)[0] / dpi
    return max(1.0, float(width) / measure(sample, font))


def wrap(words: str, font: Any, width: float) -> list[str]:
    """Wrap a text to lines of a width in inches; longer words are broken."""
    lines: list[str] = []
    for line in words.split("\n"):
        parts = line.split(" ")
        current = ""
        for part in parts:
            longer = f"{current} {part}" if current else part
            if current and measure(longer, font) > width:
                lines.append(current)
                current = part
            else:
                current = longer
            while len(current) > 1 and measure(current, font) > width:
                end = _count_letters(current, font, width)
                lines.append(current[:end])
                current = current[end:]
        lines.append(current)
    return lines


def _count_letters(words: str, font: Any, width: float) -> int:
    """Return the number of letters that fit into a width in inches, at least 1."""
    return max((end for end in range(1, len(words) + 1) if measure(words[:end], font) <= width), default=1)


def fit_lines(words: str, font: Any, width: float, most: int) -> str:
    """Wrap a text to at most `most` lines; the last one is shortened if the rest does not fit."""
    lines = wrap(words, font, width)
    if len(lines) <= most:
        return "\n".join(lines)
    rest = " ".join(lines[most - 1 :])
    room = width - measure("…", font)
    return "\n".join([*lines[: most - 1], rest[: _count_letters(rest, font, room)].rstrip() + "…"])


def fit_label(label: str, font: Any, width: float, most: int) -> str:
    """Wrap a label like `fit_lines`; if it has several lines, the last one is never shortened."""
    *names, state = label.split("\n")
    if not names:
        return fit_lines(label, font, width, most)
    if most > 1:
        return f"{fit_lines(' '.join(names), font, width, most - 1)}\n{state}"
    return f"{fit_lines(' '.join(names), font, width - measure(f', {state}', font), 1)}, {state}"


# ----------------------------------------------------------------------------------------- ticks


def _get_font(axis: Any) -> Any:
    return axis.get_major_ticks(1)[0].label1.get_fontproperties()


def _find_places(axis: Any, values: Sequence[float], dpi: float) -> list[float]:
    """Return the positions of values on an axis in inches."""
    points = [(value, 0) if axis.axis_name == "x" else (0, value) for value in values]
    column = 0 if axis.axis_name == "x" else 1
    return [float(place) / dpi for place in axis.axes.transData.transform(points)[:, column]]


def _are_apart(places: Sequence[float], lengths: Sequence[float], gap: float) -> bool:
    """Return whether there is a gap between all labels, given their positions and lengths."""
    marks = sorted(zip(places, lengths, strict=True))
    return all(after - at >= (one + other) / 2 + gap for (at, one), (after, other) in pairwise(marks))


def _thin_numbers(axis: Any, locator: Any, dpi: float) -> None:
    """Give an axis of numbers as many ticks as there is room for their labels.

    If there is no room for labels in steps of 1, 2 or 5, steps of 4 are tried; a narrow panel then has a
    single label.
    """
    font, is_x = _get_font(axis), axis.axis_name == "x"
    low, high = sorted(axis.get_view_interval())
    tall = 1.3 * font.get_size_in_points() / 72
    length = (axis.axes.bbox.width if is_x else axis.axes.bbox.height) / dpi
    most = min(10, max(2, int(length / (0.3 if is_x else 1.6 * tall))))
    choices = [(count, [1, 2, 5, 10], 2) for count in range(most, 0, -1)] + [(2, [1, 2, 4, 5, 10], 2)]
    if length < NARROW:
        choices.append((1, [1, 2, 5, 10], 1))
    for count, steps, least in choices:
        locator.set_params(nbins=count, steps=steps, min_n_ticks=least)
        slack = 1e-9 * (high - low)
        values = [value for value in locator() if low - slack <= value <= high + slack]
        labels = axis.get_major_formatter().format_ticks(values)
        lengths = [measure(label, font) if is_x else tall for label in labels]
        if _are_apart(_find_places(axis, values, dpi), lengths, GAP if is_x else 0.0):
            return


def _choose_names(axis: Any, names: Names, room: float, dpi: float) -> None:
    """Choose which categories are labelled, and wrap their labels."""
    if not names.labels:
        return
    # Wrap the labels
    font, is_x = _get_font(axis), axis.axis_name == "x"
    places = _find_places(axis, range(len(names.labels)), dpi)
    pitch = abs(places[1] - places[0]) if len(places) > 1 else room
    tall = 1.25 * font.get_size_in_points() / 72
    gap = GAP if is_x else 0.0
    if is_x:
        is_number = names.values is not None
        words = " ".join(names.labels).split()
        if not is_number and max((measure(word, font) for word in words), default=0.0) > pitch - GAP:
            gap = GAP / 3  # rather than break a word
        width, most = (room if is_number else max(pitch - gap, 0.5)), 1 if is_number else 2
    else:
        width, most = room, 2 if pitch >= 2.3 * tall else 1
    texts = [fit_label(label, font, width, most) for label in names.labels]
    lengths = [measure(text, font) if is_x else tall * (text.count("\n") + 1) for text in texts]
    # Label multiples of a step that do not overlap
    marks = range(len(names.labels)) if names.values is None else names.values
    for step in STEPS:
        chosen = _choose_places(marks, step, lambda one, other: _are_apart(
            [places[one], places[other]], [lengths[one], lengths[other]], gap
        ))  # fmt: skip
        if _are_apart([places[k] for k in chosen], [lengths[k] for k in chosen], gap):
            break
    names.shown = {k: texts[k] for k in chosen}
    for k, tick in enumerate(axis.get_major_ticks(len(places)) if is_x else ()):
        tick.tick1line.set_visible(k in names.shown and axis.get_ticks_position() == "bottom")


def _choose_places(marks: Sequence[int], step: int, is_apart: Callable[[int, int], bool]) -> list[int]:
    """Return the indices of marks that are multiples of a step, with the first and the last index."""
    last = len(marks) - 1
    inner = [
        k
        for k in range(1, last)
        if marks[k] % step == 0 and 2 * min(k, last - k) > step and is_apart(0, k) and is_apart(k, last)
    ]
    return [0, *inner, last] if last and is_apart(0, last) else [0]


def _spread(panel: Any, texts: Sequence[Any], dpi: float) -> None:
    """Move the names of lines apart if they would overlap."""
    step = 1.3 * texts[0].get_fontsize() / 72 if texts else 0.0
    heights = [float(panel.transData.transform(text.xy)[1]) / dpi for text in texts]
    at = float("-inf")
    for height, text in sorted(zip(heights, texts, strict=True), key=lambda pair: pair[0]):
        at = max(height, at + step)
        text.xyann = (7, 72 * (at - height))
