"""Cards and tables as HTML: numbers aligned to the right, intervals less prominent, drawings in cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

from dealerkit.appearance.content import (
    Code,
    Content,
    Link,
    Note,
    format_note,
    format_quantity,
    list_parts,
    split_code,
)
from dealerkit.appearance.drawings import Drawing
from dealerkit.appearance.html import Markup, mark_suits, render_caption, render_facts, render_head
from dealerkit.appearance.table import WORDS, CellText, Column, Indented, Quantity, Table, has_interval
from dealerkit.appearance.text import name_interval
from dealerkit.appearance.wording import shorten

LONG_CODE = 100  # longer conditions, in characters, are folded
_CARDS = re.compile(r"\b([SHDC])([2-9TJQKA]+)\b")  # one or more cards of a suit


def render_card(card: Content, complete: bool = True, charts: str = "") -> str:
    """Return a card as HTML without the style sheet.

    Parameters
    ----------
    card : Content
        The content.
    complete : bool
        Whether long tables have all rows; a notebook shows the first ones.
    charts : str
        The plots as HTML, shown between the open tables and the folded ones.
    """
    # Title and verdict
    title = render_note(_shorten_code(card.title))
    if card.is_part:
        population = ", ".join(render_note(note) for note in card.population)
        parts = [f"<h3>{title}</h3>", f"<p>{population}</p>" if population else ""]
    else:
        parts = [render_head(title, *map(render_note, card.population))]
    if _has_long_code(card.title):
        body = f'<p class="dk-caption">{render_note(card.title)}</p>'
        parts.append(f"<details><summary>In full</summary>{body}</details>")
    if card.verdict:
        parts.append(f'<p class="dk-verdict">{render_note(card.verdict)}</p>')
    # Diagrams, tables and charts
    parts += [picture.html for picture in card.pictures]
    tables = sorted(card.tables, key=lambda table: charts != "" and table.is_detail)
    n_open = sum(not table.is_detail for table in tables) if charts else len(tables)
    sections = [render_section(table, complete) for table in tables]
    parts += [*sections[:n_open], charts, *sections[n_open:]]
    # Notes, and how it was computed
    notes = [note for note in (*card.about, *card.notes) if note]
    if shown := [note for note in notes if not _has_long_code(note)]:
        parts.append(render_caption(Markup(" ".join(map(render_note, shown)))))
    parts += [_fold_note(note) for note in notes if _has_long_code(note)]
    if card.provenance:
        parts.append(render_facts("How it was computed, and seed", card.provenance))
    return "".join(parts)


def _has_long_code(note: Note) -> bool:
    return any(isinstance(part, Code) and len(part) > LONG_CODE for part in list_parts(note))


def _shorten_code(note: Note) -> Note:
    """Return a sentence in which long code is shortened."""
    return [
        Code(shorten(part, LONG_CODE // 2)) if isinstance(part, Code) and len(part) > LONG_CODE else part
        for part in list_parts(note)
    ]


def _fold_note(note: Note) -> str:
    """Return the first words of a sentence that has long code, with the whole sentence folded below them."""
    lead = format_note(note).partition(": ")[0]
    code = " ".join(part for part in list_parts(note) if isinstance(part, Code))
    first = Markup(f"{escape(lead)}: <code>{escape(shorten(code, LONG_CODE // 2))}</code>")
    body = f'<p class="dk-caption">{render_note(note)}</p>'
    return f"<details><summary>{first}</summary>{body}</details>"


def render_note(note: Note) -> Markup:
    """Return a sentence as HTML, with suit symbols, formatted numbers and unchanged code.

    >>> render_note((Quantity(0.5), " given ", Code("hcp(south)-hcp(north) > -5")))
    '0.5 given <code>hcp(south)-hcp(north) &gt; -5</code>'
    """
    parts = []
    for part in list_parts(note):
        if isinstance(part, Code):
            parts.append(f"<code>{escape(part)}</code>")
        elif isinstance(part, Quantity):
            parts.append(escape(format_quantity(part)))
        else:
            parts.append(mark_suits(part.replace(" %", "\u00a0%")))
    return Markup("".join(parts))


def render_section(table: Table, complete: bool = True) -> str:
    """Return a table with its heading and the key of its drawings; it is folded if it is a detail."""
    n_more = 0 if complete or table.most_rows is None else len(table.rows) - table.most_rows
    if n_more > 0:
        table = replace(table, rows=table.rows[: table.most_rows], _formatted={})
    body = render_table(table) + (render_caption(render_note(table.key)) if table.key else "")
    body += render_caption(f"and {n_more:,} more") if n_more > 0 else ""
    if table.is_detail:
        return f"<details><summary>{render_note(table.heading)}</summary><div>{body}</div></details>"
    return (f"<h3>{render_note(table.heading)}</h3>" if table.heading else "") + body


def render_table(table: Table) -> str:
    """Return a table as HTML, which scrolls if it is wider than the output.

    The first cell of each row is its head. On narrow screens, optional columns are hidden.

    >>> from dealerkit.appearance.table import Interval
    >>> columns = [Column("value", kind="label"), Column("share", kind="share")]
    >>> text = render_table(Table(columns, [["<1", Interval(0.5, 0.45, 0.55)]]))
    >>> "&lt;1" in text, '<td class="u w2">45 – 55' in text
    (True, True)
    """
    columns = [part for column in table.list_shown() for part in _render_column(table, column)]
    is_tall = any(column.interval == "below" for column in table.columns)
    head = "".join(
        f'<th scope="col"{_name_class(css)}>{title}</th>' if title else f"<td{_name_class(css)}></td>"
        for title, css, _ in columns
    )
    rows = zip(*(cells for *_, cells in columns), strict=True)
    body = [
        f"<tr>{_render_row(columns, row, tints)}</tr>"
        for row, tints in zip(rows, _find_tints(table), strict=True)
    ]
    kind = "heat" if table.tinted else "dk-table dk-tall" if is_tall else "dk-table"
    has_drawing = any(column.kind == "drawing" for column in table.columns)
    foot = f"<tfoot>{body.pop()}</tfoot>" if table.tinted else ""
    thead = f"<thead><tr>{head}</tr></thead>" if table.heads else ""
    width = " style=width:100%" if has_drawing else ""
    return (
        f'<div class="dk-scroll"><table class="{kind}"{width}>{thead}'
        f"<tbody>{''.join(body)}</tbody>{foot}</table></div>"
    )


_Part = tuple[str, str, list[str]]  # head, classes and cells of a column, as HTML


def _render_column(table: Table, column: Column) -> list[_Part]:
    """Return a column as HTML; if its intervals are beside it, they are a second column."""
    title = mark_suits(column.title)
    if column.kind == "drawing":
        css = f"pic w{column.optional}" if column.optional else "pic"
        return [(title, css, _render_drawings(table, column))]
    cells = table.format()[table.columns.index(column)]
    css = "l" if column.kind in WORDS else "n" if column.strong else "u" if column.quiet else ""
    if column.kind in ("name", "sentence"):
        css += f" dk-{column.kind}"
    css += f" w{column.optional}" if column.optional else ""
    if has_interval(column, cells):
        values = [escape(cell.text.value) for cell in cells]
        intervals = [escape(cell.text.interval) for cell in cells]
        return [(title, css, values), (name_interval(table.list_cells(column)), "u w2", intervals)]
    if column.kind == "contract" and any(other.interval == "below" for other in table.columns):
        return [(title, css, [_render_contract(cell.text.value) for cell in cells])]
    shown = [
        _render_cell(column, cell, given) for cell, given in zip(cells, table.list_cells(column), strict=True)
    ]
    return [(title, css, shown)]


def _render_cell(column: Column, cell: CellText, given: Any) -> str:
    """Return a cell as HTML; `given` is the object in the table."""
    text = cell.text
    if isinstance(given, Code):
        return f"<code>{escape(given)}</code>"
    if isinstance(given, Link):
        return f'<a href="#{escape(given.target)}">{mark_suits(text.value)}</a>'
    if isinstance(given, bool):
        return f"<b>{text.value}</b>" if given else f'<b class="dk-alarm">{text.value}</b>'
    if isinstance(given, Indented):
        sentence = render_note(split_code(given.sentence))
        return f'<div style="padding-left:{1.2 * given.depth:.1f}em">{sentence}</div>'
    if column.kind == "sentence":
        return render_note(split_code(text.value))
    if column.kind == "cards":
        return _render_hand(text.value)
    if not cell.is_number:
        return mark_suits(text.value)
    if column.interval == "none":
        return escape(text.value)
    if column.interval == "below" and text.interval:
        tail = text.margin if text.margin and cell.unit != "%" else text.interval
        return f'<span class="n">{escape(text.value)}</span><br><span class="u">{escape(tail)}</span>'
    number, support = text.split()
    support = support or text.remark  # "exact" is shown only here, where it can be less prominent
    return f'{escape(number)}<span class="u"> {escape(support)}</span>' if support else escape(number)


def _render_hand(text: str) -> str:
    """Return a hand (holdings separated by dots), or cards such as ``SQJ``, with suit symbols."""
    holdings = text.split(".")
    if len(holdings) != 4:
        return mark_suits(_CARDS.sub(lambda card: "♠♥♦♣"["SHDC".index(card[1])] + card[2], text))
    suits = (f"{suit}{holding or '–'}" for suit, holding in zip("♠♥♦♣", holdings, strict=True))
    return f'<span class="dk-line dk-nowrap">{mark_suits(" ".join(suits))}</span>'


def _render_contract(text: str) -> str:
    """Return a prominent contract, with its declarer less prominent on a second line."""
    contract, by, rest = text.partition(" by ")
    strong = f'<span class="n dk-first">{mark_suits(contract)}</span>'
    return f'{strong}<br><span class="u">by {escape(rest)}</span>' if by else strong


def _render_drawings(table: Table, column: Column) -> list[str]:
    """Return the drawings of a column, each with a label that has the numbers of its row."""
    drawings: list[Drawing | None] = table.list_cells(column)
    given = [drawing for drawing in drawings if drawing is not None]
    reach = type(given[0]).find_reach(given) if given else 1.0
    labels = describe_rows(table)
    return [
        "" if drawing is None else drawing.draw(reach, label)
        for drawing, label in zip(drawings, labels, strict=True)
    ]


def describe_rows(table: Table) -> list[str]:
    """Describe each row by its numbers, such as ``5: share 18.8 %, interval 18.3 – 19.4 %``."""
    texts = table.format()
    labels = []
    for number in range(len(table.rows)):
        name, facts = "", []
        for column, cells in zip(table.columns, texts, strict=True):
            cell = cells[number]
            if column.kind in WORDS or column.kind == "label":
                name = name or cell.text.value
            elif cell.is_number:
                about = f"{column.title.partition(',')[0]} {cell.text.value}".strip()
                facts.append(about + (f", interval {cell.text.interval}" if cell.text.interval else ""))
        labels.append(f"{name}: {', '.join(facts)}" if name else ", ".join(facts))
    return labels


def _render_row(columns: Sequence[_Part], row: Sequence[str], tints: Sequence[float]) -> str:
    """Return the cells of a row; `tints` are those of a tinted table, otherwise empty."""
    cells = []
    for place, (cell, (_, css, _)) in enumerate(zip(row, columns, strict=True)):
        if not place:
            cells.append(f'<th scope="row"{_name_class(css)}>{cell}</th>')
        elif 0 < place <= len(tints):
            cells.append(f'<td style="--v:{tints[place - 1]:.3f}">{cell}</td>')
        else:
            cells.append(f"<td{_name_class(f'{css} sum' if tints else css)}>{cell}</td>")
    return "".join(cells)


def _find_tints(table: Table) -> list[list[float]]:
    """Return the cells of each row of a tinted table as parts of the largest number; sums have none."""
    if not table.tinted:
        return [[] for _ in table.rows]
    numbers = [[float(cell) for cell in row[1:-1]] for row in table.rows[:-1]]
    top = max((number for row in numbers for number in row), default=0.0) or 1.0
    return [*([number / top for number in row] for row in numbers), []]


def _name_class(css: str) -> str:
    return f' class="{css.strip()}"' if css.strip() else ""
