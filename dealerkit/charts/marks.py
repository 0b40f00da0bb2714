"""The values of the marks of a figure, which a page shows when the pointer is on one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

from dealerkit.appearance.numbers import format_significant
from dealerkit.charts.layout import Names

MOST_MARKS = 200  # series with more marks are clouds, whose single values do not matter
_USE = re.compile(r"<use [^>]*/>")
_PATH = re.compile(r"<path [^>]*/>")


@contextmanager
def name_marks(figure: Any) -> Iterator[dict[str, list[str]]]:
    """Give identifiers to the marks of a figure while it is drawn; yield their values as sentences."""
    values: dict[str, list[str]] = {}
    named = []
    for number, panel in enumerate(figure.findobj(match=lambda artist: hasattr(artist, "get_xlim"))):
        intervals = _find_intervals(panel)
        for artist, texts in (*_describe_dots(panel, intervals), *_describe_bars(panel)):
            if artist.get_gid() is None and 0 < len(texts) <= MOST_MARKS:
                identifier = f"marks-{number}-{len(values)}"
                artist.set_gid(identifier)
                values[identifier] = texts
                named.append(artist)
    try:
        yield values
    finally:
        for artist in named:
            artist.set_gid(None)


def add_values(svg: str, values: Mapping[str, Sequence[str]]) -> str:
    r"""Add the values of marks to an SVG as titles.

    >>> add_values('<g id="a">\n<use x="1"/>\n</g>', {"a": ["north: 3"]})
    '<g id="a">\n<use x="1"><title>north: 3</title></use>\n</g>'
    """
    for identifier, texts in values.items():
        begin = svg.find(f'<g id="{identifier}"')
        if begin < 0:
            continue
        end = _find_end(svg, begin)
        for pattern in (_USE, _PATH):
            marks = list(pattern.finditer(svg, begin, end))
            if len(marks) == len(texts):
                svg = _insert(svg, marks, texts)
                break
    return svg


def _find_end(svg: str, begin: int) -> int:
    """Return the position after the group that begins at `begin`."""
    depth = 0
    for tag in re.finditer(r"<g\b|</g>", svg[begin:]):
        depth += 1 if tag[0] == "<g" else -1
        if not depth:
            return begin + tag.end()
    return len(svg)


def _insert(svg: str, marks: Sequence[re.Match[str]], texts: Sequence[str]) -> str:
    parts, end = [], 0
    for mark, text in zip(marks, texts, strict=True):
        name = "use" if mark[0].startswith("<use") else "path"
        parts += [svg[end : mark.end() - 2], f"><title>{escape(text)}</title></{name}>"]
        end = mark.end()
    return "".join([*parts, svg[end:]])


def _find_intervals(panel: Any) -> list[tuple[int, float, float, float]]:
    """Return the lines of intervals: their axis (0 or 1), their position on the other axis, their ends."""
    segments = [
        line.get_xydata()
        for line in panel.lines
        if len(line.get_xdata()) == 2 and line.get_marker() in ("None", "", None)
    ]
    for collection in panel.collections:
        segments += getattr(collection, "get_segments", list)()
    found: list[tuple[int, float, float, float]] = []
    for segment in segments:
        if len(segment) != 2:
            continue
        (x0, y0), (x1, y1) = segment
        if y0 == y1 and x0 != x1:
            found.append((0, float(y0), float(min(x0, x1)), float(max(x0, x1))))
        elif x0 == x1 and y0 != y1:
            found.append((1, float(x0), float(min(y0, y1)), float(max(y0, y1))))
    return found


def _describe_dots(panel: Any, intervals: Sequence[tuple]) -> Iterator[tuple[Any, list[str]]]:
    """Yield each series of dots, with a sentence for each dot."""
    for line in panel.lines:
        if line.get_marker() in ("None", "", None) or line.get_transform() != panel.transData:
            continue
        yield line, [_describe_dot(panel, float(x), float(y), intervals) for x, y in line.get_xydata()]


def _describe_dot(panel: Any, x: float, y: float, intervals: Sequence[tuple]) -> str:
    """Return a sentence with the position and value of a dot, and with its interval if one is drawn."""
    along = 0 if isinstance(panel.yaxis.get_major_formatter(), Names) else 1
    name, value = (_name(panel.yaxis, y), x) if along == 0 else (_name(panel.xaxis, x), y)
    unit = _find_unit(panel.xaxis if along == 0 else panel.yaxis)
    text = f"{name}: {_write(value)}{unit}" if name else f"{_write(value)}{unit}"
    place = y if along == 0 else x
    for axis, where, lo, hi in intervals:
        if axis == along and where == place and lo <= value <= hi:
            return f"{text}, interval {_write(lo)} to {_write(hi)}{unit}"
    return text


def _describe_bars(panel: Any) -> Iterator[tuple[Any, list[str]]]:
    """Yield each bar with its value."""
    is_row = isinstance(panel.yaxis.get_major_formatter(), Names)
    for patch in panel.patches:
        if not hasattr(patch, "get_width") or not hasattr(patch, "get_height"):
            continue
        x, y, width, height = patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height()
        name = _name(panel.yaxis, y + height / 2) if is_row else _name(panel.xaxis, x + width / 2)
        unit = _find_unit(panel.xaxis if is_row else panel.yaxis)
        value = f"{_write(float(width if is_row else height))}{unit}"
        yield patch, [f"{name}: {value}" if name else value]


def _name(axis: Any, place: float) -> str:
    """Return the label of a category, or the number, at a position of an axis."""
    formatter = axis.get_major_formatter()
    if isinstance(formatter, Names):
        number = round(place)
        return " ".join(formatter.labels[number].split()) if 0 <= number < len(formatter.labels) else ""
    return _write(place)


def _find_unit(axis: Any) -> str:
    """Return the unit of the ticks of an axis."""
    function = getattr(axis.get_major_formatter(), "func", None)
    return str(getattr(function, "keywords", {}).get("unit", ""))


def _write(number: float) -> str:
    return format_significant(number, 4, trim=True)
