"""Cards as LaTeX, for articles and books: each table a float with the rules of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dealerkit.appearance.content import Code, Content, Note, format_quantity, list_parts
from dealerkit.appearance.table import WORDS, Quantity, Table, has_interval
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
    '$-$0.5 with \\texttt{a\\_1 $>$ -5}'
    """
    parts = []
    for part in list_parts(note):
        if isinstance(part, Quantity):
            parts.append(escape_text(format_quantity(part)))
        else:
            text = escape_text(part)
            parts.append(rf"\texttt{{{text}}}" if isinstance(part, Code) else text)
    return "".join(parts)


def _render_tabular(table: Table) -> list[str]:
    """Return the lines of a table: columns of words are aligned to the left, others to the right."""
    heads, columns, alignment = [], [], ""
    for column, cells in zip(table.columns, table.format(), strict=True):
        if column.kind == "drawing":
            continue
        alignment += "l" if column.kind in WORDS else "r"
        heads.append(column.title)
        if has_interval(column, cells):
            columns.append([cell.text.value for cell in cells])
            alignment += "r"
            heads.append(name_interval(table.list_cells(column)))
            columns.append([cell.text.interval for cell in cells])
        else:
            is_alone = column.interval == "none"
            columns.append([cell.text.value if is_alone else cell.join() for cell in cells])
    lines = [rf"  \begin{{tabular}}{{{alignment}}}", r"    \toprule"]
    if table.heads and any(heads):
        lines += [_render_row(heads), r"    \midrule"]
    rows = [_render_row(row) for row in zip(*columns, strict=True)]
    return [*lines, *rows, r"    \bottomrule", r"  \end{tabular}"]


def _render_row(cells: Sequence[str]) -> str:
    return f"    {' & '.join(map(escape_text, cells))} \\\\"
