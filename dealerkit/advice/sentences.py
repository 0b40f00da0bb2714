"""A condition in plain words: a tree of parts, each a sentence or a heading over other parts.

`explain` shows the tree with the numbers of the clauses, `why` with the values of a deal. Expressions that
have no sentence are shown in the dealer language. The functions after `ConditionDescriber` write the phrases:
amounts, cards, shapes, and quantities such as the points of a hand.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from dealerkit import registry
from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.appearance.wording import join_words, limit_repr, shorten
from dealerkit.cards.names import RANKS, SEATS, SUITS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import NotYetError, ScriptError
from dealerkit.language import nodes
from dealerkit.language.printer import to_text
from dealerkit.language.trees import MIRRORED, has_truth_value, is_comparison, resolve_variable, walk

MAX_DEPTH, MAX_WIDTH = 40, 60  # most levels of the tree, most parts below a heading
HEADINGS = {"all": "all of these", "any": "at least one of these", "not": "not this"}
_INVERTED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


Definitions = Mapping[str, nodes.Expression]

COMPARED_NOUNS = {
    "==": "as many {} as {}", "!=": "not as many {} as {}", ">": "more {} than {}",
    ">=": "at least as many {} as {}", "<": "fewer {} than {}", "<=": "at most as many {} as {}",
}  # fmt: skip
RELATIONS = {
    "==": "equal to", "!=": "different from", ">": "more than", ">=": "at least",
    "<": "less than", "<=": "at most",
}  # fmt: skip


_RANK_NAMES = {12: "ace", 11: "king", 10: "queen", 9: "jack", 8: "ten"}


@limit_repr
@dataclass(frozen=True)
class ConditionPart:
    """A part of a condition: one line, and the parts below it.

    Attributes
    ----------
    kind : {"all", "any", "not", "if"}
        How the truth values of `parts` are combined, or those of `expressions` if there are no parts. "if"
        is a conditional expression, with its conditions and values in turn.
    text : str
        A sentence or a heading.
    expressions : tuple of Expression
        The expressions that the part describes.
    parts : tuple of ConditionPart
        The parts below this one.
    values : tuple of Expression
        The expressions whose values show why a deal passes or fails.
    required : str
        The value that passes, such as "15 to 17".
    """

    kind: str
    text: str
    expressions: tuple[nodes.Expression, ...]
    parts: tuple[ConditionPart, ...] = ()
    values: tuple[nodes.Expression, ...] = ()
    required: str = ""

    def format_numbers(self, clause_numbers: Mapping[int, int]) -> str:
        """Return the numbers of the clauses that the part describes.

        `clause_numbers` contains the numbers of all clauses, by the ``id`` of their nodes.
        """
        return ", ".join(
            str(clause_numbers[id(node)]) for node in self.expressions if id(node) in clause_numbers
        )


class ConditionDescriber:
    """A writer of sentences about the nodes of one script; a variable is described where it is first used.

    Parameters
    ----------
    graph : OperationGraph
        The operations of the script, which show which values are integers.
    definitions : mapping of str to Expression
        The variables of the script.
    """

    def __init__(self, graph: OperationGraph, definitions: Definitions) -> None:
        self.graph, self.rules, self.definitions = graph, graph.rules, definitions
        self._described: set[str] = set()  # names of the variables that have been described

    def describe(self, node: nodes.Expression, depth: int = 0) -> ConditionPart:
        """Return the tree of a condition."""
        if depth > MAX_DEPTH:
            return ConditionPart("all", self._print(node), (node,))
        match node:
            case nodes.And() | nodes.Or():
                return self._describe_group(node, depth)
            case nodes.Name() if has_truth_value(node, self.definitions):
                if node.name in self._described:
                    return ConditionPart("all", f"{node.name}, as above", (node,))
                self._described.add(node.name)
                inner = self.describe(self.definitions[node.name], depth)
                return replace(inner, text=f"{node.name}: {inner.text}", expressions=(node,))
            case nodes.Not():
                return self._describe_not(node, depth)
            case nodes.Choice() if len(node.conditions) <= MAX_WIDTH:
                return self._describe_choice(node, depth)
        return self._describe_comparison(node)

    def describe_action(self, action: nodes.Action) -> str:
        """Return a phrase for what an average or a frequency computes."""
        if action.name != "average":
            values = action.arguments[:: 3 if action.name == "frequency" else 4]
            names = " against ".join(self._name_value(value) for value in values)  # type: ignore[arg-type]
            return f"how often each {'bucket' if action.name == 'bktfreq' else 'value'} of {names} occurs"
        value: nodes.Expression = action.arguments[0]  # type: ignore[assignment]
        if not has_truth_value(value, self.definitions):
            return f"the mean of {self._name_value(value)}"
        is_single = isinstance(value, nodes.Call | nodes.Chain)
        text = self._describe_comparison(value).text if is_single else self._print(value)
        return f"the share of deals in which {text}"

    # ------------------------------------------------------------ headings
    def _describe_group(self, node: nodes.And | nodes.Or, depth: int) -> ConditionPart:
        kind = "all" if isinstance(node, nodes.And) else "any"
        operands, rest = node.operands[:MAX_WIDTH], node.operands[MAX_WIDTH:]
        parts: list[ConditionPart] = []
        merged: set[int] = set()
        for position, operand in enumerate(operands):
            if position not in merged:
                pair = self._merge_bounds(operands, position, merged) if kind == "all" else None
                parts.append(pair or self.describe(operand, depth + 1))
        if rest:
            parts.append(ConditionPart(kind, f"and {format_count(len(rest))} more parts", rest))
        return ConditionPart(kind, HEADINGS[kind], (node,), tuple(parts))

    def _merge_bounds(self, operands: tuple, position: int, merged: set[int]) -> ConditionPart | None:
        """Return one part for a lower and an upper bound of the same value, or None."""
        first = self._find_bound(operands[position])
        if first is None:
            return None
        for later in range(position + 1, len(operands)):
            second = self._find_bound(operands[later])
            if later in merged or second is None or first[0] != second[0] or first[1][0] == second[1][0]:
                continue
            low, high = (first, second) if first[1] == ">=" else (second, first)
            if low[1] != ">=" or high[1] != "<=" or low[2] > high[2]:
                return None
            merged.add(later)
            value, bounds = first[0], (low[2], high[2])
            text = self._compare_with_numbers(value, "range", *bounds)
            required = describe_amount(
                "range", "", *(format_number(bound, ascii=True) for bound in bounds)
            ).strip()
            return ConditionPart("all", text, (operands[position], operands[later]), (), (value,), required)
        return None

    def _describe_not(self, node: nodes.Not, depth: int) -> ConditionPart:
        operand = node.operand
        if isinstance(operand, nodes.Call) and has_truth_value(operand, self.definitions):
            return replace(self._describe_call(operand, " not"), expressions=(node,))
        if is_comparison(operand) and len(operand.operators) == 1:  # type: ignore[union-attr]
            assert isinstance(operand, nodes.Chain)
            inverse = replace(operand, operators=(_INVERTED[operand.operators[0]],))
            return replace(self._describe_comparison(inverse), expressions=(node,))
        return ConditionPart("not", HEADINGS["not"], (node,), (self.describe(operand, depth + 1),))

    def _describe_choice(self, node: nodes.Choice, depth: int) -> ConditionPart:
        pairs = zip(node.conditions, node.values, strict=True)
        branches = [branch for pair in pairs for branch in zip(("if", "then"), pair, strict=True)]
        parts: list[ConditionPart] = []
        for keyword, branch in (*branches, ("else", node.otherwise)):
            inner = self.describe(branch, depth + 1)
            parts.append(replace(inner, text=f"{keyword} {inner.text}"))
        return ConditionPart("if", "one or the other", (node,), tuple(parts))

    # ------------------------------------------------------------ sentences
    def _describe_comparison(self, node: nodes.Expression) -> ConditionPart:
        """Return the part for an expression without `and`, `or` and `not`."""
        if isinstance(node, nodes.Number):
            return ConditionPart("all", "always true" if node.value else "never true", (node,))
        if isinstance(node, nodes.Call) and has_truth_value(node, self.definitions):
            return self._describe_call(node)
        if not is_comparison(node):
            text = self._compare_with_numbers(node, "!=", 0)
            return ConditionPart("all", text, (node,), (), (node,), "anything but 0")
        assert isinstance(node, nodes.Chain)
        values = tuple(operand for operand in node.operands if not isinstance(operand, nodes.Number))
        if len(node.operators) > 1:
            return ConditionPart("all", self._print(node), (node,), (), values)
        (left, right), (operator,) = node.operands, node.operators
        number = self._find_number(right)
        if number is None and (mirrored := self._find_number(left)) is not None:
            left, right, number = right, left, mirrored
            operator = MIRRORED.get(operator, operator)
        if number is None:
            return ConditionPart("all", self._compare_values(left, operator, right), (node,), (), values)
        operator, number = self._include_limit(left, operator, number)
        required = describe_amount(operator, "", format_number(number, ascii=True)).strip()
        text = self._compare_with_numbers(left, operator, number)
        return ConditionPart("all", text, (node,), (), values, required)

    def _describe_call(self, node: nodes.Call, negation: str = "") -> ConditionPart:
        """Return the part for a call that is true or false."""
        function = registry.get_function(node.function)
        match node.arguments:
            case (nodes.Seat() as seat, nodes.CardLiteral() as card) if function.noun:
                return ConditionPart("all", describe_card(seat.index, card, negation), (node,))
            case (nodes.Seat() as seat, shapes) if function.operation == "member":
                text = describe_shapes(seat.index, shapes, negation)
                return ConditionPart("all", text, (node,), (), (nodes.Call(node.function, (seat,)),))
            case (nodes.Seat() as seat,) if function.noun:
                return ConditionPart("all", f"{SEATS[seat.index]} is{negation} {function.noun}", (node,))
            case (nodes.Seat() as seat, nodes.Number() as number) if function.noun:
                noun = function.noun.format(number.value)
                text = f"{SEATS[seat.index]} has {'no' if negation else 'a'} {noun}"
                return ConditionPart("all", text, (node,))
        text = to_text(node, self.rules)
        return ConditionPart("all", f"not {text}" if negation else text, (node,))

    def _find_number(self, node: nodes.Expression) -> int | float | None:
        """Return the value of an expression that is a number, directly or through variables, or None."""
        node = resolve_variable(node, self.definitions)
        return node.value if isinstance(node, nodes.Number) else None

    def _include_limit(
        self, value: nodes.Expression, operator: str, number: int | float
    ) -> tuple[str, int | float]:
        """Return ``>= 15`` for ``> 14`` if the value is an integer; return other comparisons unchanged."""
        if operator in "<>" and isinstance(number, int):
            try:
                is_real = self.graph.operations[self.graph.add_expression(value)].range.real
            except (NotYetError, ScriptError):
                is_real = True
            if not is_real:
                return f"{operator}=", number + (1 if operator == ">" else -1)
        return operator, number

    def _find_bound(self, node: nodes.Expression) -> tuple[nodes.Expression, str, int | float] | None:
        """Return a value with its lower (``>=``) or upper (``<=``) bound, or None."""
        if not isinstance(node, nodes.Chain) or len(node.operators) > 1 or node.operators[0] not in MIRRORED:
            return None
        (left, right), (operator,) = node.operands, node.operators
        number = self._find_number(right)
        if number is None:
            left, operator, number = right, MIRRORED[operator], self._find_number(left)
        if number is None or self._find_number(left) is not None:
            return None
        return left, *self._include_limit(left, operator, number)

    # ------------------------------------------------------------ values
    def _find_quantity(self, value: nodes.Expression) -> Quantity | None:
        target = resolve_variable(value, self.definitions)
        return find_quantity(target, self.definitions, self.graph.program.points)

    def _name_value(self, value: nodes.Expression) -> str:
        """Return a value as a noun, such as ``the points of north``, or as a formula."""
        quantity = self._find_quantity(value)
        if quantity is None:
            return self._print(value)
        return f"the {quantity.noun} of {quantity.owner}{_name_variable(value)}"

    def _compare_with_numbers(self, value: nodes.Expression, operator: str, *numbers: int | float) -> str:
        """Return a sentence that compares a value with a number, or with the two ends of a range."""
        target = resolve_variable(value, self.definitions)
        name = _name_variable(value)
        is_scaled = isinstance(target, nodes.Call) and registry.get_function(target.function).hundredths
        scale = 100 if self.rules.hundredths and is_scaled else 1
        texts = [format_number(number / scale, ascii=True) for number in numbers]
        quantity = self._find_quantity(value)
        if quantity is not None:
            owner, noun, verb, negated_verb = quantity
            if operator == "!=" and texts == ["0"]:
                return f"{owner} {verb} some {noun}{name}"
            if operator == "!=":
                return f"{owner} {negated_verb} {describe_amount('==', noun, *texts)}{name}"
            return f"{owner} {verb} {describe_amount(operator, noun, *texts)}{name}"
        formula, definitions = self._print(value), self._list_definitions(value)
        if operator == "range":
            return f"{formula} is {texts[0]} to {texts[1]}{definitions}"
        relation = {"==": "exactly", "!=": "not"}.get(operator, RELATIONS[operator])
        return f"{formula} is {relation} {texts[0]}{definitions}"

    def _compare_values(self, left: nodes.Expression, operator: str, right: nodes.Expression) -> str:
        """Return a sentence that compares two values, neither of which is a number."""
        first, second = self._find_quantity(left), self._find_quantity(right)
        if first and second and first.owner == second.owner:
            nouns = COMPARED_NOUNS[operator].format(first.noun, second.noun)
            return f"{first.owner} {first.verb} {nouns}"
        sides, definitions = [], ""
        for value, quantity in ((left, first), (right, second)):
            if quantity is None:
                sides.append(self._print(value))
                definitions += self._list_definitions(value)
            else:
                sides.append(f"{quantity.noun} of {quantity.owner}{_name_variable(value)}")
        verb = "is" if first is None else "are"
        return f"{sides[0]} {verb} {RELATIONS[operator]} {sides[1]}{definitions}"

    def _print(self, node: nodes.Expression) -> str:
        return shorten(to_text(node, self.rules))

    def _list_definitions(self, node: nodes.Expression) -> str:
        """Return the definitions of the variables in a formula that have not been described yet."""
        definitions: list[str] = []
        pending = [node]
        while pending and len(definitions) < MAX_WIDTH:
            for part in walk(pending.pop()):
                if isinstance(part, nodes.Name) and part.name not in self._described:
                    self._described.add(part.name)
                    definitions.append(f"{part.name} = {self._print(self.definitions[part.name])}")
                    pending.append(self.definitions[part.name])
        return f", with {', '.join(definitions)}" if definitions else ""


def _name_variable(value: nodes.Expression) -> str:
    """Return the name of a variable in parentheses; empty for other nodes."""
    return f" ({value.name})" if isinstance(value, nodes.Name) else ""


def join_numbered(noun: str, numbers: list[str]) -> str:
    """Return a noun with numbers: ``clause 3``, ``clauses 1, 2 and 3``."""
    return f"{noun}{'s' * (len(numbers) > 1)} {join_words(numbers)}"


def describe_amount(operator: str, noun: str, *numbers: str) -> str:
    """Return a number of things in words: ``15 to 17 points``, ``at least 5 spades``, ``no aces``."""
    first = numbers[0]
    if first in ("1", "-1") and operator != "range":
        head, blank, tail = noun.partition(" ")
        noun = f"{head.removesuffix('s')}{blank}{tail}"
    if operator == "range":
        return f"{first} to {numbers[1]} {noun}" if first != numbers[1] else f"exactly {first} {noun}"
    if noun and first == "0" and operator in ("==", "<="):
        return f"no {noun}"
    before = {"==": "exactly", "!=": "anything but"}.get(operator, RELATIONS[operator])
    return f"{before} {first} {noun}".rstrip()


def describe_card(seat: int, card: nodes.CardLiteral, negation: str) -> str:
    """Return a sentence about a card of a hand; `negation` is empty or `` not``."""
    rank = _RANK_NAMES.get(card.rank) or RANKS[card.rank]
    verb = "does not hold" if negation else "holds"
    return f"{SEATS[seat]} {verb} the {rank} of {SUITS[card.suit]}"


def describe_shapes(seat: int, shapes: nodes.Argument, negation: str) -> str:
    """Return a sentence about the shape of a hand; `negation` is empty or `` not``."""
    name = SEATS[seat]
    if isinstance(shapes, nodes.BraceShapes):
        return f"{name}'s shape is{negation} one of {shapes.patterns.bit_count()}: {shapes.text.strip()}"
    assert isinstance(shapes, nodes.ShapeList)
    if len(shapes.terms) == 1 and not shapes.terms[0].any and "x" in shapes.terms[0].pattern:
        lengths = [
            f"{length} {suit}"
            for length, suit in zip(shapes.terms[0].pattern, SUITS, strict=True)
            if length != "x"
        ]
        if lengths:
            return f"{name} {'does not hold' if negation else 'holds'} exactly {join_words(lengths)}"
    text = ""
    for (sign, any_order), terms in groupby(shapes.terms, lambda term: (term.sign, term.any)):
        joiner = "" if not text else ", or " if sign == "+" else ", but not "
        patterns = join_words([term.pattern for term in terms], "or")
        text += f"{joiner}{patterns}{' in any order' if any_order else ''}"
    is_ordered = any(not term.any and set(term.pattern) != {"x"} for term in shapes.terms)
    order = " (spades, hearts, diamonds, clubs)" if is_ordered else ""
    if shapes.terms[0].pattern == "xxxx":
        text = text.replace("xxxx", "anything", 1)
    return f"{name}'s shape is{negation} {text}{order}"


class Quantity(NamedTuple):
    """A count of the cards of one hand, or of several together, as the parts of a sentence.

    Attributes
    ----------
    owner : str
        Such as "north" or "north and south together".
    noun : str
        Such as "points in spades".
    verb, negated_verb : str
        Such as "holds" and "does not hold".
    """

    owner: str
    noun: str
    verb: str
    negated_verb: str


def find_quantity(
    node: nodes.Expression, definitions: Definitions, redefined_tables: Collection[str | None]
) -> Quantity | None:
    """Describe a function of a hand, or the sum of one function over several hands, as a quantity.

    Parameters
    ----------
    node : Expression
        The expression.
    definitions : mapping of str to Expression
        The variables of the script.
    redefined_tables : collection of (str or None)
        The tables of points that the script defines itself.

    Returns
    -------
    Quantity or None
        None for other expressions.
    """
    if not isinstance(node, nodes.Chain):
        return _find_hand_quantity(node, redefined_tables)
    quantities: list[Quantity] = []
    for operand in node.operands:
        quantity = _find_hand_quantity(resolve_variable(operand, definitions), redefined_tables)
        if quantity is None or quantity.noun != (quantities or [quantity])[0].noun:
            return None
        quantities.append(quantity)
    seats = [quantity.owner for quantity in quantities]
    if set(node.operators) != {"+"} or len(set(seats)) < len(seats):
        return None
    verb = "have" if quantities[0].verb == "has" else "hold"
    return Quantity(f"{join_words(seats)} together", quantities[0].noun, verb, f"do not {verb}")


def _find_hand_quantity(node: nodes.Expression, redefined_tables: Collection[str | None]) -> Quantity | None:
    """Return the quantity of a call of a function of one hand, or None for other expressions."""
    if not (isinstance(node, nodes.Call) and node.arguments and isinstance(node.arguments[0], nodes.Seat)):
        return None
    function = registry.get_function(node.function)
    if function.noun:
        noun = function.noun
    elif function.summary.startswith("number of "):
        noun = function.summary.removeprefix("number of ")
    elif function.unit in ("points", "losers") and len(node.arguments) == 1:
        noun = f"{function.unit} ({function.name})"
    else:
        return None
    if function.table in redefined_tables:
        noun += " as the script counts them"
    if len(node.arguments) == 2:
        suit = node.arguments[1]
        if not isinstance(suit, nodes.Suit):
            return None
        noun += f" in {SUITS[suit.index]}"
    verbs = ("has", "does not have") if function.unit in ("losers", "tricks") else ("holds", "does not hold")
    return Quantity(SEATS[node.arguments[0].index], noun, *verbs)
