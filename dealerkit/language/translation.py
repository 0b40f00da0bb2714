"""Scripts by one set of rules as text by another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from dealerkit.cards.names import SUITS
from dealerkit.errors import ScriptError
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS
from dealerkit.language.checks import ALTERNATE_TABLES, check
from dealerkit.language.comments import comments_of
from dealerkit.language.covers import covering_terms
from dealerkit.language.dialects import Rules
from dealerkit.language.printer import to_text
from dealerkit.language.rewriting import LARGEST, Rewriter, Rewritten
from dealerkit.language.scan import Scan, where
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.trees import walk
from dealerkit.language.words import classify, is_open

MOST_SHAPES = {"v1": 31, "v2": 16}  # calls of `shape` that the programs get right
_Problem = tuple[str, nodes.Place | None]


def translate(script: nodes.Script, rules: Rules) -> tuple[str, tuple[str, ...]]:
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
    def __init__(self, script: nodes.Script, target: Rules) -> None:
        self.script, self.source, self.target = script, script.rules, target
        self.scan = Scan(script.text, script.rules, script.file)
        self.program = check(script)
        self.warnings = list(self.program.warnings)
        self.problems: list[_Problem] = []  # of the statement under way
        self.lengths: list[nodes.Expression] = []  # of a predeal that must be said as a condition
        self.rewriter = Rewriter(
            self.source, target, self.program.points, self._renamed(), self._note, self._refuse
        )

    # ------------------------------------------------------------ messages
    def _note(self, message: str, node: Any) -> None:
        home = nodes.Place(1, 1, self.scan.origin)
        self.warnings.append(f"{where(node.place, home)}: {message}" if node.place else message)

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
            found = None if replaced else self._statement(statement)
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
            terms = covering_terms(call.arguments[1].patterns)  # type: ignore[union-attr]
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
        told += [f"{what} ({where(there, place)})" if there else what for what, there in others]
        return self.scan.error_at(", nor ".join(told), place)

    def _text(self, lines: list[_Line]) -> str:
        above, rest = comments_of(self.script)
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

    # ------------------------------------------------------------ statements
    def _statement(self, node: nodes.Statement) -> nodes.Statement | None:
        match node:
            case nodes.Setting():
                return self._setting(node)
            case nodes.PredealLength():
                return self._predeal_length(node)
            case nodes.PointTable():
                return self._point_table(node)
            case nodes.Definition():
                value = self.rewriter.expression(node.value)
                self.rewriter.variables[node.name] = value
                return replace(node, name=self.rewriter.renamed[node.name], value=value.node)
            case nodes.Condition():
                self.rewriter.in_condition = True
                value = self.rewriter.expression(node.value)
                self.rewriter.in_condition = False
                return replace(node, value=value.node, bare=False)
            case nodes.ActionList():
                return replace(node, actions=tuple(self._action(action) for action in node.actions))
        return node

    def _setting(self, node: nodes.Setting) -> nodes.Setting | None:
        source, target = self.source, self.target
        if node.name in ("seed", "title", "opener", "startboard") and not target.extensions:
            instead = f"; start it with -s {node.value}" if node.name == "seed" else ""
            self._note(f"{target.name} has no statement `{node.name}`; it is left out{instead}", node)
            return None
        if node.name == "opener" and source.opener != target.opener:
            if source.opener:
                self._note(f"the statement `opener` has no effect in {target.name}; start it with -O", node)
            return None
        if node.name == "seed" and node.value == 0 and source.random_zero != target.random_zero:
            self._note("seed 0 is a new seed for each run in v2, not in modern; it is left out", node)
            return None
        if isinstance(node.value, str):
            return replace(node, value=self._one_line(node.value, node))
        if node.value > LARGEST[target.bits]:
            self._note(f"{target.name} counts to {LARGEST[target.bits]:,} only", node)
        return replace(node, value=min(node.value, LARGEST[target.bits]))

    def _one_line(self, text: str, node: Any) -> str:
        if "\n" not in text or not self.target.one_line_strings:
            return text
        self._note(f"a text is on one line in {self.target.name}; its lines are joined", node)
        return " ".join(text.split("\n"))

    def _predeal_length(self, node: nodes.PredealLength) -> nodes.PredealLength | None:
        if not self.source.predeal_lengths:
            return None
        target = self.target
        if target.predeal_lengths and (target.own_words or not self.program.predeal.cards):
            return node
        self._note(f"a predeal of lengths is said as a condition in {target.name}, which takes longer", node)
        length = nodes.Call(SUITS[node.suit], (nodes.Seat(node.seat),))
        self.lengths.append(nodes.Chain((length, nodes.Number(node.length)), ("==",)))
        return None

    def _add_lengths(self, lines: list[_Line]) -> None:
        """The lengths of a predeal as part of the condition."""
        if not self.lengths:
            return
        for line in lines:
            if isinstance(line.statement, nodes.Condition):
                value = line.statement.value
                rest = value.operands if isinstance(value, nodes.And) else (value,)
                line.statement = replace(line.statement, value=nodes.And((*self.lengths, *rest)))
                return
        value = nodes.And(tuple(self.lengths)) if len(self.lengths) > 1 else self.lengths[0]
        lines.insert(0, _Line(-1, nodes.Condition(value)))

    def _point_table(self, node: nodes.PointTable) -> nodes.PointTable | None:
        of_source, of_target = (
            ("hcp", "controls", *ALTERNATE_TABLES)[2 - rules.altcount_offset :]
            for rules in (self.source, self.target)
        )
        table = "hcp" if node.number is None else of_source[node.number]
        asked = {
            part.function
            for one in self.script.statements
            for part in walk(one)
            if isinstance(part, nodes.Call)
        }
        shared = self.source.shared_tables != self.target.shared_tables
        if shared and table in ("controls", "top3") and "losers" in asked:
            self._refuse(f"losers beside another table of {table}, which changes them in v1 only", node)
        if table == "controls" and table not in of_target:
            if table in asked:
                self._refuse("another table of controls", node)
            return None
        scale = self.rewriter.table(table)
        values = tuple(int(Decimal(repr(one)) * scale) if scale > 1 else one for one in node.values)
        return replace(node, number=None if table == "hcp" else of_target.index(table), values=values)

    # ------------------------------------------------------------ actions
    def _action(self, node: nodes.Action) -> nodes.Action:
        signature = ACTIONS[node.name]
        label = None if node.label is None else self._one_line(node.label, node)
        node = replace(node, label=label)
        if node.name == "printside" and not self.target.extensions and node.arguments == (nodes.Side(1),):
            return replace(node, name="printew", arguments=())
        aborts = node.name == "evalcontract" and self.source.extensions
        if (signature.extension or aborts) and not self.target.extensions and node.name != "bktfreq":
            self._refuse(f"the action {node.name}", node)
        values: list[Any] = [
            self.rewriter.expression(part) if isinstance(part, EXPRESSIONS) else part
            for part in node.arguments
        ]
        if node.name in ("frequency", "bktfreq"):
            return self._table(node, values)
        return replace(node, arguments=tuple(one for value in values for one in self._shown(node, value)))

    def _table(self, node: nodes.Action, values: list[Rewritten]) -> nodes.Action:
        """A frequency of whole numbers where that is what it is, else one of buckets."""
        step = 3 if node.name == "frequency" else 4
        one = Rewritten(nodes.Number(1))
        axes = [(values[k : k + step] + [one])[:4] for k in range(0, len(values), step)]
        natural = not self.target.hundredths and any(axis[0].real for axis in axes)
        if node.name == "frequency" and not natural:
            parts = [self.rewriter.plain(part, node, "a frequency") for axis in axes for part in axis[:3]]
            return replace(node, arguments=tuple(parts))
        axes = [self.rewriter.unified(axis) for axis in axes]
        if not self.target.extensions and all(axis[3].literal == 1 for axis in axes):
            return replace(
                node, name="frequency", arguments=tuple(part.node for axis in axes for part in axis[:3])
            )
        if not self.target.extensions:
            self._refuse("the action bktfreq", node)
        return replace(node, name="bktfreq", arguments=tuple(part.node for axis in axes for part in axis))

    def _shown(self, node: nodes.Action, value: Any) -> Iterator[nodes.Argument]:
        """An argument of an action that prints it or takes its mean."""
        if isinstance(value, nodes.String) and self.target.one_line_strings and value.text != "\n":
            if node.name != "printes":
                yield replace(value, text=self._one_line(value.text, node))
                return
            for k, line in enumerate(value.text.split("\n")):
                yield from [nodes.String("\n")] * (k > 0)
                yield from [nodes.String(line)] * bool(line)
        elif isinstance(value, Rewritten):
            if value.scale != 1:
                what = (
                    f"{value.scale} times its value" if value.scale > 1 else "natural units, not hundredths"
                )
                self._note(f"{node.name} shows `{to_text(value.node, self.target)}`, {what}", node)
            yield value.node
        else:
            yield value


def _is_free(word: str, rules: Rules) -> bool:
    """May a variable have this name?"""
    return classify(word, rules)[0] == "NAME" or is_open(word, rules)
