"""Tables of studies as LaTeX, for articles and books."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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
_MINUS = re.compile(r"(?<![\w)])-(?=[\d.])")  # of a number
_NUMBER = re.compile(r"\s*[-+\u2212<≈$]?\s*[\d.]|–?$")

Section = tuple[str, list[list[str]]]


def escape_latex(text: str) -> str:
    r"""Return text for LaTeX: its special characters, suits and signs as commands.

    >>> escape_latex("-0.5 ± 1 % of A_1")
    '$-$0.5 $\\pm$ 1 \\% of A\\_1'
    """
    return _SPECIAL.sub(lambda match: _CHARACTERS[match[0]], _MINUS.sub("\u2212", text))


def format_latex(title: str, sections: Iterable[Section], notes: Iterable[str] = ()) -> str:
    r"""Return tables as LaTeX, each a float with a caption; the package booktabs draws their rules.

    Parameters
    ----------
    title : str
        Of all tables: the caption of each begins with it.
    sections : iterable of (str, rows)
        Heading and rows of each table, as text, the head first. A head without text is left out.
    notes : iterable of str
        Sentences below the first table.

    Examples
    --------
    >>> print(format_latex("Par", [("", [["board", "par"], ["1", "-420"]])]))
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
    below = escape_latex(" ".join(notes))
    for heading, rows in sections:
        caption = ". ".join(part.rstrip(".") for part in (title, heading) if part)
        lines += [r"\begin{table}", r"  \centering", rf"  \caption{{{escape_latex(caption)}}}"]
        lines += _format_tabular(rows)
        if below:
            lines += [r"  \par\smallskip", rf"  \parbox{{\linewidth}}{{\footnotesize {below}}}"]
            below = ""
        lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"


def _format_tabular(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table: columns of numbers are aligned to the right, others to the left."""
    head, *body = rows
    columns = ["r" if all(map(_NUMBER.match, column)) else "l" for column in zip(*body, strict=True)]
    lines = [rf"  \begin{{tabular}}{{{''.join(columns)}}}", r"    \toprule"]
    if any(head):
        lines += [_format_row(head), r"    \midrule"]
    return [*lines, *map(_format_row, body), r"    \bottomrule", r"  \end{tabular}"]


def _format_row(cells: Sequence[str]) -> str:
    return f"    {' & '.join(map(escape_latex, cells))} \\\\"
