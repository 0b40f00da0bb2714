"""Cards as LaTeX for articles and books; each table is a float with the rules of the package booktabs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

from dealerkit.appearance.content import Code, Content, Note, format_quantity, list_parts, split_code
from dealerkit.appearance.table import WORDS, Column, Indented, Quantity, Table, has_interval
from dealerkit.appearance.text import name_interval

# All characters are replaced in one pass, so that replacements are not escaped again.
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
)  # characters that code can contain, because typewriter fonts have them
COLUMN_SPACE = 0.035  # as part of a line of 345 points, the width of articles in 10-point type
CHARACTER_WIDTH = 0.0145  # as part of the same line
NARROWEST_HEAD = 9  # shortest line, in characters, of a head with several lines


def render_card(card: Content) -> str:
    r"""Return the tables of a card as LaTeX floats with captions; the notes are below the first.

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
    population = "" if card.about else ", ".join(map(render_note, card.population))  # or `about` has it
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
    r"""Escape a text for LaTeX; hyphens stay hyphens.

    >>> escape_text("hcp(south)-hcp(north) > -5")
    'hcp(south)-hcp(north) $>$ -5'
    """
    return _SPECIAL.sub(lambda match: _CHARACTERS[match[0]], text)


def _escape_code(match: re.Match[str]) -> str:
    """Escape a character in code; typewriter fonts have most characters."""
    character = match[0]
    return character if character in _AS_IT_IS else _CHARACTERS[character]


def render_note(note: Note) -> str:
    r"""Return a sentence as LaTeX, with formatted numbers, and code in a typewriter font.

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
    """A column of a tabular environment; its sentences are wrapped."""

    head: str
    alignment: str
    cells: list[str]
    is_sentence: bool = False

    def measure(self, is_broken: bool) -> float:
        """Return the width as part of the line, with the head in one line or broken into several."""
        cells = 0 if self.is_sentence else max(map(len, self.cells), default=0)
        head = max(map(len, self.break_head())) if is_broken else len(self.head)
        return COLUMN_SPACE + CHARACTER_WIDTH * max(head, cells)

    def break_head(self) -> list[str]:
        """Break the head into lines as wide as the cells, or wider if words are long or cells short."""
        longest = 0 if self.is_sentence else max(map(len, self.cells), default=0)
        return textwrap.wrap(self.head, max(longest, NARROWEST_HEAD), break_long_words=False) or [""]

    def render_head(self, is_broken: bool) -> str:
        """Return the head, in several lines if `is_broken`."""
        lines = [escape_text(line) for line in self.break_head()]
        if is_broken and not self.is_sentence and len(lines) > 1:
            stacked = r" \\ ".join(lines)
            return rf"\shortstack[{self.alignment}]{{{stacked}}}"
        return escape_text(self.head)


def _render_tabular(table: Table) -> list[str]:
    """Return the lines of a table, with broken heads if it is too wide; sentences get the remaining width."""
    # Widths
    parts = [
        part
        for column in table.list_shown()
        if column.kind != "drawing"
        for part in _list_parts(table, column)
    ]
    sentences = [part for part in parts if part.is_sentence]
    room = 1.0 - 0.25 * len(sentences)  # width for the other columns
    is_broken = sum(part.measure(is_broken=False) for part in parts if not part.is_sentence) > room
    rest = 1.0 - sum(COLUMN_SPACE if part.is_sentence else part.measure(is_broken) for part in parts)
    width = rf"p{{{max(rest, 0.2) / max(len(sentences), 1):.2f}\linewidth}}"
    # Lines
    alignment = "".join(width if part.is_sentence else part.alignment for part in parts)
    lines = [rf"  \begin{{tabular}}{{{alignment}}}", r"    \toprule"]
    if table.heads and any(part.head for part in parts):
        lines += [_render_row([part.render_head(is_broken) for part in parts]), r"    \midrule"]
    cells = [part.cells if part.is_sentence else list(map(render_note, part.cells)) for part in parts]
    rows = [_render_row(row) for row in zip(*cells, strict=True)]
    return [*lines, *rows, r"    \bottomrule", r"  \end{tabular}"]


def _list_parts(table: Table, column: Column) -> list[_Part]:
    """Return a column for a tabular environment; if its intervals are beside it, they are a second one."""
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
    """Return a cell of a column of sentences; lines of a tree are indented."""
    if isinstance(cell, Indented):
        indent = rf"\leftskip={cell.depth}em " if cell.depth else ""
        return rf"{{\raggedright {indent}{render_note(split_code(cell.sentence))}\par}}"
    if cell is None:
        return ""
    note = render_note(cell if isinstance(cell, Code) else split_code(str(cell)))
    return rf"{{\raggedright {note}\par}}" if note else ""


def _render_row(cells: Sequence[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"
