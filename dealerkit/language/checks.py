"""What a script asks for, as one `Program`; and whether its statements agree with each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dealerkit import registry
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import PredealError, ScriptError
from dealerkit.language import nodes
from dealerkit.language.operators import COMPARISONS
from dealerkit.language.script import Script
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import ScriptSource, describe_place
from dealerkit.language.syntax_errors import suggest_word, unknown_function
from dealerkit.language.trees import walk
from dealerkit.language.vocabulary import is_function, list_keywords

MAX_CHAIN = 1000  # definitions that rest on one another
ALTERNATE_TABLES = ("tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13")
PRINTALL = nodes.Action("printall", ())


@dataclass(frozen=True)
class Program:
    """What a script asks for.

    Parameters
    ----------
    script : Script
    generate, produce, seed : int or None
        None: the script does not say.
    title : str
        Empty if there is none.
    dealer, opener : int or None
        Seats N E S W = 0..3.
    vulnerable : int or None
        Bit 0 north-south, bit 1 east-west.
    start_board : int
        Number of the first board.
    par_vulnerable : {"none", "ns", "ew", "both"}
        Of par and parcontract where the script does not say.
    predeal : Predeal
        Without lengths under rules that ignore them. Some deal complies.
    points : dict of str to tuple
        Redefined tables, 13 values from the ace down, by the name of the table's function.
    condition : Expression or None
        None: every deal is kept.
    definitions : dict of str to Expression
        In the order of the script.
    actions : tuple of Action
        ``printall`` where the script has no action list; nothing where that list is empty.
    prints : bool
        Some action prints deals, so a script without `produce` produces 40.
    warnings : tuple of str
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
    par_vulnerable: str = "none"
    predeal: Predeal = field(default_factory=Predeal)
    points: dict[str, tuple] = field(default_factory=dict)
    condition: nodes.Expression | None = None
    definitions: dict[str, nodes.Expression] = field(default_factory=dict)
    actions: tuple[nodes.Action, ...] = (PRINTALL,)
    prints: bool = True
    warnings: tuple[str, ...] = ()


def check_script(script: Script) -> Program:
    """Gather what a script asks for and see that it can be asked.

    Raises
    ------
    ScriptError
        An unknown name, a name defined twice, a second condition or action list where only one may
        be, a table of points that does not exist, a frequency whose range is empty, hundredths
        where natural units are meant.

    Examples
    --------
    >>> from dealerkit.language.dialects import MODERN
    >>> from dealerkit.language.parser import parse_script
    >>> program = check_script(parse_script('produce 10 strong = hcp(north) > 15 condition strong', MODERN))
    >>> program.produce, list(program.definitions), program.prints
    (10, ['strong'], True)
    """
    return _Checker(script).program()


