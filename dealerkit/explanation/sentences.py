"""A condition in plain words: a tree of parts, each a sentence or a heading over others.

`explain` shows the tree with the numbers of the clauses, `why` with what a deal
holds. What has no words of its own is shown as the language writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dealerkit import registry
from dealerkit.cards.names import RANKS, SEATS, SUITS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import NotYetError, ScriptError
from dealerkit.explanation.phrases import ALIKE, RANK_NAMES, RELATIONS, describe_amount, describe_shapes
from dealerkit.language import nodes
from dealerkit.language.operators import COMPARISONS, MIRRORED
from dealerkit.language.printer import to_text
from dealerkit.language.trees import walk
from dealerkit.wording import join_words, shorten

DEEPEST, WIDEST = 40, 60  # levels shown, and parts of one heading
HEADINGS = {"all": "all of these", "any": "at least one of these", "not": "not this"}
_INVERTED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True)
class Part:
    """One line of a condition, and what stands below it.

    Parameters
    ----------
    kind : {"all", "any", "not", "if"}
        How the parts below decide; without any, how what is asked does. ``if``: what is asked decides.
    words : str
    asked : tuple of Expression
        What the language asks for it.
    parts : tuple of Part
    values : tuple of Expression
        What a reader wants to know of a deal, for a part with nothing below it.
    wanted : str
        The value that passes, such as ``15 to 17``.
    """

    kind: str
    words: str
    asked: tuple[nodes.Expression, ...]
    parts: tuple[Part, ...] = ()
    values: tuple[nodes.Expression, ...] = ()
    wanted: str = ""


def numbers(part: Part, labels: Mapping[int, int]) -> str:
    """The numbers of the clauses that a part stands for; `labels` has them by the id of the clause's node."""
    return ", ".join(str(labels[id(node)]) for node in part.asked if id(node) in labels)


def is_comparison(node: nodes.Argument) -> bool:
    """Is this one comparison or a chain of them?"""
    return isinstance(node, nodes.Chain) and node.operators[-1] in COMPARISONS


def looked_through(node: nodes.Expression, definitions: Mapping[str, nodes.Expression]) -> nodes.Expression:
    """What a variable stands for in the end; anything else is returned as it is."""
    while isinstance(node, nodes.Name) and node.name in definitions:
        node = definitions[node.name]
    return node


def is_truth(node: nodes.Expression, definitions: Mapping[str, nodes.Expression]) -> bool:
    """Is the value of an expression true or false, rather than a number?"""
    node = looked_through(node, definitions)
    if isinstance(node, nodes.Call):
        return registry.get_function(node.function).unit == "truth"
    return isinstance(node, nodes.Not | nodes.And | nodes.Or) or is_comparison(node)


