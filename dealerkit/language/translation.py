"""Scripts of one dialect of the language as text of another.

    >>> from dealerkit.language import parse
    >>> from dealerkit.language.dialects import V1
    >>> script = parse("condition shape{south, 5+s4+h(xx):d>c} and max(hcp(north), 4) > 11.5")
    >>> text, warnings = translate(script, V1)
    >>> print(text, end="")
    condition shape(south, any 9xxx) and 1
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from dealerkit.cards.names import SUITS
from dealerkit.errors import ScriptError
from dealerkit.language import nodes
from dealerkit.language.checks import ALTERNATE_TABLES, Program, check
from dealerkit.language.comments import comments_of
from dealerkit.language.dialects import Rules
from dealerkit.language.printer import to_text
from dealerkit.language.rewriting import Rewriter, Rewritten
from dealerkit.language.scan import Scan, where
from dealerkit.language.shape_limit import within_limit
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.trees import walk
from dealerkit.language.words import classify


def translate(script: nodes.Script, rules: Rules) -> tuple[str, tuple[str, ...]]:
    """A script as text of another dialect.

    Parameters
    ----------
    script : Script
        Its script variables have their values already.
    rules : Rules
        Of the text that is wanted.

    Returns
    -------
    text : str
        The same deals meet its condition, and its actions count the same. Comments on lines of their
        own stay above the statements that they stood above.
    warnings : tuple of str
        What means something slightly different, and what was left out because nothing rests on it.

    Raises
    ------
    ScriptError
        The condition or an action needs something that the other dialect cannot say (the message lists
        all such things), or the script itself has a mistake.

    Notes
    -----
    Losers and points that the old programs count in hundredths are compared with hundredths; where an
    action shows them, it shows hundredths too, with a warning. Shapes become terms of ``shape()``
    where the other program does not know their notation. Where a script has more shapes than the
    other program can hold, the simplest of them become comparisons of lengths.
    """
    return _Translator(script, rules).translate()


@dataclass
class _Line:
    """A statement of the translation, with what it rests on."""

    statement: nodes.Statement
    place: nodes.Place | None
    problems: list[tuple[str, nodes.Place | None]] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)  # variables of the source


class _Translator:
    def __init__(self, script: nodes.Script, target: Rules) -> None:
        self.script, self.source, self.target = script, script.rules, target
        self.program: Program = check(script)
        self.scan = Scan(script.text, script.rules, script.file)
        self.warnings: list[str] = []
        self.problems: list[tuple[str, nodes.Place | None]] = []  # of the statement under way
        names = [one.name for one in script.statements if isinstance(one, nodes.Definition)]
        self.rewriter = Rewriter(
            self.source, target, self.program.points, self._renamed(names), self._note, self._refuse
        )
        self.lines: list[_Line] = []

    # ------------------------------------------------------------ messages
    def _warn(self, message: str, place: nodes.Place | None) -> None:
        home = nodes.Place(1, 1, self.scan.origin)
        self.warnings.append(f"{where(place, home)}: {message}" if place else message)

    def _note(self, message: str, node: Any) -> None:
        self._warn(message, node.place)

    def _refuse(self, what: str, node: Any) -> None:
        self.problems.append((what, node.place))

    def _left_out(self, what: str, node: nodes.Statement, instead: str = "") -> None:
        self._warn(f"{self.target.name} has no {what}; it is left out{instead}", node.place)

    # ------------------------------------------------------------ the whole
    def translate(self) -> tuple[str, tuple[str, ...]]:
        self._lengths: list[nodes.Expression] = []
        last = {type(one): one for one in self.script.statements if isinstance(one, nodes.Condition | nodes.ActionList)}
        for statement in self.script.statements:
            if last.get(type(statement), statement) is statement:
                self._statement(statement)
        self._add_lengths()
        statements = [line for line in self._needed()]
        return self._text(within_limit(statements, self.target)), tuple(self.warnings)
