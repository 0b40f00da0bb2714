"""A second evaluator, one deal at a time and straight from the nodes, which tests compare columns with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dealerkit import Deals, DivisionByZeroError, NotYetError, registry
from dealerkit.cards import LANE_MASK, LANE_SHIFTS
from dealerkit.compiler.function_bodies import (
    call_with_deals,
    find_user_call,
    parse_usereval,
    resolve_options,
    select_hands,
)
from dealerkit.compiler.operations import TOLERANCE, calculate_number, wrap
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.printer import to_text
from dealerkit.language.shapes import PATTERNS

NUMBERS = {tuple(map(int, pattern)): number for number, pattern in enumerate(PATTERNS)}


class Interpreter:
    """The evaluator of expressions for single deals.

    Parameters
    ----------
    rules, definitions, points : as for `graph.OperationGraph`
    generate : callable
        ``generate(limit)`` returns the next random integer for `rnd`.
    opener : int, optional
        Seat, for opc.
    """

    def __init__(
        self,
        rules: Rules,
        definitions: Mapping[str, nodes.Expression],
        points: Mapping[str, tuple],
        generate: Callable[[int], int],
        opener: int | None = None,
    ) -> None:
        self.rules, self.definitions, self.generate = rules, definitions, generate
        self.produced = 0  # the value of board(), and of rnd(0) in DealerV2
        self.points, self.opener = points, opener
        self._constant = {name: not has_random_call(node, definitions) for name, node in definitions.items()}
        self._deal: Deals | None = None
        self._variables: dict[str, int | float] = {}

    def value(self, node: nodes.Expression, deal: Deals) -> int | float:
        """Return the value of an expression for a Deals of length 1."""
        if deal is not self._deal:
            self._deal, self._variables = deal, {}
        return self._value(node)

    def _value(self, node: Any) -> int | float:
        match node:
            case nodes.Number():
                return node.value
            case nodes.Name():
                if node.name not in self._variables:
                    value = self._value(self.definitions[node.name])
                    if not self._constant[node.name]:
                        return value
                    self._variables[node.name] = value
                return self._variables[node.name]
            case nodes.Not():
                return int(not self._value(node.operand))
            case nodes.Negate():
                return self._fit(-self._value(node.operand))
            case nodes.And():
                return int(all(self._value(operand) for operand in node.operands))
            case nodes.Or():
                return int(any(self._value(operand) for operand in node.operands))
            case nodes.Choice():
                branches = zip(node.conditions, node.values, strict=True)
                taken = next(
                    (value for condition, value in branches if self._value(condition)), node.otherwise
                )
                result = self._value(taken)
                return float(result) if self._is_real(node) else result
            case nodes.Chain():
                result = self._value(node.operands[0])
                for operator, operand in zip(node.operators, node.operands[1:], strict=True):
                    result = self._binary(operator, result, self._value(operand), node)
                return result
            case nodes.Call():
                return self._call(node)
        raise TypeError(f"{node!r} is not an expression")

    def _is_real(self, node: Any) -> bool:
        """Return whether the value is a real number, whichever branch is taken."""
        match node:
            case nodes.Number():
                return isinstance(node.value, float)
            case nodes.Name():
                return self._is_real(self.definitions[node.name])
            case nodes.Negate():
                return self._is_real(node.operand)
            case nodes.Chain():  # a comparison makes a truth value of all before it
                places = [k for k, operator in enumerate(node.operators) if operator not in "+-*/%"]
                after = node.operands[places[-1] + 2 :] if places else node.operands
                return any(self._is_real(operand) for operand in after)
            case nodes.Choice():
                return any(self._is_real(value) for value in (*node.values, node.otherwise))
            case nodes.Call():
                function = registry.get_function(node.function)
                if function.name in ("min", "max"):
                    return any(self._is_real(argument) for argument in node.arguments)
                _, bounds, divisor = resolve_options(function, self.rules, self.points, self.opener)
                return divisor is not None or bounds.real
        return False

    def _fit(self, value: int | float) -> int | float:
        return wrap(value, self.rules.bits) if isinstance(value, int) else value

    def _binary(self, operator: str, left: int | float, right: int | float, node: nodes.Chain) -> int | float:
        if operator in ("/", "%") and right == 0:
            raise DivisionByZeroError(f"division by zero in '{to_text(node)}'")
        if operator in ("+", "-", "*", "/", "%"):
            return self._fit(calculate_number(operator, left, right))
        tolerance = TOLERANCE if isinstance(left, float) or isinstance(right, float) else 0.5
        sign = 0 if abs(left - right) < tolerance else 1 if left > right else -1
        return int(
            {
                "==": sign == 0,
                "!=": sign != 0,
                "<": sign < 0,
                "<=": sign <= 0,
                ">": sign > 0,
                ">=": sign >= 0,
            }[operator]
        )

    def _call(self, node: nodes.Call) -> int | float:
        function = registry.get_function(node.function)
        deal = self._deal
        assert deal is not None
        if function.name == "rnd":
            limit = int(self._value(node.arguments[0]))
            if limit == 0 and self.rules.random_zero != "zero":
                return self.produced
            return self.generate(limit)
        if function.name == "board":
            return self.produced
        if function.name == "shape":
            seat, shapes = node.arguments
            assert isinstance(seat, nodes.Seat) and isinstance(shapes, nodes.ShapeList | nodes.BraceShapes)
            hand = int(deal.hands[0, seat.index])
            lengths = tuple((hand >> shift & LANE_MASK).bit_count() for shift in LANE_SHIFTS)
            return shapes.patterns >> NUMBERS[lengths] & 1
        if function.body is None:
            raise NotYetError(f"{function.name} is part of the language but is not computed yet")
        arguments: list[Any] = []
        options, _, divisor = resolve_options(function, self.rules, self.points, self.opener)
        if function.name == "usereval":
            if (user_call := find_user_call(node, self.rules)) is not None:
                return self._call(user_call)
            tag, side, slot = parse_usereval(node)
            first, second = deal.hand(side.index), deal.hand(side.index + 2)
            return int(function.body(first, second, tag.value, slots=[slot], **options)[slot][0])
        for argument in node.arguments:
            if (hands := select_hands(function, argument, deal.hand)) is not None:
                arguments += hands[0]
                options = {**options, **hands[1]}
            elif isinstance(argument, nodes.Seat | nodes.Side | nodes.Suit | nodes.Strain):
                arguments.append(argument.index)
            elif isinstance(
                argument, nodes.CardLiteral | nodes.ContractLiteral | nodes.Vulnerability | nodes.String
            ):
                arguments.append(argument)
            elif isinstance(argument, nodes.Number) and "integer" in function.arguments:
                arguments.append(argument.value)
            else:
                arguments.append(np.array([self._value(argument)]))
        if function.kind == "deal":
            values = call_with_deals(function, deal, arguments, options)
            value = (values if node.output is None else values[node.output])[0].item()
            return value if divisor is None else value / divisor
        result = np.asarray(function.body(*arguments, **options)).reshape(-1)[0].item()
        return self._fit(result) if divisor is None else result / divisor


def has_random_call(node: Any, definitions: Mapping[str, nodes.Expression]) -> bool:
    """Return whether an expression calls `rnd`, itself or in its variables."""
    todo, seen = [node], set()
    while todo:
        part = todo.pop()
        if isinstance(part, nodes.Call) and part.function == "rnd":
            return True
        if isinstance(part, nodes.Name) and part.name not in seen and part.name in definitions:
            seen.add(part.name)
            todo.append(definitions[part.name])
        for field in ("operand", "otherwise"):
            if hasattr(part, field):
                todo.append(getattr(part, field))
        for field in ("operands", "conditions", "values", "arguments"):
            todo.extend(getattr(part, field, ()))
    return False
