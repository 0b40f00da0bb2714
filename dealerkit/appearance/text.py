"""Cards and tables as text: columns aligned by their kind, in a width if one is given."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from dealerkit.appearance.content import Content, Note, format_note
from dealerkit.appearance.numbers import format_level
from dealerkit.appearance.table import WORDS, Column, Table, has_interval
from dealerkit.appearance.wording import shorten

MIN_NAME = 12  # characters that a name keeps in a table that is too wide
INDENT = "  "


def render_card(card: Content, width: int | None = None) -> str:
    """Return a card as text; every line ends with a line feed.

    Parameters
    ----------
    card : Content
    width : int, optional
        Most characters of a line: columns leave wider tables, names are cut, sentences are wrapped.
        By default lines have any length.
    """
    return _render_part(card, width) if card.is_part else _render_whole(card, width)


def _render_part(card: Content, width: int | None) -> str:
    """Return the text of a report: the title with its population, tables and notes below it."""
    title, population = format_note(card.title), ", ".join(map(format_note, card.population))
    if not card.tables:  # all is said in the first lines
        about = "".join(f"{INDENT}{format_note(note)}\n" for note in card.notes)
        return f"{title}{f' ({population})' if population else ''}\n{about}"
    parts = []
    for number, table in enumerate(table for table in card.tables if table.in_text):
        if table.summary:
            parts += [f"{format_note(note)}\n" for note in table.summary]
            continue
        if not number:
            parts.append(f"{title} ({population})\n" if population else f"{title}\n")
        parts += [f"{format_note(table.heading)}\n" if table.heading else "", render_table(table, width)]
    if card.verdict:
        parts += wrap_note(card.verdict, width, INDENT)
    for note in card.notes:
        parts += wrap_note(note, width, INDENT)
    return "".join(parts)


def _render_whole(card: Content, width: int | None) -> str:
    """Return the text of a study: title, tables below their headings, notes, origin; with empty lines."""
    parts = wrap_note(card.title, width)
    for note in (card.verdict, *card.about):
        parts += wrap_note(note, width) if note else []
    for picture in card.pictures:
        parts += ["\n", picture.text] if picture.text else []
    for table in card.tables:
        if not table.in_text:
            continue
        parts += ["\n", *(wrap_note(table.heading, width) if table.heading else ())]
        parts += [f"{format_note(note)}\n" for note in table.summary] or [render_table(table, width)]
    notes = [line for note in card.notes for line in wrap_note(note, width)]
    parts += ["\n", *notes] if notes else []
    parts += ["\n", *wrap_note(card.origin, width)] if card.origin else []
    return "".join(parts)


def wrap_note(note: Note, width: int | None, indent: str = "") -> list[str]:
    """Return the lines of a note, no longer than `width`."""
    text = format_note(note)
    if width is None:
        return [f"{indent}{text}\n"]
    lines = textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return [f"{line}\n" for line in lines]


def render_table(table: Table, width: int | None = None, indent: str = INDENT) -> str:
    """Return a table as text: words at the left, numbers at the right of their columns.

    Examples
    --------
    >>> from dealerkit.appearance.table import Interval
    >>> columns = [Column("contract", kind="contract"), Column("makes", kind="share")]
    >>> rows = [["4S", Interval(0.5231, 0.5182, 0.5280), 12_000], ["3NT", None, 9]]
    >>> print(render_table(Table([*columns, Column("deals", kind="count")], rows)))
      contract   makes    95 % interval   deals
      4S        52.3 %  51.8 to 52.8 %  12,000
      3NT                                    9
    <BLANKLINE>
    """
    columns = _order_columns(table)
    texts = _list_texts(table, columns)
    if not table.heads:
        texts = [(about, cells[1:]) for about, cells in texts]
    if width is not None:
        texts = _fit(texts, width - len(indent))
    widths = [max(map(len, cells), default=0) for _, cells in texts]
    lines = []
    for row in zip(*(cells for _, cells in texts), strict=True):
        cells = [
            cell.ljust(size) if is_left else cell.rjust(size)
            for cell, size, ((_, is_left), _) in zip(row, widths, texts, strict=True)
        ]
        line = (indent + "  ".join(cells)).rstrip()
        if width is not None and columns[-1].kind == "sentence":
            start = len(indent) + sum(widths[:-1]) + 2 * len(widths[:-1])
            start += len(cells[-1]) - len(cells[-1].lstrip())
            lines += _wrap(line, width, start)
        else:
            lines.append(f"{line}\n")
    return "".join(lines)


def _wrap(line: str, width: int, start: int) -> list[str]:
    """Return a line as lines of a width, the later ones below `start`, where the last cell begins."""
    wrapped = textwrap.wrap(
        line[start:], max(width - start, MIN_NAME), break_on_hyphens=False, break_long_words=False
    )
    return [f"{line[:start] if not number else ' ' * start}{text}\n" for number, text in enumerate(wrapped)]


def _order_columns(table: Table) -> list[Column]:
    by_name = {column.name: column for column in table.list_shown()}
    names = table.text_order or by_name
    return [by_name[name] for name in names if name in by_name]


_Texts = list[tuple[tuple[int, bool], list[str]]]


def _list_texts(table: Table, columns: Sequence[Column]) -> _Texts:
    """Return for each column how optional it is, whether it is at the left, and its head and cells."""
    formatted = table.format(ascii=True)
    texts: _Texts = []
    for column in columns:
        place = table.columns.index(column)
        if column.kind == "drawing":
            cells = [cell for cell in table.list_cells(column) if cell is not None]
            drawn = type(cells[0]).draw_texts(cells) if cells else []
            if drawn and len(drawn) == len(table.rows):
                texts.append(((2, True), ["", *drawn]))
            continue
        cells = formatted[place]
        is_left = column.kind in WORDS
        if has_interval(column, cells):
            texts.append(((column.optional, is_left), [column.title, *(cell.text.value for cell in cells)]))
            head = name_interval(table.list_cells(column))
            texts.append(((2, False), [head, *(cell.text.interval for cell in cells)]))
        else:
            is_alone = column.interval == "none"
            shown = [cell.text.value if is_alone else cell.text.join() for cell in cells]
            if column.longest is not None:
                shown = [shorten(cell, column.longest) for cell in shown]
            texts.append(((column.optional, is_left), [column.title, *shown]))
    return texts


def name_interval(cells: Sequence[object]) -> str:
    """Return the head of a column of intervals: ``95 % interval``, or ``interval`` where levels differ."""
    levels = {getattr(cell, "confidence", None) for cell in cells if not getattr(cell, "exact", True)}
    (level, *others) = levels or {None}
    return "interval" if others or level is None else f"{format_level(level)} interval"


def _fit(texts: _Texts, width: int) -> _Texts:
    """Return columns that fit into a width: optional ones leave, then names are cut."""

    def measure() -> int:
        return sum(max(map(len, cells)) for _, cells in texts) + 2 * (len(texts) - 1)

    for level in (2, 1):
        while measure() > width:
            last = next((k for k in reversed(range(1, len(texts))) if texts[k][0][0] == level), None)
            if last is None:
                break
            texts = texts[:last] + texts[last + 1 :]
    excess = measure() - width
    if excess > 0 and texts[0][0][1]:
        size = max(max(map(len, texts[0][1])) - excess, MIN_NAME)
        texts = [(texts[0][0], [shorten(cell, size) for cell in texts[0][1]]), *texts[1:]]
    return texts
