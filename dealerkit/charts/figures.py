"""Figures that notebooks and pages show as SVG, in the page's colours and with the values of their marks."""

from __future__ import annotations

import functools
import hashlib
import io
import re
from html import escape
from typing import Any

from dealerkit.appearance.html import read_tokens, render_fragment
from dealerkit.charts.layout import Layout
from dealerkit.charts.marks import add_values, name_marks
from dealerkit.charts.style import find_theme

NARROW = 3.0  # width in inches of the drawing for outputs that are narrower than 480 pixels
_COLORS = (
    "ground", "text", "quiet", "line", "rule", "data", "exact", "cat3", "cat4", "warn", "spades", "hearts",
    "diamonds", "clubs", "vulnerable",
)  # fmt: skip


_LONG = re.compile(r"(?<=[ML Q\"\n])(-?\d+\.\d\d)\d+(?=[ \"\n])")


@functools.cache
def define_figure() -> Any:
    """Return the class of this package's figures; matplotlib is imported here."""
    from matplotlib.figure import Figure

    class ThemedFigure(Figure):
        """A figure that notebooks show as SVG in the colours of the page."""

        def _repr_html_(self) -> str | None:
            return render_figure(self)

        def render(self) -> str:
            """Return the figure as HTML without the style sheet."""
            return render_drawings(self)

        def __reduce__(self) -> tuple[Any, ...]:  # pickle cannot find a class that a function makes
            return _create_empty_figure, (), self.__getstate__()

    return ThemedFigure


def _create_empty_figure() -> Any:
    figure = define_figure()
    return figure.__new__(figure)


def create_figure(width: float, height: float) -> Any:
    """Return a new figure with a size in inches, which notebooks show as SVG."""
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), FigureClass=define_figure())


def name_figure(figure: Any, title: str) -> None:
    """Add a title to the label of a figure, which screen readers read; figures of others are unchanged."""
    if isinstance(figure, define_figure()):
        names = [name for name in figure.get_label().split("; ") if name]
        figure.set_label("; ".join([*names, *([] if title in names else [title])]))


def render_figure(figure: Any) -> str | None:
    """Return a figure as HTML; return None if its background is dark, so that it is shown as an image."""
    if find_theme(figure.axes[0] if figure.axes else None) == "dark":
        return None
    return render_fragment(render_drawings(figure), figure.get_label())


def render_drawings(figure: Any) -> str:
    """Return a figure as SVG for wide and for narrow outputs, without the style sheet."""
    drawings = [render_svg(figure)]
    if figure.get_size_inches()[0] > NARROW:
        drawings.append(_render_narrow(figure))
    widths = ("", " dk-narrow") if len(drawings) > 1 else ("",)
    return "".join(
        f'<div class="dk-figure{width}">{svg}</div>' for width, svg in zip(widths, drawings, strict=True)
    )


def _render_narrow(figure: Any) -> str:
    """Return a figure as SVG for a telephone, on which the texts of the wide figure would be too small.

    The panels keep their height, and the figure becomes higher because its texts have more lines.
    """
    size = figure.get_size_inches()
    layouts = [locator for ax in figure.axes if isinstance(locator := ax.get_axes_locator(), Layout)]

    def draw(width: float, height: float) -> float:
        figure.set_size_inches(width, height, forward=False)
        figure.draw_without_rendering()
        return sum(layout.measure_notes() for layout in layouts)

    try:
        before = draw(*size)
        for layout in layouts:
            layout.is_shortened = False
        after = draw(NARROW, 3 * size[1])
        figure.set_size_inches(NARROW, size[1] + max(after - before, 0.0), forward=False)
        return render_svg(figure)
    finally:
        for layout in layouts:
            layout.is_shortened = True
        draw(*size)


def render_svg(figure: Any) -> str:
    """Return a figure as SVG for a page; its colours are those of the style sheet.

    It has no background, its texts are outlines, and a narrow page shows it smaller. When the pointer is on a
    mark, its value is shown.
    """
    from matplotlib import rc_context

    # Draw the figure, with the values of its marks
    file = io.StringIO()
    with rc_context({"svg.fonttype": "path", "svg.hashsalt": "dealerkit"}), name_marks(figure) as values:
        figure.savefig(file, format="svg", transparent=True, bbox_inches=None, metadata={"Date": None})
    text = add_values(file.getvalue(), values)
    text = text[text.index("<svg") :]
    # Remove metadata, and a <style> that would apply to the whole page
    text = re.sub(
        r"\s*<metadata>.*?</metadata>|\s*<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.S
    )
    # Replace colours by variables of the style sheet, and shorten numbers
    tokens = read_tokens("light")
    names = {tokens[f"--dk-{name}"]: f"--dk-{name}" for name in reversed(_COLORS)}
    text = re.sub("|".join(names), lambda match: f"var({names[match[0]]}, {match[0]})", text)
    text = _LONG.sub(r"\1", text)  # a hundredth of a pixel is enough
    # Make identifiers unique, because a page can have several figures
    prefix = "dk" + hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{prefix}-", text)
    text = re.sub(r' xmlns(:xlink)?="[^"]*"|xlink:(?=href)', "", text)  # HTML does not need these
    style = "max-width: 100%; height: auto; stroke-linejoin: round; stroke-linecap: butt"
    return text.replace(
        "<svg ", f'<svg role="img" aria-label="{escape(figure.get_label())}" style="{style}" ', 1
    )
