"""Colours and settings of all plots: those of the style sheet, for the figure's light or dark background."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from dealerkit.appearance.html import read_tokens
from dealerkit.errors import ArgumentError, quote

_theme: ContextVar[str] = ContextVar("theme", default="light")
_SERIES = (("data", "o"), ("exact", "D"), ("cat3", "s"), ("cat4", "^"))
N_SERIES = len(_SERIES)
_SIZES: Any = {
    "font.family": "DejaVu Sans", "font.size": 9, "axes.titlesize": 9, "axes.titleweight": "normal",
    "axes.labelsize": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.8,
    "axes.axisbelow": True, "axes.grid": False, "axes.facecolor": "none", "axes.xmargin": 0.05,
    "axes.ymargin": 0.05, "axes.titlepad": 6, "xtick.labelsize": 9, "ytick.labelsize": 9,
    "xtick.direction": "out", "xtick.major.size": 3.5, "xtick.major.width": 0.8, "xtick.minor.visible": False,
    "ytick.major.size": 0, "ytick.minor.visible": False, "grid.linewidth": 0.8, "grid.linestyle": "-",
    "grid.alpha": 1, "lines.solid_capstyle": "butt", "lines.linestyle": "-", "lines.marker": "None",
    "patch.linewidth": 0, "patch.force_edgecolor": False, "text.usetex": False, "path.sketch": None,
    "path.effects": [], "text.parse_math": False,
}  # fmt: skip


# Fonts with Chinese, Japanese and Korean letters; the first one that is installed completes ours.
_EASTERN = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans SC", "Source Han Sans", "Yu Gothic",
    "Hiragino Sans", "PingFang SC", "Microsoft YaHei", "MS Gothic", "SimHei", "Malgun Gothic",
    "WenQuanYi Micro Hei", "IPAGothic", "Droid Sans Fallback", "Arial Unicode MS",
)  # fmt: skip


def get_color(name: str) -> str:
    """Return a colour of the style sheet, such as "text" or "data", for the current background.

    >>> get_color("data")
    '#2368b0'
    """
    return read_tokens(_theme.get())[f"--dk-{name}"]


def get_share(name: str) -> float:
    """Return the strength of a tint, "bar" or "heat-top", as part of the full colour.

    >>> get_share("bar")
    0.32
    """
    return float(get_color(name))


def list_series() -> list[tuple[str, str]]:
    """Return the colours and markers of series, in their order."""
    return [(get_color(name), marker) for name, marker in _SERIES]


def find_theme(ax: Any = None) -> str:
    """Return whether the background of a figure is "dark" or "light".

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Axes in the figure; by default it is a new figure.

    Raises
    ------
    ArgumentError
        `ax` is not a matplotlib Axes of two dimensions.
    """
    from matplotlib import rcParams
    from matplotlib.colors import to_rgba

    if ax is not None and (not hasattr(ax, "inset_axes") or hasattr(ax, "get_zlim")):
        raise ArgumentError(f"ax is {quote(ax, 80)}; give matplotlib Axes of two dimensions, or None")
    ground = rcParams["figure.facecolor"] if ax is None else ax.figure.get_facecolor()
    red, green, blue, opacity = to_rgba(ground)
    if opacity < 0.5:  # the background is that of the page, which is dark if text is light
        red, green, blue, _ = to_rgba(rcParams["text.color"])
        return "dark" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "light"
    return "dark" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "light"


@functools.cache
def _find_letters() -> tuple[list[str], frozenset[int], frozenset[int]]:
    """Return the fonts for words with East Asian letters, the letters of our font, and those of all fonts."""
    from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

    installed = set(fontManager.get_font_names())
    fonts = [_SIZES["font.family"], *[name for name in _EASTERN if name in installed][:1]]
    files = [findfont(FontProperties(family=name)) for name in fonts]
    first, *others = (frozenset(get_font(file).get_charmap()) for file in files)
    return fonts, first, first.union(*others)


def complete_font(text: Any) -> None:
    """Choose fonts that have the letters of a text, and replace letters that no font has by boxes.

    matplotlib also draws boxes, but warns about each letter whenever the figure is drawn.
    """
    fonts, own, known = _find_letters()
    words = text.get_text()
    if all(ord(letter) in own or letter.isspace() for letter in words):
        return
    text.set(family=fonts, weight="normal")  # many of these fonts have only one weight
    shown = "".join(letter if ord(letter) in known or letter.isspace() else "□" for letter in words)
    if shown != words:
        text.set_text(shown)


@contextmanager
def use_style(ax: Any = None) -> Iterator[None]:
    """Draw in the style of the package, and restore the settings of matplotlib afterwards.

    Only the settings of the style are restored, because the first figure in a notebook turns on interactive
    mode, which `matplotlib.rc_context` would turn off again.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Axes in the figure whose background decides between light and dark colours; by default a new figure.
    """
    from matplotlib import rcParams

    token = _theme.set(find_theme(ax))
    text, quiet, rule = get_color("text"), get_color("quiet"), get_color("rule")
    style = _SIZES | {
        "text.color": text, "axes.titlecolor": quiet, "axes.labelcolor": quiet, "axes.edgecolor": rule,
        "xtick.color": rule, "ytick.color": rule, "xtick.labelcolor": quiet, "ytick.labelcolor": quiet,
        "grid.color": get_color("line"),
    }  # fmt: skip
    before = {name: rcParams[name] for name in style}
    rcParams.update(style)
    try:
        yield
    finally:
        rcParams.update(before)
        _theme.reset(token)