class _Checker:
    def __init__(self, script: Script) -> None:
        self.script, self.rules = script, script.rules
        self.source = ScriptSource(script.text, script.rules, script.file)
        self.settings: dict[str, int | str] = {}
        self.places: dict[str, nodes.Place | None] = {}  # of definitions
        self.depths: dict[str, int] = {}
        self.definitions: dict[str, nodes.Expression] = {}
        self.points: dict[str, tuple] = {}
        self.predeal = Predeal()
        self.lengths: list[tuple[int, int, int]] = []  # that are ignored
        self.condition: nodes.Condition | None = None
        self.actions: nodes.ActionList | None = None
        self.warnings = list(script.warnings)

    def program(self) -> Program:
        for statement in self.script.statements:
            match statement:
                case nodes.Setting():
                    self._setting(statement)
                case nodes.PredealCards():
                    cards = tuple((statement.seat, suit, rank) for suit, rank in statement.cards)
                    self._predeal(Predeal(cards), statement)
                case nodes.PredealHand():
                    self._predeal_hand(statement)
                case nodes.PredealLength():
                    self._predeal_length(statement)
                case nodes.PointTable():
                    self._point_table(statement)
                case nodes.Definition():
                    self._define(statement)
                case nodes.Condition():
                    self._names(statement.value)
                    self._replace("condition", self.condition, statement)
                    self.condition = statement
                case nodes.ActionList():
                    self._action_list(statement)
        actions = (PRINTALL,) if self.actions is None else self.actions.actions
        return Program(
            script=self.script,
            predeal=self.predeal,
            points=self.points,
            condition=None if self.condition is None else self.condition.value,
            definitions=self.definitions,
            actions=actions,
            prints=any(self._prints(action) for action in actions),
            warnings=tuple(self.warnings),
            **self.settings,  # type: ignore[arg-type]
        )

    def _error(self, message: str, node: nodes.Statement | nodes.Action | nodes.Argument) -> ScriptError:
        return self.source.error_at(message, node.place)

    def _warn(self, message: str, place: nodes.Place | None) -> None:
        home = nodes.Place(1, 1, self.source.origin)
        self.warnings.append(f"{describe_place(place, home)}: {message}" if place else message)

    # ------------------------------------------------------------ settings
    def _setting(self, node: nodes.Setting) -> None:
        name = "start_board" if node.name == "startboard" else node.name
        if name in ("generate", "produce"):
            if self.settings.get(name):
                self._warn(f"a further `{name}` is ignored; the first one holds", node.place)
            elif node.value:
                self.settings[name] = node.value
            return
        if name == "opener" and not self.rules.opener:
            self._warn(f"the statement `opener` has no effect in {self.rules.name}", node.place)
            return
        self.settings[name] = node.value

    def _predeal(self, more: Predeal, node: nodes.Statement) -> None:
        """Add to what is predealt; some deal must comply with it."""
        try:
            self.predeal += more
            self.predeal.check()
        except PredealError as error:
            raise self._error(str(error), node) from None

    def _predeal_hand(self, node: nodes.PredealHand) -> None:
        try:
            hand = Predeal.from_mapping({SEATS[node.seat]: node.text})
        except PredealError as error:
            raise self._error(str(error), node) from None
        self._predeal(hand, node)

    def _predeal_length(self, node: nodes.PredealLength) -> None:
        if self.rules.predeal_lengths:
            self._predeal(Predeal((), ((node.seat, node.suit, node.length),)), node)
            return
        # Nobody deals by them, so nobody else would see that they contradict each other.
        self.lengths.append((node.seat, node.suit, node.length))
        self._possible_lengths(node)
        self._warn(f"{self.rules.name} ignores a predeal of lengths", node.place)

    def _possible_lengths(self, node: nodes.PredealLength) -> None:
        """The refusals of dealer: a length given twice, a suit or a hand of more than 13 cards."""
        seat, suit = SEATS[node.seat], SUITS[node.suit]
        if sum(entry[:2] == (node.seat, node.suit) for entry in self.lengths) > 1:
            raise self._error(f"the length of {suit} for {seat} is given twice", node)
        if sum(length for _, other, length in self.lengths if other == node.suit) > 13:
            raise self._error(f"more than 13 {suit} are dealt in advance", node)
        if sum(length for other, _, length in self.lengths if other == node.seat) > 13:
            raise self._error(f"more than 13 cards are dealt to {seat} in advance", node)

    def _point_table(self, node: nodes.PointTable) -> None:
        if node.number is None:
            table = "hcp"
        else:
            tables = ("hcp", "controls", *ALTERNATE_TABLES)[2 - self.rules.altcount_offset :]
            if not 0 <= node.number < len(tables):
                raise self._error(f"altcount has tables 0 to {len(tables) - 1}, not {node.number}", node)
            table = tables[node.number]
        self.points[table] = (*node.values, *[0] * (13 - len(node.values)))

    # ------------------------------------------------------------ names
    def _define(self, node: nodes.Definition) -> None:
        if node.name in self.definitions:
            first = self.places[node.name]
            there = f" in {describe_place(first, node.place)}" if first else ""
            raise self._error(f"'{node.name}' is defined already{there}; choose another name", node)
        depth = 1 + self._names(node.value)
        if depth > MAX_CHAIN:
            raise self._error(f"'{node.name}' rests on a chain of more than {MAX_CHAIN} definitions", node)
        self.definitions[node.name], self.places[node.name] = node.value, node.place
        self.depths[node.name] = depth

    def _names(self, value: nodes.Expression | nodes.Action) -> int:
        """Check all names and comparisons of an expression; how deep the definitions go that it rests on."""
        depth = 0
        for node in walk(value):
            if type(node) is nodes.Name:
                if node.name not in self.definitions:
                    raise self._unknown(node)
                depth = max(depth, self.depths[node.name])
            elif type(node) is nodes.Chain and not self.rules.hundredths:
                self._units(node)
        return depth

    def _unknown(self, node: nodes.Name) -> ScriptError:
        later = next(
            (
                statement.place
                for statement in self.script.statements
                if isinstance(statement, nodes.Definition) and statement.name == node.name
            ),
            None,
        )
        if later is not None:
            message = f"'{node.name}' is defined only in {describe_place(later, node.place)}; define it first"
        elif is_function(node.name, self.rules):
            message = f"'{node.name}' is a function; write {registry.get_function(node.name).signature}"
        elif self._before_parenthesis(node):
            message = unknown_function(node.name, self.source)
        else:
            known = [*self.definitions, *list_keywords(self.rules)]
            message = f"unknown variable '{node.name[:40]}'{suggest_word(node.name, known)}"
        return self._error(message, node)

    def _before_parenthesis(self, node: nodes.Name) -> bool:
        """Does the name look like the call of a function?"""
        return self.source.text_at(node.place)[len(node.name) :].lstrip().startswith("(")

    # ------------------------------------------------------------ condition and actions
    def _replace(self, what: str, old: nodes.Statement | None, new: nodes.Statement) -> None:
        if old is None:
            return
        first = "above"
        if old.place:
            first = describe_place(old.place, new.place).removesuffix(f", column {old.place.column}")
        if not self.rules.last_condition_wins:
            remedy = "join them with `and`" if what == "condition" else "join them with a comma"
            raise self._error(f"a second {what}; the first is in {first}; {remedy}", new)
        self._warn(f"a second {what} replaces that of {first}", new.place)

    def _action_list(self, node: nodes.ActionList) -> None:
        for action in node.actions:
            self._names(action)
            if action.name in ("frequency", "bktfreq"):
                self._ranges(action)
        self._replace("action list", self.actions, node)
        self.actions = node

    def _ranges(self, action: nodes.Action) -> None:
        """Ranges of a frequency: two or three numbers after each expression."""
        step = 3 if action.name == "frequency" else 4
        for start in range(0, len(action.arguments), step):
            value, low, high, *width = action.arguments[start : start + step]
            assert isinstance(low, nodes.Number) and isinstance(high, nodes.Number)
            if high.value < low.value:
                raise self._error(f"the range of this {action.name} ends before it begins", high)
            for number in width:
                if isinstance(number, nodes.Number) and number.value <= 0:
                    raise self._error("the width of a bucket must be more than 0", number)
            if not self.rules.hundredths:
                self._natural(value, (low, high))  # type: ignore[arg-type]

    def _prints(self, action: nodes.Action) -> bool:
        always = ACTIONS[action.name].prints
        return always or (action.name == "evalcontract" and not self.rules.extensions)

    # ------------------------------------------------------------ units
    def _units(self, chain: nodes.Chain) -> None:
        if chain.operators[0] not in COMPARISONS:
            return
        for left, operator, right in zip(chain.operands, chain.operators, chain.operands[1:], strict=False):
            if operator in COMPARISONS:
                self._natural(left, (right,))
                self._natural(right, (left,))

    def _natural(self, value: nodes.Expression, numbers: Iterable[nodes.Expression]) -> None:
        """Refuse hundredths beside a value in natural units."""
        for number in numbers:
            if (
                not isinstance(number, nodes.Number)
                or isinstance(number.value, float)
                or abs(number.value) < 100
            ):
                continue
            function = self._in_hundredths_elsewhere(value)
            if function is not None:
                unit = registry.get_function(function).unit or "points"
                raise self._error(
                    f"{function} is in {unit} here, not in hundredths; write {number.value / 100:g}", number
                )

    def _in_hundredths_elsewhere(self, value: nodes.Expression) -> str | None:
        """The function in such a value that the old programs count in hundredths, or None."""
        seen: set[str] = set()
        pending = [value]
        while pending:
            node = pending.pop()
            if isinstance(node, nodes.Call):
                if registry.get_function(node.function).hundredths:
                    return node.function
            elif isinstance(node, nodes.Name) and node.name in self.definitions and node.name not in seen:
                seen.add(node.name)
                pending.append(self.definitions[node.name])
            elif isinstance(node, nodes.Chain) and set(node.operators) <= {"+", "-"}:
                pending.extend(node.operands)
            elif isinstance(node, nodes.Negate):
                pending.append(node.operand)
        return None
