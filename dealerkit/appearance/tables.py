"""Tables in HTML: numbers at the right, text at the left, the first number strong, the rest quiet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from dealerkit.appearance.html import Markup, escape_text

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


def _name_class(css: str) -> str:
    return f' class="{css}"' if css else ""


def render_rows(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts whose first row is the heading; the kind of each column follows from its cells.

    >>> '<th scope="row" class="l">4S</th><td class="n">63 %</td><td class="u">58 – 68 %</td>' in render_rows(
    ...     [["contract", "makes", "95 % interval"], ["4S", "63 %", "58 – 68 %"]])
    True
    """
    columns, has_first = [], False
    for number, (title, *cells) in enumerate(zip(*rows, strict=True)):
        is_number = all(_NUMBER.match(cell) for cell in cells) and any(cells)
        css = "" if is_number else "l"
        if number and is_number:
            css = "u" if "interval" in title or "\u00b1" in "".join(cells[:1])[:1] else ""
            if not css and not has_first:
                css, has_first = "n", True
        columns.append(Column(title, css if number else "l" if not is_number else css))
    return render_table(columns, rows[1:])


__all__ = ["Column", "Markup", "render_rows", "render_table"]
