"""Cards as LaTeX, for articles and books: each table a float with the rules of the package booktabs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

from dealerkit.appearance.content import Code, Content, Note, format_quantity, list_parts, split_code
from dealerkit.appearance.table import WORDS, Column, Indented, Quantity, Table, has_interval
from dealerkit.appearance.text import name_interval

# One pass over the text, so that what is written for a character is not escaped again.
_CHARACTERS = {
    ">=": r"$\ge$", "<=": r"$\le$",
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "<": "$<$", ">": "$>$", "|": "$|$", '"': "''", "\u2212": "$-$", "±": r"$\pm$", "≈": r"$\approx$",
    "≤": r"$\le$", "≥": r"$\ge$", "×": r"$\times$", "²": "$^2$", "–": "--", "—": "---", "…": r"\dots{}",
    "\u00a0": "~", "♠": r"$\spadesuit$", "♥": r"$\heartsuit$", "♦": r"$\diamondsuit$",
    "♣": r"$\clubsuit$", "\ufe0e": "", "\n": " ", "[": "{[}", "]": "{]}",
}  # fmt: skip
_SPECIAL = re.compile("|".join(map(re.escape, _CHARACTERS)))
_AS_IT_IS = frozenset(
    (">=", "<=", "<", ">", "|", '"', "[", "]")
)  # in code: the type of a typewriter has them
COLUMN_SPACE = 0.035  # of a line of 345 points, the width of articles in type of 10 points
CHARACTER_WIDTH = 0.0145
NARROWEST_HEAD = 9  # characters of a line of a broken head


def render_card(card: Content) -> str:
    r"""Return the tables of a card as LaTeX, each a float with a caption; notes are below the first.

    Examples
    --------
    >>> from dealerkit.appearance.table import Column
    >>> table = Table([Column("board", kind="label"), Column("par", sign=True)], [["1", -420]])
    >>> print(render_card(Content("Par", tables=[table])))
    % Needs \usepackage{booktabs}.
    \begin{table}
      \centering
      \caption{Par}
      \begin{tabular}{rr}
        \toprule
        board & par \\
        \midrule
        1 & $-$420 \\
        \bottomrule
      \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    lines = [r"% Needs \usepackage{booktabs}."]
    population = "" if card.about else ", ".join(map(render_note, card.population))  # sentences have all
    notes = [population[:1].upper() + population[1:], *map(render_note, (*card.about, *card.notes))]
    below = " ".join(_end_sentence(note) for note in (render_note(card.verdict), *notes) if note)
    for table in card.tables:
        title = ". ".join(render_note(part).rstrip(".") for part in (card.title, table.heading) if part)
        lines += [r"\begin{table}", r"  \centering", rf"  \caption{{{title}}}"]
        lines += _render_tabular(table)
        if below:
            lines += [r"  \par\smallskip", rf"  \parbox{{\linewidth}}{{\footnotesize {below}}}"]
            below = ""
        lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"


def _end_sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def escape_text(text: str) -> str:
    r"""Return a text for LaTeX as it is, its hyphens too.

    >>> escape_text("hcp(south)-hcp(north) > -5")
    'hcp(south)-hcp(north) $>$ -5'
    """
    return _SPECIAL.sub(lambda match: _CHARACTERS[match[0]], text)


def _escape_code(match: re.Match[str]) -> str:
    """Return a character in code, whose type has most of them; lines may break after parentheses."""
    character = match[0]
    return character if character in _AS_IT_IS else _CHARACTERS[character]


def render_note(note: Note) -> str:
    r"""Return a sentence: numbers with their signs, code in the type of a typewriter.

    >>> render_note((Quantity(-0.5), " with ", Code("a_1 > -5")))
    '$-$0.5 with \\texttt{a\\_1 > -5}'
    """
    parts = []
    for part in list_parts(note):
        if isinstance(part, Quantity):
            parts.append(escape_text(format_quantity(part)))
        elif isinstance(part, Code):
            code = re.sub(r"(?<=[(,])", r"\\allowbreak{}", _SPECIAL.sub(_escape_code, part))
            parts.append(rf"\texttt{{{code}}}")
        else:
            parts.append(escape_text(part))
    return "".join(parts)


