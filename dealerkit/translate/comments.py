"""Comments of a script, and the statements that they belong to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.script import Script


def collect_comments(script: Script) -> tuple[list[list[str]], list[str]]:
    r"""Return the comments of a script, each as a line that begins with ``#``, and its empty lines.

    Returns
    -------
    above : list of list of str
        For each statement the comments above it, then those beside it or inside.
    rest : list of str
        The comments below the last statement.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> collect_comments(parse("/* a\n   study */\n\nproduce 5 // few\n# end"))
    ([['# a', '# study', '', '# few']], ['# end'])
    """
    above: list[list[str]] = [[] for _ in script.statements]
    rest: list[str] = []
    of_texts: dict[nodes.Origin, list[int]] = {}  # numbers of the statements of each text
    for number, statement in enumerate(script.statements):
        if statement.place and statement.place.origin:
            of_texts.setdefault(statement.place.origin, []).append(number)
    for origin, numbers in of_texts.items():
        first_lines = {
            number: _first_line(script.statements[number], origin.text)
            for number in _omit_repeated(script, numbers)
        }
        numbers = sorted(first_lines, key=first_lines.__getitem__)  # a translation may have moved a statement
        lines = [first_lines[number] for number in numbers]
        of_statements, below = _assign_comments(origin.text, lines, script.rules)
        for number, comments in zip(numbers, of_statements, strict=True):
            above[number] = comments
        rest += below
    return above, rest


def _omit_repeated(script: Script, numbers: list[int]) -> list[int]:
    """Return the statements of a text without those that a file has again because it is included twice."""
    first = {script.statements[number].place: number for number in reversed(numbers)}
    return sorted(first.values())


def _first_line(statement: nodes.Statement, text: str) -> int:
    """Return the line, from 1, on which a statement begins, including the keyword `predeal`."""
    line = statement.place.line  # type: ignore[union-attr]
    if isinstance(statement, nodes.PredealCards | nodes.PredealHand | nodes.PredealLength):
        before = "\n".join(text.split("\n")[: line - 1])
        while before.rstrip() != before.rstrip().removesuffix("predeal"):
            before = before.rstrip().removesuffix("predeal")
            line = before.count("\n") + 1
    return line


def _assign_comments(text: str, lines: Sequence[int], rules: Rules) -> tuple[list[list[str]], list[str]]:
    """Return the comments of one text for each statement, by their first lines, and the rest."""
    comments, comment_lines = _find_comments(text, rules)
    count = text.count("\n") + 1
    empty = {k for k, line in enumerate(text.split("\n"), 1) if not line.strip() and k not in comments}
    ends = [*lines[1:], count + 1]
    leading: list[list[int]] = []
    for previous, line in zip([0, *lines], [*lines, count + 1], strict=True):
        begin = line if previous else 1
        while begin - 1 > previous and (begin - 1 in comment_lines or begin - 1 in empty):
            begin -= 1
        leading.append([k for k in range(begin, line) if k in comments or k in empty])
    above = {k for numbers in leading for k in numbers}
    of_statements = []
    for numbers, line, end in zip(leading, lines, ends, strict=False):
        inside = [k for k in range(line, end) if k in comments and k not in above]
        of_statements.append([part for k in (*numbers, *inside) for part in comments.get(k, [""])])
    return of_statements, [part for k in leading[-1] for part in comments.get(k, [""])]


def _find_comments(text: str, rules: Rules) -> tuple[dict[int, list[str]], set[int]]:
    """Return comments by line, and the lines that hold nothing else."""
    hashes = r"\#[^\n]*" if rules.comments_anywhere else r"^\#[^\n]*"
    string = r'"[^"\n]*["\n]' if rules.one_line_strings else '"[^"]*"'
    imports = "^Import,[^\n]*|" if rules.includes else ""
    comments: dict[int, list[str]] = {}
    comment_lines: set[int] = set()
    for match in re.finditer(rf"{imports}{string}|{hashes}|//[^\n]*|/\*(?s:.*?)\*/", text, re.MULTILINE):
        comment = match[0]
        if comment.startswith('"'):
            continue
        line = text.count("\n", 0, match.start()) + 1
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        after = text[match.end() :].partition("\n")[0]
        for k, part in enumerate(comment.split("\n"), line):
            comment_line = part if part.startswith("#") else "# " + part.strip(" /*\t\r")
            if rules.includes and comment_line.startswith("#include"):
                comment_line = "# " + comment_line[1:]  # the file has been read
            comments.setdefault(k, []).append(comment_line.rstrip())
            if not before.strip() and not after.strip():
                comment_lines.add(k)
    return comments, comment_lines
