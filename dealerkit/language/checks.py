"""Check that the statements of a script agree with each other, and collect their content in a `Program`.

`_ExpressionChecker` checks names, units and ranges in expressions; `_Checker` checks the statements.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from dealerkit.appearance.wording import limit_repr
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import ArgumentError, CompatibilityWarning, PredealError, Remedy, ScriptError
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.levels import check_level
from dealerkit.language.scenarios import find_dealer
from dealerkit.language.script import Script
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import MAX_ERRORS, ScriptSource, add_file_hint, describe_place, join_errors
from dealerkit.language.trees import COMPARISONS, walk
from dealerkit.language.units import find_hundredths
from dealerkit.language.unknown_names import describe_unknown_variable

MAX_CHAIN = 1000  # number of definitions, each of which uses the one before
ALTERNATE_TABLES = ("tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13")
PRINTALL = nodes.Action("printall", ())


@limit_repr
@dataclass(frozen=True)
class Program:
    """The content of a checked script.

    Parameters
    ----------
    script : Script
        The script that was checked.
    generate, produce, seed : int or None
        Limits of generated and produced deals, and the seed; None if the script does not set them.
    title : str
        Empty if there is none.
    dealer, opener : int or None
        Seats, N E S W = 0..3; None if the script does not set them.
    vulnerable : int or None
        Vulnerability of the deals: bit 0 is set for north-south, bit 1 for east-west.
    start_board : int
        Number of the first board.
    par_vulnerable : int
        Vulnerability in calls of par and parcontract that name none, as bits.
    predeal : Predeal
        Cards and lengths dealt in advance; at least one deal complies. Lengths are missing in dialects that
        ignore them.
    points : dict of str to tuple
        Redefined tables of points, each with 13 values from the ace down, by the name of the function.
    condition : Expression or None
        The condition; None if every deal is produced.
    level : Level or None
        Hand types with their shares among the produced deals.
    definitions : dict of str to Expression
        Values of the variables, in the order of the script.
    actions : tuple of Action
        ``printall`` if the script has no action list; empty if that list is empty.
    prints : bool
        Whether an action prints deals, even one of an action list that a later one replaces. A script that
        prints and does not set `produce` produces 40 deals.
    warnings : tuple of CompatibilityWarning
        The warnings of the parser and of the checks.
    """

    script: Script
    generate: int | None = None
    produce: int | None = None
    seed: int | None = None
    title: str = ""
    dealer: int | None = None
    vulnerable: int | None = None
    opener: int | None = None
    start_board: int = 1
    par_vulnerable: int = 0
    predeal: Predeal = field(default_factory=Predeal)
    points: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    condition: nodes.Expression | None = None
    level: nodes.Level | None = None
    definitions: dict[str, nodes.Expression] = field(default_factory=dict)
    actions: tuple[nodes.Action, ...] = (PRINTALL,)
    prints: bool = True
    warnings: tuple[CompatibilityWarning, ...] = ()


def list_point_tables(rules: Rules) -> tuple[str, ...]:
    """Return the names of the functions whose tables `altcount` redefines, in the order of their numbers.

    >>> from dealerkit.language.dialects import V1
    >>> list_point_tables(V1)[:3]
    ('hcp', 'controls', 'tens')
    """
    return ("hcp", "controls", *ALTERNATE_TABLES)[2 - rules.altcount_offset :]


def check_script(script: Script) -> Program:
    """Check that the statements of a script agree, and return its content.

    Raises
    ------
    ScriptError
        A name is unknown, or has two different definitions; there is a second condition in a dialect that
        allows only one; no deal complies with the predeal; a table of points does not exist; the range of a
        frequency is empty; or a number is in hundredths in a dialect that counts in whole units.

    Examples
    --------
    >>> from dealerkit.language.dialects import MODERN
    >>> from dealerkit.language.parser import parse_script
    >>> program = check_script(parse_script('produce 10 strong = hcp(north) > 15 condition strong', MODERN))
    >>> program.produce, list(program.definitions), program.prints
    (10, ['strong'], True)
    """
    try:
        return _Checker(script).check()
    except ScriptError as caught:
        error = caught
    # A script without mistakes does not need the notations of other programs, so they are imported here.
    from dealerkit.language.notations import explain_notation

    raise add_file_hint(explain_notation(error, script.rules), script.text)


def find_further_errors(script: Script, unknown: Iterable[str]) -> list[ScriptError]:
    """Return the mistakes in those statements of a script that could be read.

    `unknown` has the variables whose definitions could not be read; uses of them are not mistakes.
    """
    checker = _Checker(script)
    checker.unknown |= set(unknown)
    checker.is_complete = False
    checker.collect_errors()
    return checker.errors


class _ConsequentError(Exception):
    """A use of a variable whose definition has a mistake."""


class _ExpressionChecker:
    """Checks of the expressions of a script, given the variables that are defined so far."""

    def __init__(self, script: Script) -> None:
        self.script, self.rules = script, script.rules
        self.source = ScriptSource(script.text, script.rules, script.file)
        self.depths: dict[str, int] = {}
        self.definitions: dict[str, nodes.Expression] = {}
        # Variables whose definitions have mistakes, and unknown names that have been reported.
        self.unknown: set[str] = set()

    def error(
        self,
        reason: str,
        node: nodes.Statement | nodes.Action | nodes.Argument,
        remedy: Remedy | None = None,
        kind: str = "",
    ) -> ScriptError:
        """Return the error to raise about a node."""
        return self.source.error_at(reason, node.place, remedy, kind)

    def check_expression(self, value: nodes.Expression | nodes.Action) -> int:
        """Check the names and units of an expression; return the depth of the definitions that it uses."""
        depth = 0
        for node in walk(value):
            if type(node) is nodes.Name:
                if node.name not in self.definitions:
                    if node.name in self.unknown:
                        raise _ConsequentError
                    self.unknown.add(node.name)
                    raise self._build_unknown_name_error(node)
                depth = max(depth, self.depths[node.name])
            elif type(node) is nodes.Chain and not self.rules.hundredths:
                self._check_units(node)
        return depth

    def _build_unknown_name_error(self, node: nodes.Name) -> ScriptError:
        definitions = (item for item in self.script.statements if isinstance(item, nodes.Definition))
        definition = next((item for item in definitions if item.name == node.name), None)
        if definition is not None:
            if any(part is node for part in walk(definition.value)):
                reason = f"'{node.name}' cannot be a part of its own definition"
            elif definition.place is None:
                reason = f"'{node.name}' is defined later; define it first"
            else:
                there = describe_place(definition.place, node.place)
                reason = f"'{node.name}' is defined later, in {there}; define it first"
            return self.error(reason, node, kind="unknown word")
        text = self.source.text_at(node.place)
        reason, remedy, kind = describe_unknown_variable(node.name, self.source, text, self.definitions)
        return self.error(reason, node, remedy, kind)

    def check_ranges(self, action: nodes.Action) -> None:
        """Check the ranges of a frequency, which are two or three numbers after each expression."""
        step = 3 if action.name == "frequency" else 4
        for start in range(0, len(action.arguments), step):
            value, low, high, *width = action.arguments[start : start + step]
            assert isinstance(low, nodes.Number) and isinstance(high, nodes.Number)
            if high.value < low.value:
                raise self.error(
                    f"the range of this {action.name} ends before it begins", high, kind="empty range"
                )
            for number in width:
                if isinstance(number, nodes.Number) and number.value <= 0:
                    raise self.error("the width of a bucket must be more than 0", number)
            if not self.rules.hundredths:
                self._refuse_hundredths(value, (low, high))  # type: ignore[arg-type]

    # ------------------------------------------------------------ units
    def _check_units(self, chain: nodes.Chain) -> None:
        if chain.operators[0] not in COMPARISONS:
            return
        for left, right in itertools.pairwise(chain.operands):
            self._refuse_hundredths(left, (right,))
            self._refuse_hundredths(right, (left,))

    def _refuse_hundredths(self, value: nodes.Expression, others: Iterable[nodes.Argument]) -> None:
        for reason, number in find_hundredths(value, others, self.definitions):
            raise self.error(reason, number, Remedy(f"{number.value / 100:g}", "word"))


class _Checker(_ExpressionChecker):
    """Checks of the statements of a script, which also collect their content."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self.settings: dict[str, int | str] = {}
        self.places: dict[str, nodes.Place | None] = {}  # of definitions
        self.points: dict[str, tuple[Any, ...]] = {}
        self.predeal = Predeal()
        self.ignored_lengths: list[tuple[int, int, int]] = []  # seat, suit, length
        self.condition: nodes.Condition | None = None
        self.level: nodes.Level | None = None
        self.actions: nodes.ActionList | None = None
        self.prints = False  # whether an action of a list so far prints deals
        self.warnings = list(script.warnings)
        self.errors: list[ScriptError] = []
        self.is_complete = True  # False if statements that could not be read are missing

    def collect_errors(self) -> None:
        """Check all statements; add the first mistake of each to `errors`."""
        for statement in self.script.statements:
            try:
                self._add(statement)
                continue
            except PredealError as error:
                self.errors.append(self.error(str(error), statement))
            except ScriptError as error:
                self.errors.append(error)
            except _ConsequentError:
                pass
            if isinstance(statement, nodes.Definition) and statement.name not in self.definitions:
                self.unknown.add(statement.name)
            if len(self.errors) == MAX_ERRORS:
                return

    def check(self) -> Program:
        self.collect_errors()
        if self.errors:
            raise join_errors(self.errors)
        self._complete_scenario()
        actions = (PRINTALL,) if self.actions is None else self.actions.actions
        for action in actions:
            if action.name in ("frequency", "bktfreq"):
                self.check_ranges(action)
        return Program(
            script=self.script,
            predeal=self.predeal,
            points=self.points,
            condition=None if self.condition is None else self.condition.value,
            level=self.level,
            definitions=self.definitions,
            actions=actions,
            prints=self.prints or any(self._is_printing(action) for action in actions),
            warnings=tuple(self.warnings),
            **self.settings,  # type: ignore[arg-type]
        )

    def _complete_scenario(self) -> None:
        """Set the dealer that a scenario names outside its text; warn if there is no condition."""
        script = self.script
        if "dealer" not in self.settings and script.metadata:
            try:
                if (dealer := find_dealer(script.metadata, self.rules)) is not None:
                    self.settings["dealer"] = dealer
            except ArgumentError as reason:
                self._warn(str(reason), None)
        is_selecting = self.condition is not None or self.predeal != Predeal() or self.ignored_lengths
        if (
            is_selecting
            or self.level
            or (self.actions is not None and self.actions.actions and not script.metadata)
        ):
            return
        if script.file is not None or script.metadata:
            self._warn("no condition: the script accepts every deal", None)

    def _add(self, statement: nodes.Statement) -> None:
        """Check one statement and add its content."""
        match statement:
            case nodes.Setting():
                self._add_setting(statement)
            case nodes.PredealCards():
                self._add_predeal(Predeal(tuple((statement.seat, *card) for card in statement.cards)))
            case nodes.PredealHand():
                self._add_predeal(Predeal.from_mapping({SEATS[statement.seat]: statement.text}))
            case nodes.PredealLength():
                self._add_predeal_length(statement)
            case nodes.PointTable():
                self._add_point_table(statement)
            case nodes.Definition():
                self._add_definition(statement)
            case nodes.Condition():
                self.check_expression(statement.value)
                self._check_second("condition", self.condition, statement)
                self.condition = statement
            case nodes.Level():
                check_level(statement, self.source)
                for level_type in statement.types:
                    self.check_expression(level_type.value)
                self._check_second("`level`", self.level, statement)
                self.level = statement
            case nodes.ActionList():
                self._add_actions(statement)

    def _warn(self, message: str, place: nodes.Place | None) -> None:
        self.warnings.append(self.source.warning_at(message, place))

    # ------------------------------------------------------------ settings
    def _add_setting(self, node: nodes.Setting) -> None:
        name = "start_board" if node.name == "startboard" else node.name
        if name in ("generate", "produce"):
            if self.settings.get(name):
                self._warn(f"a further `{name}` is ignored; the first one counts", node.place)
            elif node.value:
                self.settings[name] = node.value
            return
        if name == "opener" and not self.rules.opener:
            self._warn(f"the statement `opener` has no effect in {self.rules.name}", node.place)
            return
        self.settings[name] = node.value

    def _add_predeal(self, predeal: Predeal) -> None:
        """Add cards or lengths to the predeal; raise an error if no deal complies."""
        self.predeal += predeal
        self.predeal.check()

    def _add_predeal_length(self, node: nodes.PredealLength) -> None:
        if self.rules.predeal_lengths:
            self._add_predeal(Predeal((), ((node.seat, node.suit, node.length),)))
            return
        # Lengths that are ignored need not be possible, but dealer refuses these.
        self.ignored_lengths.append((node.seat, node.suit, node.length))
        seat, suit = SEATS[node.seat], SUITS[node.suit]
        if sum(length[:2] == (node.seat, node.suit) for length in self.ignored_lengths) > 1:
            raise self.error(f"the length of {suit} for {seat} is set twice", node)
        if sum(length for _, other, length in self.ignored_lengths if other == node.suit) > 13:
            raise self.error(f"more than 13 {suit} are dealt in advance", node)
        if sum(length for other, _, length in self.ignored_lengths if other == node.seat) > 13:
            raise self.error(f"more than 13 cards are dealt to {seat} in advance", node)
        self._warn(f"{self.rules.name} ignores a predeal of lengths", node.place)

    def _add_point_table(self, node: nodes.PointTable) -> None:
        if node.number is None:
            table = "hcp"
        else:
            tables = list_point_tables(self.rules)
            if not 0 <= node.number < len(tables):
                message = f"altcount has tables 0 to {len(tables) - 1}, not {node.number}"
                if node.number in (10, 11):
                    message += (
                        f"; dealer's numbers are 2 higher: for its table {node.number}, "
                        f"{tables[node.number - 2]}, write altcount {node.number - 2}, or use the dialect v1"
                    )
                raise self.error(message, node, kind="unknown table")
            table = tables[node.number]
        self.points[table] = (*node.values, *[0] * (13 - len(node.values)))

    # ------------------------------------------------------------ names
    def _add_definition(self, node: nodes.Definition) -> None:
        if node.name in self.definitions:
            if self.rules.includes and self.definitions[node.name] == node.value:
                return  # two included files may contain the same definition
            first = self.places[node.name]
            there = f" in {describe_place(first, node.place)}" if first else ""
            reason = f"'{node.name}' is already defined{there}; choose another name"
            raise self.error(reason, node, kind="defined twice")
        depth = 1 + self.check_expression(node.value)
        if depth > MAX_CHAIN:
            reason = f"'{node.name}' depends on a chain of more than {MAX_CHAIN} definitions; shorten it"
            raise self.error(reason, node, kind="limit")
        self.definitions[node.name], self.places[node.name] = node.value, node.place
        self.depths[node.name] = depth

    # ------------------------------------------------------------ condition and actions
    def _check_second(self, kind: str, old: nodes.Statement | None, new: nodes.Statement) -> None:
        if old is None or self.errors or not self.is_complete:
            return
        first = "above"
        if old.place:
            first = describe_place(old.place, new.place).removesuffix(f", column {old.place.column}")
        if not self.rules.last_condition_wins:
            remedy = {
                "condition": "join them with `and`",
                "`level`": "write all hand types in one `level`, with commas between them",
            }[kind]
            if isinstance(new, nodes.Condition) and new.bare and old.place and new.place:
                if old.place.line == new.place.line and old.place.origin == new.place.origin:
                    remedy = "write `and` before it, or the sign that is missing here"
            raise self.error(f"a second {kind}; the first is in {first}; {remedy}", new)
        self._warn(f"a second {kind} replaces the one in {first}", new.place)

    def _add_actions(self, node: nodes.ActionList) -> None:
        for action in node.actions:
            self.check_expression(action)
        if self.actions is not None and not self.rules.last_condition_wins:
            self.actions = nodes.ActionList(self.actions.actions + node.actions, place=self.actions.place)
            return
        self._check_second("action list", self.actions, node)
        # In the old programs, the default of `produce` also depends on lists that are replaced later.
        self.prints |= any(self._is_printing(action) for action in node.actions)
        self.actions = node

    def _is_printing(self, action: nodes.Action) -> bool:
        return ACTIONS[action.name].prints or (action.name == "evalcontract" and not self.rules.extensions)
