"""Cards as LaTeX, for articles and books: each table a float with the rules of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dealerkit.appearance.content import Code, Content, Note, format_quantity, list_parts, split_code
from dealerkit.appearance.table import WORDS, Indented, Quantity, Table, has_interval
from dealerkit.appearance.text import name_interval

# One pass over the text, so that what stands for a character is not escaped again.
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
    population = () if card.about else card.population  # sentences say it in full
    notes = [note for note in (card.verdict, *population, *card.about, *card.notes) if note]
    below = " ".join(_end_sentence(render_note(note)) for note in notes)
    for table in card.tables:
        title = ". ".join(part.rstrip(".") for part in (card.title, table.heading) if part)
        lines += [r"\begin{table}", r"  \centering", rf"  \caption{{{escape_text(title)}}}"]
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
            code = _SPECIAL.sub(
                lambda match: match[0] if match[0] in _AS_IT_IS else _CHARACTERS[match[0]], part
            )
            parts.append(rf"\texttt{{{code}}}")
        else:
            parts.append(escape_text(part))
    return "".join(parts)


def _render_tabular(table: Table) -> list[str]:
    """Return the lines of a table: columns of words are aligned to the left, others to the right."""
    heads, columns, alignment = [], [], ""
    sentence_width = _measure_sentences(table)
    for column, cells in zip(table.columns, table.format(), strict=True):
        if column.kind == "drawing":
            continue
        heads.append(column.title)
        objects = table.list_cells(column)
        if column.kind == "sentence":  # they share what the other columns leave of the line
            alignment += f"p{{{sentence_width:.2f}\\linewidth}}"
            columns.append([_render_sentence(cell) for cell in objects])
        elif has_interval(column, cells):
            alignment += "lr" if column.kind in WORDS else "rr"
            heads.append(name_interval(objects))
            columns.append([escape_text(cell.text.value) for cell in cells])
            columns.append([escape_text(cell.text.interval) for cell in cells])
        else:
            alignment += "l" if column.kind in WORDS else "r"
            is_alone = column.interval == "none"
            columns.append([escape_text(cell.text.value if is_alone else cell.join()) for cell in cells])
    lines = [rf"  \begin{{tabular}}{{{alignment}}}", r"    \toprule"]
    if table.heads and any(heads):
        lines += [_render_row([escape_text(head) for head in heads]), r"    \midrule"]
    rows = [_render_row(row) for row in zip(*columns, strict=True)]
    return [*lines, *rows, r"    \bottomrule", r"  \end{tabular}"]


def _measure_sentences(table: Table) -> float:
    """Return the width of each column of sentences, as a share of the line: what the other columns leave."""
    rest, n_sentences = 1.0, 0
    for column, cells in zip(table.columns, table.format(), strict=True):
        if column.kind == "drawing":
            continue
        rest -= COLUMN_SPACE
        if column.kind == "sentence":
            n_sentences += 1
        else:
            longest = max([len(column.title), *(len(cell.join()) for cell in cells)])
            rest -= CHARACTER_WIDTH * longest
    return max(rest, 0.2) / max(n_sentences, 1)


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
