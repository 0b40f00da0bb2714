"""Comments of a script, and the statements that they belong to."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.script import Script


def collect_comments(script: Script) -> tuple[list[list[str]], list[str]]:
    r"""The comments of a script, each as a line that begins with ``#``; empty lines come along.

    Returns
    -------
    above : list of list of str
        For each statement what stood above it, then what stood beside it or inside.
    rest : list of str
        What stood below the last statement.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> collect_comments(parse("/* a\n   study */\n\nproduce 5 // few\n# end"))
    ([['# a', '# study', '', '# few']], ['# end'])
    """
    above: list[list[str]] = []
    rest: list[str] = []
    for origin, group in itertools.groupby(script.statements, lambda one: one.place and one.place.origin):
        statements = list(group)
        if origin is None:
            above += [[] for _ in statements]
            continue
        lines = [_first_line(one, origin.text) for one in statements]
        found, below = _spread(origin.text, lines, script.rules)
        above += found
        rest += below
    return above, rest


def _first_line(statement: nodes.Statement, text: str) -> int:
    """The line, from 1, where a statement begins, the word `predeal` included."""
    line = statement.place.line  # type: ignore[union-attr]
    if isinstance(statement, nodes.PredealCards | nodes.PredealHand | nodes.PredealLength):
        before = "\n".join(text.split("\n")[: line - 1])
        while before.rstrip() != before.rstrip().removesuffix("predeal"):
            before = before.rstrip().removesuffix("predeal")
            line = before.count("\n") + 1
    return line


def _spread(text: str, lines: Sequence[int], rules: Rules) -> tuple[list[list[str]], list[str]]:
    """The comments of one text for the statements that begin in these lines."""
    comments, alone = _comments(text, rules)
    count = text.count("\n") + 1
    empty = {k for k, line in enumerate(text.split("\n"), 1) if not line.strip() and k not in comments}
    ends = [*lines[1:], count + 1]
    leading: list[list[int]] = []
    for previous, line in zip([0, *lines], [*lines, count + 1], strict=True):
        begin = line if previous else 1
        while begin - 1 > previous and (begin - 1 in alone or begin - 1 in empty):
            begin -= 1
        leading.append([k for k in range(begin, line) if k in comments or k in empty])
    taken = {k for block in leading for k in block}
    found = []
    for block, line, end in zip(leading, lines, ends, strict=False):
        inside = [k for k in range(line, end) if k in comments and k not in taken]
        found.append([part for k in (*block, *inside) for part in comments.get(k, [""])])
    return found, [part for k in leading[-1] for part in comments.get(k, [""])]


def _comments(text: str, rules: Rules) -> tuple[dict[int, list[str]], set[int]]:
    """Comments by line, and the lines that hold nothing else."""
    hashes = r"\#[^\n]*" if rules.comments_anywhere else r"^\#[^\n]*"
    found: dict[int, list[str]] = {}
    alone: set[int] = set()
    for match in re.finditer(rf'"[^"]*"|{hashes}|//[^\n]*|/\*(?s:.*?)\*/', text, re.MULTILINE):
        comment = match[0]
        if comment.startswith('"'):
            continue
        line = text.count("\n", 0, match.start()) + 1
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        after = text[match.end() :].partition("\n")[0]
        for k, part in enumerate(comment.split("\n"), line):
            plain = part if part.startswith("#") else "# " + part.strip(" /*\t\r")
            found.setdefault(k, []).append(plain.rstrip())
            if not before.strip() and not after.strip():
                alone.add(k)
    return found, alone
