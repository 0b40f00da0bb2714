"""Cards and tables as text, which can be fitted to the width of a screen."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dealerkit.appearance.content import Content, Note, format_note
from dealerkit.appearance.numbers import format_level
from dealerkit.appearance.screen import MIN_TEXT_WIDTH, Role, Screen, wrap_words
from dealerkit.appearance.table import WORDS, Column, Table, has_interval
from dealerkit.appearance.wording import shorten

MIN_SENTENCE = 30  # least width of a last column of sentences; if there is less room, heads are wrapped
MIN_BAR = 8  # least length of the longest bar; if there is less room, bars are left out
INDENT = "  "
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")


def render_card(card: Content, screen: Screen | None = None) -> str:
    """Return a card as text; every line ends with a line feed.

    Parameters
    ----------
    card : Content
        The content.
    screen : Screen, optional
        The screen to write for; by default, lines have any length.
    """
    screen = screen or Screen()
    return _render_part(card, screen) if card.is_part else _render_whole(card, screen)


def _render_part(card: Content, screen: Screen) -> str:
    """Return the text of a report: its title with the population, its tables and its notes."""
    title, population = format_note(card.title), ", ".join(map(format_note, card.population))
    parts: list[str] = []
    if not card.tables:
        parts += wrap_note(f"{title}{f' ({population})' if population else ''}", screen, role="title")
        return "".join([*parts, *(line for note in card.notes for line in wrap_note(note, screen, INDENT))])
    for number, table in enumerate(table for table in card.tables if table.in_text):
        if table.summary:
            parts += [line for note in table.summary for line in wrap_summary(note, screen)]
            continue
        if not number:
            parts += wrap_note(f"{title} ({population})" if population else title, screen, role="title")
        parts += wrap_note(table.heading, screen, role="title") if table.heading else []
        parts.append(render_table(table, screen))
    if card.verdict:
        parts += wrap_note(card.verdict, screen, INDENT)
    for note in card.notes:
        parts += wrap_note(note, screen, INDENT)
    return "".join(parts)


def _render_whole(card: Content, screen: Screen) -> str:
    """Return the text of a study: title, verdict, tables with their headings, notes and origin."""
    parts = wrap_note(card.title, screen, role="title")
    parts += wrap_note(card.verdict, screen) if card.verdict else []
    for note in card.about:
        parts += wrap_note(note, screen, role="quiet")
    for picture in card.pictures:
        parts += ["\n", picture.text] if picture.text else []
    for table in card.tables:
        if not table.in_text:
            continue
        parts += ["\n", *(wrap_note(table.heading, screen, role="title") if table.heading else ())]
        lines = [line for note in table.summary for line in wrap_summary(note, screen)]
        parts += lines or [render_table(table, screen)]
    notes = [line for note in card.notes for line in wrap_note(note, screen)]
    parts += ["\n", *notes] if notes else []
    parts += _render_origin(card, screen)
    return "".join(parts)


def _render_origin(card: Content, screen: Screen) -> list[str]:
    """Return the lines that say how a result was computed: a single one unless the screen is verbose."""
    if not card.origin:
        return []
    if screen.is_verbose:
        facts = card.provenance if screen.width is not None else ()
        lines = [f"{term}: {_keep_strings(text)}" for term, text in facts] or [card.origin]
        return ["\n", *(line for text in lines for line in wrap_note(text, screen, role="quiet"))]
    more, shown = "--verbose says more", (card.short_origin or card.origin).split("; ")
    while len(shown) > 1 and len("; ".join([*shown, more])) > (screen.width or math.inf):
        del shown[-1]
    return ["\n", screen.mark("; ".join([*shown, more]) + "\n", "quiet")]


def _keep_strings(text: str) -> str:
    r"""Return a text in one line, with ``\0`` instead of spaces in quotes, so that strings stay whole."""
    return _STRING.sub(lambda match: match[0].replace(" ", "\0"), " ".join(text.split()))


def wrap_note(
    note: Note, screen: Screen | None = None, indent: str = "", role: Role | None = None
) -> list[str]:
    """Return the lines of a note, which are not wider than the screen unless a word is."""
    screen, text = screen or Screen(), format_note(note)
    lines = [f"{indent}{text}"]
    if screen.width is not None:
        lines = wrap_words(text, screen.width, indent)
    return [f"{screen.mark(line, role) if role else line}\n" for line in lines]


def wrap_summary(note: Note, screen: Screen) -> list[str]:
    """Return the lines of a summary's sentence; it keeps its indent, and later lines have two more spaces."""
    text = format_note(note)
    indent = " " * (len(text) - len(text.lstrip()))
    if screen.width is None or len(text) <= screen.width:
        return [f"{text}\n"]
    return [f"{line}\n" for line in wrap_words(text.strip(), screen.width, indent, f"{indent}{INDENT}")]


