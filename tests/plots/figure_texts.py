"""A check of figures: every text lies inside the figure, and no two overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from dealerkit.appearance.html import read_tokens


def check_texts(figure: Any) -> list[str]:
    """Assert it of the texts that a figure shows, and return them."""
    figure.draw_without_rendering()
    shown = [*figure.texts, *(text for ax in figure.axes for text in find_texts(ax))]
    boxes = [(text.get_text(), text.get_window_extent()) for text in shown if text.get_text().strip()]
    width, height = figure.get_size_inches() * figure.dpi
    outside = [
        name for name, box in boxes if min(box.x0, box.y0) < -1 or box.x1 > width + 1 or box.y1 > height + 1
    ]
    assert not outside, f"outside of the figure: {outside}"
    # A pixel of the empty border of letters may be shared.
    overlapping = [
        (one, other)
        for (one, a), (other, b) in combinations(boxes, 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1
    ]
    assert not overlapping, f"overlapping: {overlapping}"
    return [" ".join(name.split()) for name, _ in boxes]


def check_themes(plot: Callable[[], Any]) -> list[str]:
    """Assert it of a plot on light and on dark ground, with text in its colour; return the texts on dark."""
    import matplotlib.pyplot as plt
    import matplotlib.style

    for style, theme in (("default", "light"), ("dark_background", "dark")):
        with matplotlib.style.context(style):
            ax = plot()
            texts = check_texts(ax.figure)
            assert ax.title.get_color() == read_tokens(theme)["--dk-text"]
            plt.close(ax.figure)
    return texts


def find_texts(ax: Any) -> Iterator[Any]:
    """Yield the visible texts of Axes and of the Axes inside them."""
    yield from (text for text in _list_texts(ax) if text.get_visible() and ax.get_visible())
    for child in ax.child_axes:
        yield from find_texts(child)


def _list_texts(ax: Any) -> Iterator[Any]:
    yield from ax.texts
    yield from (ax.title, ax._left_title, ax._right_title)
    if ax.get_legend() is not None and ax.get_legend().get_visible():
        yield from ax.get_legend().get_texts()
    for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
        yield axis.label
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if low - 1e-9 <= tick.get_loc() <= high + 1e-9:
                yield from (tick.label1, tick.label2)