class Words:
    """Words for the nodes of one script; a variable is looked through where it is first met.

    Parameters
    ----------
    graph : OperationGraph
        Of the script: they know which values are integers.
    definitions : mapping of str to Expression
    """

    def __init__(self, graph: OperationGraph, definitions: Mapping[str, nodes.Expression]) -> None:
        self.graph, self.rules = graph, graph.rules
        self.definitions = definitions
        self._met: set[str] = set()

    def part(self, node: nodes.Expression, depth: int = 0) -> Part:
        """The tree of a condition."""
        if depth > DEEPEST:
            return Part("all", shorten(to_text(node, self.rules)), (node,))
        match node:
            case nodes.And() | nodes.Or():
                return self._group(node, depth)
            case nodes.Name() if is_truth(node, self.definitions):
                if node.name in self._met:
                    return Part("all", f"{node.name}, as above", (node,))
                self._met.add(node.name)
                inner = self.part(self.definitions[node.name], depth)
                return replace(inner, words=f"{node.name}: {inner.words}", asked=(node,))
            case nodes.Not():
                return self._not(node, depth)
            case nodes.Choice() if len(node.conditions) <= WIDEST:
                return self._choice(node, depth)
        return self._sentence(node)

    def told(self, action: nodes.Action) -> str:
        """What an average or a frequency says of the produced deals."""
        if action.name != "average":
            values = action.arguments[:: 3 if action.name == "frequency" else 4]
            what = " against ".join(self._named(value) for value in values)  # type: ignore[arg-type]
            return f"how often each {'bucket' if action.name == 'bktfreq' else 'value'} of {what} occurs"
        value = action.arguments[0]
        if not is_truth(value, self.definitions):  # type: ignore[arg-type]
            return f"the mean of {self._named(value)}"  # type: ignore[arg-type]
        single = isinstance(value, nodes.Call | nodes.Chain)
        words = self._sentence(value).words if single else self._formula(value)  # type: ignore[arg-type]
        return f"the share of deals in which {words}"

    def _named(self, value: nodes.Expression) -> str:
        """A value as a noun: ``the points of north``, or its formula."""
        counted = self._counted(looked_through(value, self.definitions))
        if counted is None:
            return self._formula(value)
        owner, noun, _ = counted
        return f"the {noun} of {owner}{f' ({value.name})' if isinstance(value, nodes.Name) else ''}"

    # ------------------------------------------------------------ headings
    def _group(self, node: nodes.And | nodes.Or, depth: int) -> Part:
        kind = "all" if isinstance(node, nodes.And) else "any"
        shown, rest = node.operands[:WIDEST], node.operands[WIDEST:]
        parts: list[Part] = []
        merged: set[int] = set()
        for position, operand in enumerate(shown):
            if position in merged:
                continue
            pair = self._range(shown, position, merged) if kind == "all" else None
            parts.append(pair or self.part(operand, depth + 1))
        if rest:
            parts.append(Part(kind, f"and {len(rest):,} more of the kind", rest))
        return Part(kind, HEADINGS[kind], (node,), tuple(parts))

    def _range(self, operands: tuple, position: int, merged: set[int]) -> Part | None:
        """Two comparisons of one value with a lower and an upper bound, said as one."""
        first = self._bound(operands[position])
        if first is None:
            return None
        for other in range(position + 1, len(operands)):
            second = self._bound(operands[other])
            if other in merged or second is None or first[0] != second[0] or first[1][0] == second[1][0]:
                continue
            low, high = (first, second) if first[1] == ">=" else (second, first)
            if low[1] != ">=" or high[1] != "<=" or low[2] > high[2]:
                return None
            merged.add(other)
            value, bounds = first[0], (low[2], high[2])
            words = self._said(value, "range", *bounds)
            wanted = describe_amount("range", "", *(f"{bound:g}" for bound in bounds))
            return Part("all", words, (operands[position], operands[other]), (), (value,), wanted.strip())
        return None

    def _not(self, node: nodes.Not, depth: int) -> Part:
        operand = node.operand
        if isinstance(operand, nodes.Call) and is_truth(operand, self.definitions):
            return replace(self._truth_call(operand, " not"), asked=(node,))
        if is_comparison(operand) and len(operand.operators) == 1:  # type: ignore[union-attr]
            assert isinstance(operand, nodes.Chain)
            inverse = replace(operand, operators=(_INVERTED[operand.operators[0]],))
            return replace(self._sentence(inverse), asked=(node,))
        return Part("not", HEADINGS["not"], (node,), (self.part(operand, depth + 1),))

    def _choice(self, node: nodes.Choice, depth: int) -> Part:
        parts: list[Part] = []
        for condition, value in zip(node.conditions, node.values, strict=True):
            for word, one in (("if", condition), ("then", value)):
                inner = self.part(one, depth + 1)
                parts.append(replace(inner, words=f"{word} {inner.words}"))
        inner = self.part(node.otherwise, depth + 1)
        parts.append(replace(inner, words=f"else {inner.words}"))
        return Part("if", "one or the other", (node,), tuple(parts))

    # ------------------------------------------------------------ sentences
    def _sentence(self, node: nodes.Expression) -> Part:
        if isinstance(node, nodes.Number):
            return Part("all", "always true" if node.value else "never true", (node,))
        if isinstance(node, nodes.Call) and is_truth(node, self.definitions):
            return self._truth_call(node)
        if not is_comparison(node):
            return Part("all", self._said(node, "!=", 0), (node,), (), (node,), "anything but 0")
        assert isinstance(node, nodes.Chain)
        values = tuple(one for one in node.operands if not isinstance(one, nodes.Number))
        if len(node.operators) > 1:
            return Part("all", self._formula(node), (node,), (), values)
        (left, right), (operator,) = node.operands, node.operators
        number = self._constant(right)
        if number is None and (mirrored := self._constant(left)) is not None:
            left, right, number = right, left, mirrored
            operator = MIRRORED.get(operator, operator)
        if number is None:
            return Part("all", self._compared(left, operator, right), (node,), (), values)
        operator, number = self._whole(left, operator, number)
        wanted = describe_amount(operator, "", f"{number:g}").strip()
        return Part("all", self._said(left, operator, number), (node,), (), values, wanted)

    def _truth_call(self, node: nodes.Call, negation: str = "") -> Part:
        if node.function == "hascard":
            seat, card = node.arguments
            assert isinstance(seat, nodes.Seat) and isinstance(card, nodes.CardLiteral)
            rank = RANK_NAMES.get(card.rank) or RANKS[card.rank]
            verb = "does not hold" if negation else "holds"
            return Part("all", f"{SEATS[seat.index]} {verb} the {rank} of {SUITS[card.suit]}", (node,))
        if node.function == "shape":
            seat, shapes = node.arguments
            assert isinstance(seat, nodes.Seat)
            pattern = nodes.Call("pattern", (seat,))
            return Part("all", describe_shapes(seat.index, shapes, negation), (node,), (), (pattern,))
        text = to_text(node, self.rules)
        return Part("all", f"not {text}" if negation else text, (node,))

    def _constant(self, node: nodes.Expression) -> int | float | None:
        node = looked_through(node, self.definitions)
        return node.value if isinstance(node, nodes.Number) else None

    def _whole(self, value: nodes.Expression, operator: str, number: int | float) -> tuple[str, int | float]:
        """``> 14`` as ``>= 15`` where the value is an integer."""
        if operator in "<>" and isinstance(number, int):
            try:
                real = self.graph.operations[self.graph.add_expression(value)].range.real
            except (NotYetError, ScriptError):
                real = True
            if not real:
                return f"{operator}=", number + (1 if operator == ">" else -1)
        return operator, number

    def _bound(self, node: nodes.Expression) -> tuple[nodes.Expression, str, int | float] | None:
        """A value with its lower (``>=``) or upper (``<=``) bound, or None."""
        if not isinstance(node, nodes.Chain) or len(node.operators) > 1 or node.operators[0] not in MIRRORED:
            return None
        (left, right), (operator,) = node.operands, node.operators
        number = self._constant(right)
        if number is None:
            left, operator, number = right, MIRRORED[operator], self._constant(left)
        if number is None or self._constant(left) is not None:
            return None
        return left, *self._whole(left, operator, number)

    # ------------------------------------------------------------ values
    def _said(self, value: nodes.Expression, operator: str, *numbers: int | float) -> str:
        """A value compared with a number, or lying between two."""
        target = looked_through(value, self.definitions)
        name = f" ({value.name})" if target is not value and isinstance(value, nodes.Name) else ""
        scale = 100 if self.rules.hundredths and _counts_hundredths(target) else 1
        texts = [f"{number / scale:g}" for number in numbers]
        counted = self._counted(target)
        if counted is not None:
            owner, noun, verb = counted
            if operator == "!=" and texts == ["0"]:
                return f"{owner} {verb[0]} some {noun}{name}"
            if operator == "!=":
                return f"{owner} {verb[1]} {describe_amount('==', noun, *texts)}{name}"
            return f"{owner} {verb[0]} {describe_amount(operator, noun, *texts)}{name}"
        subject, meanings = self._phrase(value)
        if operator == "range":
            return f"{subject} {texts[0]} to {texts[1]}{meanings}"
        relation = {"==": "exactly", "!=": "not"}.get(operator, RELATIONS[operator])
        return f"{subject} {relation} {texts[0]}{meanings}"

    def _compared(self, left: nodes.Expression, operator: str, right: nodes.Expression) -> str:
        first = self._counted(looked_through(left, self.definitions))
        second = self._counted(looked_through(right, self.definitions))
        if first and second and first[0] == second[0]:
            return f"{first[0]} {first[2][0]} {ALIKE[operator].format(first[1], second[1])}"
        (subject, one), (other, two) = self._phrase(left), self._phrase(right)
        return f"{subject} {RELATIONS[operator]} {other.rpartition(' ')[0]}{one}{two}"

    def _phrase(self, value: nodes.Expression) -> tuple[str, str]:
        """A value with its verb, and what the variables in it stand for."""
        counted = self._counted(looked_through(value, self.definitions))
        if counted is None:
            return f"{self._formula(value)} is", self._meanings(value)
        owner, noun, _ = counted
        return f"{noun} of {owner}{f' ({value.name})' if isinstance(value, nodes.Name) else ''} are", ""

    def _counted(self, node: nodes.Expression) -> tuple[str, str, tuple[str, str]] | None:
        """Whose cards, what is counted of them, and the verb and its negation; None for other values.

        The cards are those of one hand, or of several whose counts are added.
        """
        if not isinstance(node, nodes.Chain):
            return self._counted_in_hand(node)
        found = [self._counted_in_hand(looked_through(one, self.definitions)) for one in node.operands]
        hands = [one for one in found if one is not None]
        same = len(hands) == len(found) and len({noun for _, noun, _ in hands}) == 1
        seats = [seat for seat, _, _ in hands]
        if not same or set(node.operators) != {"+"} or len(set(seats)) < len(seats):
            return None
        plain = "have" if hands[0][2][0] == "has" else "hold"
        return f"{join_words(seats)} together", hands[0][1], (plain, f"do not {plain}")

    def _counted_in_hand(self, node: nodes.Expression) -> tuple[str, str, tuple[str, str]] | None:
        if (
            not isinstance(node, nodes.Call)
            or not node.arguments
            or not isinstance(node.arguments[0], nodes.Seat)
        ):
            return None
        function = registry.get_function(node.function)
        if function.name == "hcp" or function.unit == function.name:
            noun = function.unit
        elif function.summary.startswith("number of "):
            noun = function.summary.removeprefix("number of ")
            if function.name.startswith("top"):  # top3: aces, kings and queens
                noun = f"honours ({RANKS[::-1][: int(function.name[-1])]})"
        elif function.unit in ("points", "losers") and len(node.arguments) == 1:
            noun = f"{function.unit} ({function.name})"
        else:
            return None
        if function.table in self.graph.points:
            noun += " as the script counts them"
        if len(node.arguments) == 2:
            suit = node.arguments[1]
            if not isinstance(suit, nodes.Suit):
                return None
            noun += f" in {SUITS[suit.index]}"
        lost = function.unit in ("losers", "tricks")
        verb = ("has", "does not have") if lost else ("holds", "does not hold")
        return SEATS[node.arguments[0].index], noun, verb

    def _formula(self, node: nodes.Expression) -> str:
        return shorten(to_text(node, self.rules))

    def _meanings(self, node: nodes.Expression) -> str:
        """What the variables in a formula stand for, where they have not been met before."""
        told: list[str] = []
        pending = [node]
        while pending and len(told) < WIDEST:
            for part in walk(pending.pop()):
                if isinstance(part, nodes.Name) and part.name not in self._met:
                    self._met.add(part.name)
                    told.append(f"{part.name} = {self._formula(self.definitions[part.name])}")
                    pending.append(self.definitions[part.name])
        return f", with {', '.join(told)}" if told else ""


def _counts_hundredths(node: nodes.Expression) -> bool:
    return isinstance(node, nodes.Call) and registry.get_function(node.function).hundredths
