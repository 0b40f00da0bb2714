"""Tables in HTML: numbers at the right, text at the left, the first number strong, the rest quiet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from dealerkit.appearance.html import Markup, escape_text, mark_suits

MAX_NARROW = 5  # columns of a table that keeps all of them in a narrow cell
_COUNTS = ("deals", "sides", "count", "boards")
_NUMBER = re.compile(r"[-+\u2212<≈±]? ?\d[\d.,]*(?![\w♠♥♦♣])|(below|above|at least|at most) \d|[-–]?$")


class Column(NamedTuple):
    """A column of a table.

    Attributes
    ----------
    title : str
    css : str
        Classes: "l" text, "n" the first number, "u" quiet, "pic" a drawing; "w1" and "w2" leave a narrow
        cell.
    """

    title: str
    css: str = ""


def render_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], css: str = "") -> str:
    """Return a table that scrolls where it is wider than its cell.

    Parameters
    ----------
    columns : sequence of Column
    rows : sequence of sequence of str
        Their first cell is the head of the row. All cells are escaped but `Markup`.
    css : str
        Classes of the table.

    Examples
    --------
    >>> text = render_table([Column("value"), Column("share", "n")], [["<1", "5 %"]])
    >>> "&lt;1" in text, '<td class="n">5 %</td>' in text
    (True, True)
    """
    head = "".join(
        f'<th scope="col"{_name_class(column.css)}>{escape_text(column.title)}</th>' for column in columns
    )
    body = "".join(f"<tr>{_render_cells(columns, row)}</tr>" for row in rows)
    has_drawing = any("pic" in column.css.split() for column in columns)
    return (
        f'<div class="dk-scroll"><table class="{f"dk-table {css}".strip()}"'
        f"{' style=width:100%' if has_drawing else ''}>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _render_cells(columns: Sequence[Column], row: Sequence[str]) -> str:
    cells = []
    for number, (column, cell) in enumerate(zip(columns, row, strict=True)):
        tag, scope = ("td", "") if number else ("th", ' scope="row"')
        cells.append(f"<{tag}{scope}{_name_class(column.css)}>{escape_text(cell)}</{tag}>")
    return "".join(cells)


_MARGIN = re.compile(r"^([-+\u2212]?[\d.,]+)( ± [\d.,]+.*| \([^()]*\d[^()]*\).*)$")
_RANGE = re.compile(r"(?<![-+\u2212])\b([\d.,]+) to (?=\d)")
_MINUS = re.compile(r"(?<![\w)])-(?=[\d.])")  # of a number


def show_signs(text: str) -> str:
    """Return text whose negative numbers have a minus sign, and per cents a space that does not break.

    >>> show_signs("-0.5 to +0.5, hcp-3").replace("\u2212", "(minus)")
    '(minus)0.5 to +0.5, hcp-3'
    """
    return _MINUS.sub("\u2212", text).replace(" %", "\u00a0%")


def _render_number(text: str) -> str:
    """Return a number, whose margin or interval in the same cell is quiet."""
    shown = _RANGE.sub(r"\1 – ", show_signs(text))
    found = _MARGIN.match(shown)
    if not found:
        return shown
    return Markup(f'{escape_text(found[1])}<span class="u">{escape_text(found[2])}</span>')


def _name_class(css: str) -> str:
    return f' class="{css}"' if css else ""


def render_two_lines(first: str, second: str) -> Markup:
    """Return a cell with a strong number above a quiet one; both are escaped.

    >>> render_two_lines("63 %", "58 – 68 %")
    '<span class="n">63 %</span><br><span class="u">58 – 68 %</span>'
    """
    below = f'<span class="u">{escape_text(second)}</span>'
    return Markup(f'<span class="n">{escape_text(first)}</span><br>{below}')


def render_rows(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts whose first row is the heading; the kind of each column follows from its cells.

    Suits and contracts have symbols, and numbers the signs of printed text. Of a wide table, intervals and
    counts leave a narrow cell.

    >>> text = render_rows([["", "makes", "95 % interval"], ["3NT", "63 %", "58 to 68 %"]])
    >>> print(text.replace("\u00a0", " ")[-112:-27])
    <th scope="row" class="l">3NT</th><td class="n">63 %</td><td class="u">58 – 68 %</td>
    """
    columns, has_first = [], False
    for number, (title, *cells) in enumerate(zip(*rows, strict=True)):
        is_number = all(_NUMBER.match(cell) for cell in cells) and any(cells)
        css = "" if is_number else "l"
        if number and is_number:
            css = "u" if "interval" in title or "\u00b1" in "".join(cells[:1])[:1] else ""
            if not css and not has_first and title not in _COUNTS:
                css, has_first = "n", True
        if len(rows[0]) > MAX_NARROW and (css == "u" or title in _COUNTS):
            css = f"{css} w2".strip()
        columns.append(Column(mark_suits(title), css))
    shown = [
        [
            mark_suits(cell) if "l" in column.css.split() else _render_number(cell)
            for cell, column in zip(row, columns, strict=True)
        ]
        for row in rows[1:]
    ]
    return render_table(columns, shown)


__all__ = ["Column", "Markup", "render_rows", "render_table", "render_two_lines", "show_signs"]