class _Part(NamedTuple):
    """A column of a tabular: words are aligned to the left, others to the right; sentences wrap."""

    head: str
    alignment: str
    cells: list[str]
    is_sentence: bool = False

    def measure(self, is_broken: bool) -> float:
        """Return the width as a share of the line, with the head in one line or broken."""
        cells = 0 if self.is_sentence else max(map(len, self.cells), default=0)
        head = max(map(len, self.break_head())) if is_broken else len(self.head)
        return COLUMN_SPACE + CHARACTER_WIDTH * max(head, cells)

    def break_head(self) -> list[str]:
        """Return the head as lines no longer than the cells, but for long words and short cells."""
        longest = 0 if self.is_sentence else max(map(len, self.cells), default=0)
        return textwrap.wrap(self.head, max(longest, NARROWEST_HEAD), break_long_words=False) or [""]

    def render_head(self, is_broken: bool) -> str:
        """Return the head, broken where the table is too wide."""
        lines = [escape_text(line) for line in self.break_head()]
        if is_broken and not self.is_sentence and len(lines) > 1:
            stacked = r" \\ ".join(lines)
            return rf"\shortstack[{self.alignment}]{{{stacked}}}"
        return escape_text(self.head)


def _render_tabular(table: Table) -> list[str]:
    """Return the lines of a table: where it is too wide, heads are broken; sentences have what is left."""
    parts = [
        part
        for column in table.list_shown()
        if column.kind != "drawing"
        for part in _list_parts(table, column)
    ]
    sentences = [part for part in parts if part.is_sentence]
    room = 1.0 - 0.25 * len(sentences)  # for the other columns
    is_broken = sum(part.measure(is_broken=False) for part in parts if not part.is_sentence) > room
    rest = 1.0 - sum(COLUMN_SPACE if part.is_sentence else part.measure(is_broken) for part in parts)
    width = rf"p{{{max(rest, 0.2) / max(len(sentences), 1):.2f}\linewidth}}"
    alignment = "".join(width if part.is_sentence else part.alignment for part in parts)
    lines = [rf"  \begin{{tabular}}{{{alignment}}}", r"    \toprule"]
    if table.heads and any(part.head for part in parts):
        lines += [_render_row([part.render_head(is_broken) for part in parts]), r"    \midrule"]
    cells = [part.cells if part.is_sentence else list(map(render_note, part.cells)) for part in parts]
    rows = [_render_row(row) for row in zip(*cells, strict=True)]
    return [*lines, *rows, r"    \bottomrule", r"  \end{tabular}"]


def _list_parts(table: Table, column: Column) -> list[_Part]:
    """Return a column as columns of a tabular: with intervals beside it, it is two."""
    cells, objects = table.format()[table.columns.index(column)], table.list_cells(column)
    if column.kind == "sentence":
        return [_Part(column.title, "l", [_render_sentence(cell) for cell in objects], is_sentence=True)]
    alignment = "l" if column.kind in WORDS else "r"
    if has_interval(column, cells):
        values = _Part(column.title, alignment, [cell.text.value for cell in cells])
        return [values, _Part(name_interval(objects), "r", [cell.text.interval for cell in cells])]
    is_alone = column.interval == "none"
    texts = [cell.text.value if is_alone else cell.text.join() for cell in cells]
    shown = [given if isinstance(given, Code) else text for given, text in zip(objects, texts, strict=True)]
    return [_Part(column.title, alignment, shown)]


def _render_sentence(cell: Any) -> str:
    """Return a cell of a column of sentences: lines of a tree are indented, code breaks at its spaces."""
    if isinstance(cell, Indented):
        indent = rf"\leftskip={cell.depth}em " if cell.depth else ""
        return rf"{{\raggedright {indent}{render_note(split_code(cell.sentence))}\par}}"
    if cell is None:
        return ""
    note = render_note(cell if isinstance(cell, Code) else split_code(str(cell)))
    return rf"{{\raggedright {note}\par}}" if note else ""


def _render_row(cells: Sequence[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"
