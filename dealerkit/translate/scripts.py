"""Scripts by one set of rules as text by another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from dealerkit.errors import ScriptError
from dealerkit.language import nodes
from dealerkit.language.checks import check_script
from dealerkit.language.comments import collect_comments
from dealerkit.language.dialects import Rules
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.source import ScriptSource, describe_place
from dealerkit.language.trees import walk
from dealerkit.language.vocabulary import classify_word, is_contextual
from dealerkit.translate.expressions import Rewriter
from dealerkit.translate.shape_cover import find_covering_terms
from dealerkit.translate.statements import StatementRewriter

MOST_SHAPES = {"v1": 31, "v2": 16}  # calls of `shape` that the programs get right
_Problem = tuple[str, nodes.Place | None]


def translate(script: Script, rules: Rules) -> tuple[str, tuple[str, ...]]:
    r"""A script as text by other rules.

    Parameters
    ----------
    script : Script
        Its script variables have their values already.
    rules : Rules
        Of the text that is wanted.

    Returns
    -------
    text : str
        The same deals meet its condition, and its actions count the same. Comments stay above the
        statements that they stood above, beside or in.
    warnings : tuple of str
        What means something slightly different, and what was left out because nothing rests on it.

    Raises
    ------
    ScriptError
        The condition or an action needs something that cannot be said there (the message lists
        all such things), or the script itself has a mistake.

    Notes
    -----
    Losers and points that the old programs count in hundredths are compared with hundredths; where an
    action shows them, it shows hundredths too, with a warning. Shapes become terms of ``shape()``
    where the other program does not know their notation. Where a script has more shapes than the
    other program can hold, the simplest of them become comparisons of lengths. Limits that a script
    leaves to the program stay so: dealer stops after 10,000,000 deals.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> from dealerkit.language.dialects import V1
    >>> text, warnings = translate(parse("condition shape{south, 5M(332)} and hcp(south) >= 11.5"), V1)
    >>> text
    'condition shape(south, any 5332 - xx5x - xxx5) and hcp(south) >= 12\n'
    """
    return _Translator(script, rules).translate()


@dataclass
class _Line:
    """A statement of the translation, or None where it was left out, and what it rests on."""

    number: int  # of the statement in the source; -1: it is new
    statement: nodes.Statement | None
    problems: list[_Problem] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)  # variables, by their names in the source
    helpers: list[nodes.Definition] = field(default_factory=list)


class _Translator:
    def __init__(self, script: Script, target: Rules) -> None:
        self.script, self.target = script, target
        self.source = ScriptSource(script.text, script.rules, script.file)
        program = check_script(script)
        self.warnings = list(program.warnings)
        self.problems: list[_Problem] = []  # of the statement under way
        self.rewriter = Rewriter(
            script.rules, target, program.points, self._renamed(), self._note, self._refuse
        )
        self.statements = StatementRewriter(script, program, self.rewriter, self._note, self._refuse)

    # ------------------------------------------------------------ messages
    def _note(self, message: str, node: Any) -> None:
        home = nodes.Place(1, 1, self.source.origin)
        self.warnings.append(f"{describe_place(node.place, home)}: {message}" if node.place else message)

    def _refuse(self, what: str, node: Any) -> None:
        self.problems.append((what, node.place))

    # ------------------------------------------------------------ the whole
    def translate(self) -> tuple[str, tuple[str, ...]]:
        statements = self.script.statements
        last = {type(one): one for one in statements}
        self.rewriter.spelled = self._too_many(statements)
        lines = []
        for number, statement in enumerate(statements):
            replaced = (
                isinstance(statement, nodes.Condition | nodes.ActionList)
                and last[type(statement)] is not statement
            )
            self.problems, self.rewriter.helpers = [], []
            found = None if replaced else self.statements.statement(statement)
            uses = {node.name for node in walk(statement) if isinstance(node, nodes.Name)}
            lines.append(_Line(number, found, self.problems, uses, self.rewriter.helpers))
        self._add_lengths(lines)
        self._settle(lines)
        return self._text(lines), tuple(self.warnings)

    def _renamed(self) -> dict[str, str]:
        """New names for variables whose names mean something in the target."""
        definitions = [one for one in self.script.statements if isinstance(one, nodes.Definition)]
        names = {one.name: one.name for one in definitions}
        for one in definitions:
            new = one.name
            while not _is_free(new, self.target) or (new != one.name and new in names.values()):
                new += "_"
            if new != one.name:
                names[one.name] = new
                self._note(
                    f"'{one.name}' is a word of {self.target.name}; the variable is called '{new}'", one
                )
        return names

    def _too_many(self, statements: Iterable[nodes.Statement]) -> set[int]:
        """The simplest of the shapes that are too many for the target."""
        most = MOST_SHAPES.get(self.target.name)
        calls = [
            node
            for statement in statements
            for node in walk(statement)
            if isinstance(node, nodes.Call) and node.function == "shape"
        ]
        if most is None or len(calls) <= most:
            return set()

        def size(call: nodes.Call) -> int:
            terms = find_covering_terms(call.arguments[1].patterns)  # type: ignore[union-attr]
            return sum((24 if term.any else 1) * (4 - term.pattern.count("x")) for term in terms)

        self.warnings.append(
            f"{self.target.name} can hold {most} shapes, not {len(calls)}; the simplest are said as lengths"
        )
        return {id(call) for call in sorted(calls, key=size)[: len(calls) - most]}

    def _settle(self, lines: list[_Line]) -> None:
        """Leave out definitions that cannot be said and are not needed; refuse those that are."""
        names = {
            line.number: one.name
            for line in lines
            if line.number >= 0 and isinstance(one := self.script.statements[line.number], nodes.Definition)
        }
        broken: set[str] = set()
        for line in lines:
            if line.number in names and (line.problems or line.uses & broken):
                broken.add(names[line.number])
        needed: set[str] = set()
        problems: list[_Problem] = []
        for line in reversed(lines):  # what a definition rests on stands before it
            name = names.get(line.number)
            if name is None or name in needed:
                needed |= line.uses if line.statement is not None else set()
                problems[:0] = line.problems
            elif name in broken:
                told = ", ".join(what for what, _ in line.problems) or "what it rests on"
                statement = self.script.statements[line.number]
                self._note(f"{self.target.name} cannot say {told}; '{name}' is left out", statement)
                line.statement = None
        if problems:
            raise self._error(problems)

    def _error(self, problems: list[_Problem]) -> ScriptError:
        (first, place), *others = dict.fromkeys(problems)
        told = [f"{self.target.name} cannot say {first}"]
        told += [f"{what} ({describe_place(there, place)})" if there else what for what, there in others]
        return self.source.error_at(", nor ".join(told), place)

    def _text(self, lines: list[_Line]) -> str:
        above, rest = collect_comments(self.script)
        text: list[str] = []
        for line in lines:
            text += above[line.number] if line.number >= 0 else []
            text += [to_text(one, self.target) for one in line.helpers]
            if line.statement is not None:
                text.append(to_text(line.statement, self.target))
        text += rest
        while text and not text[0]:
            text.pop(0)
        return "\n".join(text).rstrip("\n") + "\n"

    def _add_lengths(self, lines: list[_Line]) -> None:
        """The lengths of a predeal as part of the condition."""
        lengths = self.statements.lengths
        if not lengths:
            return
        for line in lines:
            if isinstance(line.statement, nodes.Condition):
                value = line.statement.value
                rest = value.operands if isinstance(value, nodes.And) else (value,)
                line.statement = replace(line.statement, value=nodes.And((*lengths, *rest)))
                return
        value = nodes.And(tuple(lengths)) if len(lengths) > 1 else lengths[0]
        lines.insert(0, _Line(-1, nodes.Condition(value)))


def _is_free(word: str, rules: Rules) -> bool:
    """May a variable have this name?"""
    return classify_word(word, rules)[0] == "NAME" or is_contextual(word, rules)
