"""Scripts of one dialect translated to another."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from dealerkit.errors import ScriptError
from dealerkit.language import nodes
from dealerkit.language.checks import Program, check_script
from dealerkit.language.comments import collect_comments
from dealerkit.language.dialects import Rules
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.source import ScriptSource, describe_place
from dealerkit.language.trees import walk
from dealerkit.language.vocabulary import classify_word, is_contextual
from dealerkit.registry import get_function
from dealerkit.translate.expressions import ExpressionRewriter
from dealerkit.translate.shape_cover import find_covering_terms, limit_search
from dealerkit.translate.statements import StatementRewriter

MAX_SHAPES = {"v1": 31, "v2": 16}  # calls of `shape` that the programs get right
_Problem = tuple[str, nodes.Place | None]


def translate(script: Script, rules: Rules) -> tuple[str, tuple[str, ...]]:
    r"""Return a script as text in another dialect.

    Parameters
    ----------
    script : Script
        The script; its script variables are replaced by their values.
    rules : Rules
        Of the dialect to translate to.

    Returns
    -------
    text : str
        The same deals meet its condition, and its actions count the same. Comments are written above
        the statements that they belong to.
    warnings : tuple of str
        Differences in meaning, and definitions that are omitted because nothing uses them.

    Raises
    ------
    ScriptError
        The condition or an action cannot be expressed in the dialect (the message lists all reasons),
        or the script has a mistake.

    Notes
    -----
    Losers and points that the old programs count in hundredths are compared with hundredths; where an
    action shows them, it shows hundredths too, with a warning. Shapes become terms of ``shape()``
    where the other program does not have their notation. Where a script has more shapes than the
    other program allows, the simplest of them become comparisons of lengths. Limits that a script
    does not set are those of the other program: dealer stops after 10,000,000 deals.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> from dealerkit.language.dialects import V1
    >>> text, warnings = translate(parse("condition shape{south, 5M(332)} and hcp(south) >= 11.5"), V1)
    >>> text
    'condition shape(south, any 5332 - xx5x - xxx5) and hcp(south) >= 12\n'
    """
    return _Translator(script, rules).translate()


def translate_statements(script: Script, rules: Rules) -> list[tuple[nodes.Place | None, str]]:
    """Return the place of each statement with its text in another dialect; "" where there is none.

    Raises
    ------
    ScriptError
        The script has a mistake.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> from dealerkit.language.dialects import V1
    >>> [text for _, text in translate_statements(parse("condition ltc(south) > 2 action printns"), V1)]
    ['', '']
    """
    translator = _Translator(script, rules)
    lines = translator.list_lines()
    texts = []
    for line in lines:
        written = "" if line.problems or line.statement is None else to_text(line.statement, rules).strip()
        parts = [to_text(node, rules).strip() for node in line.new_definitions] + [written]
        texts.append((translator.script.statements[line.number].place, "\n".join(parts) if written else ""))
    return texts


@dataclass
class _Line:
    """A statement of the translation, None if it is omitted, and the variables it uses."""

    number: int  # of the statement in the source; -1: it is new
    statement: nodes.Statement | None
    problems: list[_Problem] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)  # variables, by their names in the source
    new_definitions: list[nodes.Definition] = field(default_factory=list)


class _Translator:
    def __init__(self, script: Script, target: Rules) -> None:
        self.target = target
        self.source = ScriptSource(script.text, script.rules, script.file)
        program = check_script(script)
        self.script = script = _write_out(script, program)
        self.warnings = list(program.warnings)
        self.problems: list[_Problem] = []  # of the current statement
        self.rewriter = ExpressionRewriter(
            script.rules, target, program.points, self._rename_variables(), self._note, self._refuse
        )
        self.statements = StatementRewriter(program, self.rewriter)

    # ------------------------------------------------------------ messages
    def _note(self, message: str, node: Any) -> None:
        self.warnings.append(self.source.warning_at(message, node.place))

    def _refuse(self, reason: str, node: Any) -> None:
        self.problems.append((reason, node.place))

    # ------------------------------------------------------------ translation
    def translate(self) -> tuple[str, tuple[str, ...]]:
        lines = self.list_lines()
        self._add_lengths(lines)
        self._drop_inexpressible(lines)
        return self._print(lines), tuple(self.warnings)

    def list_lines(self) -> list[_Line]:
        """Return the statements of the translation, with the reasons why some cannot be expressed."""
        statements = self.script.statements
        last = {type(statement): statement for statement in statements}
        self.rewriter.length_calls = self._choose_length_calls()
        lines = []
        for number, statement in enumerate(statements):
            kind = type(statement)
            is_replaced = kind in (nodes.Condition, nodes.ActionList) and last[kind] is not statement
            self.problems, self.rewriter.new_definitions = [], []
            rewritten = None if is_replaced else self.statements.rewrite(statement)
            uses = {node.name for node in walk(statement) if isinstance(node, nodes.Name)}
            lines.append(_Line(number, rewritten, self.problems, uses, self.rewriter.new_definitions))
        return lines

    def _rename_variables(self) -> dict[str, str]:
        """Return new names for variables whose names are keywords of the target."""
        definitions = [node for node in self.script.statements if isinstance(node, nodes.Definition)]
        names = {node.name: node.name for node in definitions}
        for node in definitions:
            new = node.name
            while not _is_free(new, self.target) or (new != node.name and new in names.values()):
                new += "_"
            if new != node.name:
                names[node.name] = new
                self._note(f"'{node.name}' is a keyword of {self.target.name}; it is renamed '{new}'", node)
        return names

    def _choose_length_calls(self) -> set[int]:
        """Return the ids of the simplest calls of `shape` if the script has too many for the target."""
        most = MAX_SHAPES.get(self.target.name)
        calls = [
            node
            for statement in self.script.statements
            for node in walk(statement)
            if isinstance(node, nodes.Call) and get_function(node.function).operation == "member"
        ]
        self.rewriter.n_tried = limit_search(call.arguments[1].patterns for call in calls)  # type: ignore[union-attr]
        if most is None or len(calls) <= most:
            return set()

        def count_comparisons(call: nodes.Call) -> int:
            terms = find_covering_terms(call.arguments[1].patterns, self.rewriter.n_tried)  # type: ignore[union-attr]
            return sum((24 if term.any else 1) * (4 - term.pattern.count("x")) for term in terms)

        self.warnings.append(
            f"{self.target.name} can hold {most} shapes, not {len(calls)}; the simplest become lengths"
        )
        return {id(call) for call in sorted(calls, key=count_comparisons)[: len(calls) - most]}

    def _drop_inexpressible(self, lines: list[_Line]) -> None:
        """Omit definitions that the target cannot express; raise an error if any is needed."""
        statements = self.script.statements
        names = {k: node.name for k, node in enumerate(statements) if isinstance(node, nodes.Definition)}
        inexpressible: set[str] = set()
        for line in lines:
            if line.number in names and (line.problems or line.uses & inexpressible):
                inexpressible.add(names[line.number])
        needed: set[str] = set()
        problems: list[_Problem] = []
        for line in reversed(lines):  # a definition comes before its uses
            name = names.get(line.number)
            if name is None or name in needed:
                needed |= line.uses if line.statement is not None else set()
                problems[:0] = line.problems
            elif name in inexpressible:
                reasons = ", ".join(reason for reason, _ in line.problems) or "a variable that it uses"
                message = f"{self.target.name} cannot express {reasons}; '{name}' is left out"
                self._note(message, statements[line.number])
                line.statement = None
        if problems:
            raise self._build_error(problems)

    def _build_error(self, problems: list[_Problem]) -> ScriptError:
        """Return the error that lists all problems, with the place of the first."""
        (first, place), *others = dict.fromkeys(problems)
        message = f"{self.target.name} cannot express {first}"
        for reason, there in others:
            message += f", nor {reason}" + (f" ({describe_place(there, place)})" if there else "")
        return self.source.error_at(message, place)

    def _print(self, lines: list[_Line]) -> str:
        """Return the text of the translation, with the comments of the script."""
        above, rest = collect_comments(self.script)
        text: list[str] = []
        for line in lines:
            text += above[line.number] if line.number >= 0 else []
            text += [to_text(node, self.target) for node in (*line.new_definitions, line.statement) if node]
        return "\n".join([*text, *rest]).strip("\n") + "\n"

    def _add_lengths(self, lines: list[_Line]) -> None:
        """Add the lengths of a predeal to the condition."""
        lengths = self.statements.lengths
        if not lengths:
            return
        for line in lines:
            if isinstance(line.statement, nodes.Condition):
                value = line.statement.value
                operands = value.operands if isinstance(value, nodes.And) else (value,)
                line.statement = replace(line.statement, value=nodes.And((*lengths, *operands)))
                return
        value = nodes.And(tuple(lengths)) if len(lengths) > 1 else lengths[0]
        lines.insert(0, _Line(-1, nodes.Condition(value)))


def _write_out(script: Script, program: Program) -> Script:
    """Return a script without repeated definitions and action lists, and with the dealer of a scenario."""
    statements: list[nodes.Statement] = []
    names: set[str] = set()
    joined = not script.rules.last_condition_wins  # the action lists are one
    last = next((part for part in reversed(script.statements) if isinstance(part, nodes.ActionList)), None)
    for statement in script.statements:
        if isinstance(statement, nodes.ActionList) and joined:
            if statement is last:
                statements.append(replace(statement, actions=program.actions))
            continue
        if isinstance(statement, nodes.Definition):
            if statement.name in names:
                continue
            names.add(statement.name)
        statements.append(statement)
    if program.dealer is not None and not any(
        isinstance(statement, nodes.Setting) and statement.name == "dealer" for statement in statements
    ):
        statements.insert(0, nodes.Setting("dealer", program.dealer))
    return replace(script, statements=tuple(statements))


def _is_free(word: str, rules: Rules) -> bool:
    """Return whether a variable may have this name."""
    return classify_word(word, rules)[0] == "NAME" or is_contextual(word, rules)