def render_table(table: Table, screen: Screen | None = None, indent: str = INDENT) -> str:
    """Return a table as text, with words aligned to the left and numbers to the right.

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
    screen = screen or Screen()
    columns = _list_texts(table, _order_columns(table))
    blocks = [columns]
    if screen.width is not None and columns:
        blocks = _fit(columns, screen.width - len(indent))
    return "".join(line for block in blocks for line in _render_block(block, screen, indent))


@dataclass
class _TextColumn:
    """A column of a table as text, with the lines of its head and of each cell."""

    optional: int
    is_left: bool
    head: list[str]
    cells: list[list[str]]
    is_drawn: bool = False
    is_sentence: bool = False

    @property
    def width(self) -> int:
        """The number of characters of the longest line."""
        return max(map(len, (*self.head, *(line for cell in self.cells for line in cell))), default=0)

    @property
    def longest_cell(self) -> int:
        """The number of characters of the longest line of a cell."""
        return max((len(line) for cell in self.cells for line in cell), default=0)


def _render_block(columns: Sequence[_TextColumn], screen: Screen, indent: str) -> Iterator[str]:
    """Yield the lines of columns that are side by side: first the heads, then the rows."""
    if not columns:
        return
    widths = [column.width for column in columns]
    n_rows = len(columns[0].cells)

    def join(cells: Sequence[Sequence[str]], is_head: bool) -> Iterator[str]:
        height = max(map(len, cells))
        for number in range(height):
            texts = []
            for column, lines, width in zip(columns, cells, widths, strict=True):
                place = number - (height - len(lines) if is_head else 0)  # all heads end in the same line
                text = lines[place] if 0 <= place < len(lines) else ""
                text = text.ljust(width) if column.is_left else text.rjust(width)
                texts.append(screen.mark(text, "bar") if column.is_drawn else text)
            line = (indent + "  ".join(texts)).rstrip()
            yield f"{screen.mark(line, 'quiet') if is_head else line}\n"

    if any(column.head for column in columns):
        yield from join([column.head for column in columns], True)
    for row in range(n_rows):
        yield from join([column.cells[row] for column in columns], False)


def _order_columns(table: Table) -> list[Column]:
    by_name = {column.name: column for column in table.list_shown()}
    names = table.text_order or by_name
    return [by_name[name] for name in names if name in by_name]


def _list_texts(table: Table, columns: Sequence[Column]) -> list[_TextColumn]:
    """Return the columns as text; if intervals are beside a column, they are a second one."""
    formatted = table.format(ascii=True)
    texts: list[_TextColumn] = []

    def add(optional: int, is_left: bool, head: str, cells: Sequence[str], **settings: bool) -> None:
        heads = [head] if table.heads else []
        texts.append(_TextColumn(optional, is_left, heads, [[cell] for cell in cells], **settings))

    for column in columns:
        place = table.columns.index(column)
        if column.kind == "drawing":
            drawings = [cell for cell in table.list_cells(column) if cell is not None]
            drawn = type(drawings[0]).draw_texts(drawings) if drawings else []
            if drawn and len(drawn) == len(table.rows):
                add(2, True, "", drawn, is_drawn=True)
            continue
        cells = formatted[place]
        is_left = column.kind in WORDS
        if has_interval(column, cells):
            add(column.optional, is_left, column.title, [cell.text.value for cell in cells])
            head = name_interval(table.list_cells(column))
            add(2, False, head, [cell.text.interval for cell in cells])
        else:
            is_alone = column.interval == "none"
            shown = [cell.text.value if is_alone else cell.text.join() for cell in cells]
            if column.longest is not None:
                shown = [shorten(cell, column.longest) for cell in shown]
            add(column.optional, is_left, column.title, shown, is_sentence=column.kind == "sentence")
    return texts


def _fit(columns: list[_TextColumn], width: int) -> list[list[_TextColumn]]:
    """Return columns in blocks that fit into a width and are shown one below the other.

    Bars become shorter, heads and words are wrapped, and optional columns are left out. Columns that still do
    not fit go into further blocks, which repeat the first column.
    """

    def measure() -> int:
        return sum(column.width for column in columns) + 2 * (len(columns) - 1)

    if measure() <= width:
        return [columns]
    # Wrap sentences and heads, shorten bars
    if columns[-1].is_sentence and width - measure() + columns[-1].width >= MIN_SENTENCE:
        _wrap_sentences(columns, width)
        return [columns]
    _wrap_heads(columns)
    if columns[-1].is_sentence:
        _wrap_sentences(columns, width)
    _shorten_bars(columns, measure() - width)
    # Leave out optional columns, from the right
    for level in (2, 1):
        while measure() > width:
            last = next((k for k in reversed(range(1, len(columns))) if columns[k].optional == level), None)
            if last is None:
                break
            del columns[last]
    # Wrap the words of the first column, and divide the rest into blocks
    first = columns[0]
    if first.is_left and measure() > width:
        size = max(first.longest_cell - (measure() - width), MIN_TEXT_WIDTH)
        first.cells = [[line for text in cell for line in _wrap_cell(text, size)] for cell in first.cells]
        first.head = [line for text in first.head for line in _wrap_cell(text, size)]
    return _split_columns(columns, width)


def _split_columns(columns: list[_TextColumn], width: int) -> list[list[_TextColumn]]:
    """Return columns in blocks that fit into a width and all begin with the first column."""
    first, *others = columns
    blocks: list[list[_TextColumn]] = [[first]]
    used = first.width
    for column in others:
        if used + 2 + column.width > width and len(blocks[-1]) > 1:
            blocks.append([first])
            used = first.width
        blocks[-1].append(column)
        used += 2 + column.width
    return blocks


def _shorten_bars(columns: Sequence[_TextColumn], excess: int) -> None:
    """Shorten the longest bar by `excess` characters, and the others in proportion, if enough is left."""
    for column in columns:
        left = column.longest_cell - excess
        if column.is_drawn and excess > 0 and left >= MIN_BAR:
            part = left / column.longest_cell
            column.cells = [[line[: round(len(line) * part)] for line in cell] for cell in column.cells]


def _wrap_heads(columns: Sequence[_TextColumn]) -> None:
    """Wrap the heads of columns that are wider than the cells."""
    for column in columns:
        size = max(column.longest_cell, *map(len, " ".join(column.head).split()), 1) if column.head else 0
        if column.head and len(column.head[0]) > size:
            column.head = _wrap_cell(column.head[0], size)


def _wrap_sentences(columns: Sequence[_TextColumn], width: int) -> None:
    """Wrap the sentences of the last column to the width that the others leave."""
    *others, last = columns
    left = width - sum(column.width + 2 for column in others)
    last.cells = [_wrap_cell(cell[0], max(left, MIN_TEXT_WIDTH)) for cell in last.cells]


def _wrap_cell(text: str, size: int) -> list[str]:
    """Wrap a text to lines of a width that all have the indent of the first; words are not broken."""
    indent = " " * (len(text) - len(text.lstrip()))
    return textwrap.wrap(
        text.strip(),
        size,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    ) or [text]


def name_interval(cells: Sequence[object]) -> str:
    """Return the head of a column of intervals: ``95 % interval``, or ``interval`` if levels differ."""
    levels = {getattr(cell, "confidence", None) for cell in cells if not getattr(cell, "exact", True)}
    (level, *others) = levels or {None}
    return "interval" if others or level is None else f"{format_level(level)} interval"
