"""Rewrite the expressions of one dialect for another, with their numbers and arithmetic.

The programs differ in their numbers: the old ones only have integers, and count losers and points in
hundredths, while the modern language has real numbers in natural units. So every rewritten expression has a
scale (`Scaled.scale`), the factor by which its value is larger than that of the original, and the operands of
a sum or comparison are brought to one scale.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dealerkit import registry
from dealerkit.language import nodes
from dealerkit.language.brace_shapes import ShapeTextError, parse_brace_shapes
from dealerkit.language.dialects import MODERN, Rules
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.trees import COMPARISONS, children, operator_levels, walk
from dealerkit.language.vocabulary import is_function, list_keyword_tokens
from dealerkit.registry import Settings
from dealerkit.translate.shape_cover import MAX_TRIED, build_length_condition, find_covering_terms


@dataclass(frozen=True)
class Scaled:
    """An expression in the target dialect whose value is `scale` times that of the original.

    `real` says whether modern scripts compute it with real numbers, `pure` whether it has the same value each
    time it is evaluated, and `nonnegative` whether it is never below 0.
    """

    node: nodes.Expression
    scale: Fraction = Fraction(1)
    real: bool = False
    pure: bool = True
    nonnegative: bool = True

    @property
    def literal(self) -> int | float | None:
        """The value, if the expression is a number."""
        return self.node.value if isinstance(self.node, nodes.Number) else None


class Arithmetic:
    """Sums, products and comparisons of scaled expressions.

    Parameters
    ----------
    source, target : Rules
        The rules of the original and of the target dialect.
    refuse : callable
        ``refuse(message, node)`` is called for a node that the target cannot express.
    """

    def __init__(self, source: Rules, target: Rules, refuse: Callable[[str, Any], None]) -> None:
        self.source, self.target, self.refuse = source, target, refuse

    def bind(self, value: Scaled) -> Scaled:
        """Return the value in a form for repeated use: a new variable, or a name, number or call itself."""
        raise NotImplementedError

    # ------------------------------------------------------------ scales
    def unscale(self, value: Scaled, node: Any, context: str) -> nodes.Expression:
        """Return the expression with the original's value; refuse it if this is not a whole number."""
        whole = value.literal is not None and (value.literal / value.scale) % 1 == 0
        if value.scale < 1 or whole:
            value = self._rescale(value, 1 / value.scale)
        if value.scale != 1:
            self.refuse(f"{context} of a value with decimals", node)
        return value.node

    def unify_scales(self, values: Iterable[Scaled]) -> list[Scaled]:
        """Return the values with a common scale."""
        values = list(values)
        compound = {value.scale for value in values if value.literal is None} or {Fraction(1)}
        if self.target.hundredths:
            scales = {value.scale for value in values}
            scale = Fraction(math.lcm(*(scale.numerator for scale in scales)))
        else:
            scale = compound.pop() if len(compound) == 1 else Fraction(1)
        return [self._rescale(value, scale / value.scale) for value in values]

    def _rescale(self, value: Scaled, factor: Fraction) -> Scaled:
        """Return an expression whose value and scale are `factor` times as large."""
        if factor == 1:
            return value
        scale = value.scale * factor
        literal = value.literal
        if literal is not None:
            exact = Fraction(literal) if isinstance(literal, int) else Fraction(repr(literal))
            return replace(value, node=self._build_number(exact * factor, scale), scale=scale)
        node = self._apply(nodes.Number(factor.numerator), "*", value.node)
        if factor.denominator != 1:
            node = self._apply(node, "/", nodes.Number(float(factor.denominator), True))
        return replace(value, node=node, scale=scale)

    def _build_number(self, value: Fraction, scale: Fraction) -> nodes.Number:
        """Return a number in the notation of the target dialect."""
        if not self.target.hundredths:
            whole = value.denominator == 1
            return nodes.Number(int(value) if whole else float(value), not whole)
        # DealerV2 reads at most two digits before the point.
        decimal = self.target.decimals and scale == 100 and 0 <= value < 10_000
        return nodes.Number(int(value), decimal)

    def _apply(self, left: nodes.Expression, operator: str, right: nodes.Expression) -> nodes.Chain:
        """Return the operation as a node; it extends the chain of `left` if the precedence is the same."""
        levels = operator_levels(self.target)
        if isinstance(left, nodes.Chain) and levels[left.operators[0]] == levels[operator]:
            return nodes.Chain((*left.operands, right), (*left.operators, operator))
        return nodes.Chain((left, right), (operator,))

    # ------------------------------------------------------------ operators
    def _rewrite_negate(self, node: nodes.Negate, below: list[Scaled]) -> Scaled:
        value = below[0]
        if self.target.negation:
            return replace(value, node=nodes.Negate(value.node), nonnegative=False)
        return replace(value, node=self._apply(nodes.Number(0), "-", value.node), nonnegative=False)

    def _rewrite_chain(self, node: nodes.Chain, below: list[Scaled]) -> Scaled:
        if set(node.operators) <= {"+", "-"}:
            parts = self.unify_scales(below)
            sums = nodes.Chain(tuple(part.node for part in parts), node.operators)
            nonnegative = "-" not in node.operators and all(part.nonnegative for part in parts)
            return self._combine(below, sums, parts[0].scale, nonnegative)
        value = below[0]
        for operator, operand in zip(node.operators, below[1:], strict=True):
            if operator in COMPARISONS:
                left, right = self.unify_scales(self._round_bound(value, operator, operand))
                is_chain = isinstance(left.node, nodes.Chain) and left.node.operators[0] in COMPARISONS
                if is_chain and abs(right.literal or 0) >= 100 and not self.target.hundredths:
                    # After another comparison, such an integer would be refused as hundredths.
                    right = replace(right, node=nodes.Number(float(right.literal or 0), True))
                pure = left.pure and right.pure
                value = Scaled(self._apply(left.node, operator, right.node), pure=pure)
            elif operator == "*":
                value = self._multiply(value, operand)
            elif operator == "/":
                value = self._divide(value, operand, node)
            else:
                value = self._take_remainder(value, operand, node)
        return value

    def _round_bound(self, left: Scaled, operator: str, right: Scaled) -> tuple[Scaled, Scaled]:
        """Return both sides, with a decimal bound of integers rounded: a lower bound of 11.5 becomes 12."""
        number, other = (right, left) if right.literal is not None else (left, right)
        literal = number.literal
        if literal is None or number.scale == 1 or other.scale != 1 or other.real or operator in ("==", "!="):
            return left, right
        up = (operator in (">=", "<")) is (number is right)
        exact = Fraction(literal) / number.scale
        whole = Scaled(nodes.Number(math.ceil(exact) if up else math.floor(exact)))
        return (left, whole) if number is right else (whole, right)

    def _combine(
        self, parts: list[Scaled], node: nodes.Expression, scale: Fraction, nonnegative: bool
    ) -> Scaled:
        """Return a node made of these parts as a scaled expression."""
        real, pure = any(part.real for part in parts), all(part.pure for part in parts)
        return Scaled(node, scale, real, pure, nonnegative)

    def _multiply(self, left: Scaled, right: Scaled) -> Scaled:
        scale = left.scale * right.scale
        nonnegative = left.nonnegative and right.nonnegative
        parts = [left, right]
        for position, (number, other) in enumerate(((left, right), (right, left))):
            factor = number.literal
            if not (isinstance(factor, int) and factor > 1 and self.target.hundredths):
                continue
            # 100 times a value is the value in hundredths.
            common = math.gcd(factor, other.scale.numerator)
            if factor == common:
                return self._combine(parts, other.node, scale / common, nonnegative)
            if common > 1:
                parts[position] = replace(number, node=nodes.Number(factor // common))
                scale /= common
                break
        product = self._apply(parts[0].node, "*", parts[1].node)
        return self._combine(parts, product, scale, nonnegative)

    def _divide(self, left: Scaled, right: Scaled, node: nodes.Chain) -> Scaled:
        parts = [left, right]
        nonnegative = left.nonnegative and right.nonnegative
        if not (left.real or right.real) or self.source.hundredths == self.target.hundredths:
            return self._combine(parts, self._apply(left.node, "/", right.node), Fraction(1), nonnegative)
        divisor = right.literal
        if divisor is None or divisor <= 0:
            self.refuse("a division with decimals by something that is not a positive number", node)
            return left
        if self.target.hundredths:  # x / 2.5 has a scale 2.5 times as large
            exact = Fraction(divisor) / right.scale
            value = self._rescale(left, Fraction(exact.denominator))
            return replace(value, scale=left.scale * exact.numerator, real=True)
        # Modern scripts have real numbers in place of hundredths: truncate as division of integers does, and
        # add half a hundredth against rounding errors.
        if not (left.nonnegative and left.pure):
            self.refuse("a division of hundredths that may be negative or change with each use", node)
        whole = self.bind(self._combine(parts, self._add_half(left), Fraction(1), False))
        cut = self._apply(whole.node, "-", self._apply(whole.node, "%", right.node))
        return self._combine(parts, self._apply(cut, "/", right.node), Fraction(1), True)

    def _add_half(self, value: Scaled) -> nodes.Expression:
        """Return the value in hundredths plus a half, so that rounding errors do not affect it."""
        return self._apply(self._rescale(value, 1 / value.scale).node, "+", nodes.Number(0.5, True))

    def _take_remainder(self, left: Scaled, right: Scaled, node: nodes.Chain) -> Scaled:
        parts = [left, right]
        if self.source.hundredths and not self.target.hundredths and (left.real or right.real):
            if not left.nonnegative or right.literal is None:
                self.refuse("a remainder of hundredths that may be negative", node)
            remainder = self._apply(self._add_half(left), "%", right.node)
            remainder = self._apply(remainder, "-", nodes.Number(0.5, True))
            return self._combine(parts, remainder, Fraction(1), left.nonnegative)
        left, right = self.unify_scales(parts)
        return self._combine(parts, self._apply(left.node, "%", right.node), left.scale, left.nonnegative)


MAX_INTEGER = {32: 2**31 - 1, 64: 2**63 - 1}
MAX_SCALE = 10_000


class ExpressionRewriter(Arithmetic):
    """A rewriter of expressions from the dialect `source` to the dialect `target`.

    Parameters
    ----------
    source, target : Rules
        The rules of both dialects.
    points : dict of str to tuple
        The tables of points that the script redefines.
    renamed : dict of str to str
        New names of variables.
    note : callable
        ``note(message, node)`` is called for a node whose translation has a slightly different meaning.
    refuse : callable
        ``refuse(message, node)`` is called for a node that the target cannot express.
    """

    def __init__(
        self,
        source: Rules,
        target: Rules,
        points: dict[str, tuple],
        renamed: dict[str, str],
        note: Callable[[str, Any], None],
        refuse: Callable[[str, Any], None],
    ) -> None:
        super().__init__(source, target, refuse)
        self.points, self.renamed, self.note = points, renamed, note
        self.variables: dict[str, Scaled] = {}
        self.new_definitions: list[nodes.Definition] = []  # definitions to write before the current statement
        self.used_names = set(renamed.values())
        self.in_condition = False
        self.length_calls: set[int] = set()  # ids of calls of `shape` that become conditions on lengths
        self.n_tried = MAX_TRIED  # argument of `find_covering_terms`
        self._bound: dict[nodes.Expression, nodes.Name] = {}
        self._noted: set[str] = set()

    def rewrite(self, root: nodes.Expression) -> Scaled:
        """Return an expression in the target dialect with its scale; computed without recursion."""
        done: dict[int, Any] = {}
        for node in reversed(list(walk(root))):
            if id(node) not in done:
                below = [done[id(child)] for child in children(node)]
                rewrite = _REWRITERS.get(type(node))
                done[id(node)] = node if rewrite is None else self._check(rewrite(self, node, below), node)
        return done[id(root)]

    def table_scale(self, name: str) -> int:
        """Return the scale of a table of points, how many times larger its values are in the target."""
        values = self.points.get(name, ())
        if not self.target.hundredths or not any(isinstance(value, float) for value in values):
            return 1
        return 100 if all(Decimal(repr(value)).as_tuple().exponent >= -2 for value in values) else 10_000  # type: ignore[operator]

    def _check(self, value: Scaled, node: Any) -> Scaled:
        """Return the value with the place of the original, and refuse it if the target cannot express it."""
        if value.scale > MAX_SCALE:
            self.refuse("a value with more than four decimals", node)
            value = replace(value, scale=Fraction(1))
        literal = value.literal
        if isinstance(literal, int) and abs(literal) > MAX_INTEGER[self.target.bits]:
            self.refuse(f"the number {literal}", node)
        return replace(value, node=replace(value.node, place=node.place))

    def bind(self, value: Scaled) -> Scaled:
        """Return the value in a form for repeated use: a new variable, or a name, number or call itself."""
        if isinstance(value.node, nodes.Name | nodes.Number | nodes.Call):
            return value
        if value.node not in self._bound:
            names = (f"value_{number}" for number in itertools.count(1 + len(self._bound)))
            name = next(name for name in names if name not in self.used_names)
            self.used_names.add(name)
            self.new_definitions.append(nodes.Definition(name, value.node))
            self._bound[value.node] = nodes.Name(name)
        return replace(value, node=self._bound[value.node])

    # ------------------------------------------------------------ leaves
    def _rewrite_number(self, node: nodes.Number, below: list) -> Scaled:
        # Both dialects count in the same units.
        if self.source.hundredths == self.target.hundredths:
            number = replace(node, decimal=node.decimal and self.target.decimals)
            return Scaled(number, nonnegative=node.value >= 0)
        # From hundredths, numbers are integers already.
        if self.source.hundredths:
            if node.decimal:
                message = f"{to_text(node, self.source)} is the integer {node.value} in {self.source.name}"
                self._note_once("decimals", message, node)
            return Scaled(nodes.Number(node.value), nonnegative=node.value >= 0)
        # To hundredths, integers stay, and a decimal number is multiplied until it is an integer.
        if isinstance(node.value, int):
            return Scaled(node, nonnegative=node.value >= 0)
        exact = Fraction(repr(node.value))
        scale = Fraction(100)
        while scale < MAX_SCALE and (exact * scale).denominator != 1:
            scale *= 10
        if (exact * scale).denominator != 1:
            self.refuse(f"the number {node.value!r}, with more than four decimals", node)
        number = self._build_number(exact * scale, scale)
        return Scaled(number, scale, real=True, nonnegative=node.value >= 0)

    def _rewrite_name(self, node: nodes.Name, below: list) -> Scaled:
        variable = self.variables.get(node.name, Scaled(node))
        return replace(variable, node=nodes.Name(self.renamed.get(node.name, node.name)))

    # ------------------------------------------------------------ operators
    def _rewrite_not(self, node: nodes.Not, below: list[Scaled]) -> Scaled:
        return Scaled(nodes.Not(below[0].node), pure=below[0].pure)

    def _rewrite_logical(self, node: nodes.And | nodes.Or, below: list[Scaled]) -> Scaled:
        operands = tuple(value.node for value in below)
        return Scaled(type(node)(operands), pure=all(value.pure for value in below))

    def _rewrite_choice(self, node: nodes.Choice, below: list[Scaled]) -> Scaled:
        conditions, values = below[:-1:2], [*below[1:-1:2], below[-1]]
        values = self.unify_scales(values)
        *results, otherwise = (value.node for value in values)
        choice = nodes.Choice(tuple(value.node for value in conditions), tuple(results), otherwise)
        combined = self._combine(values, choice, values[0].scale, all(value.nonnegative for value in values))
        return replace(combined, pure=combined.pure and all(value.pure for value in conditions))

    # ------------------------------------------------------------ calls
    def _rewrite_call(self, node: nodes.Call, below: list) -> Scaled:
        name, target = node.function, self.target
        function = registry.get_function(name)
        # Rewrite functions with rules of their own, and those that the target does not have.
        if function.operation == "member":
            return self._rewrite_shape(node)
        if function.operation == "random":
            return self._rewrite_rnd(node, below[0])
        if not (is_function(name, target) or name in list_keyword_tokens(target)):
            if function.operation == "board":
                return self._rewrite_board(node)
            if function.operation in ("least", "greatest"):
                return self._rewrite_extreme(">" if function.operation == "greatest" else "<", below, node)
            if function.definition is not None:
                return self._rewrite_definition(node, function.definition)
            node = self._rename(node, function)
        # Rewrite the arguments of the call.
        if node.output is not None:
            self.refuse(f"{name}()", node)
        self._note_variants(node, function)
        arguments = [self._rewrite_argument(node, argument) for argument in below]
        # Find the factor by which the value is larger in the target.
        scale = Fraction(1)
        if function.hundredths and self.source.hundredths != target.hundredths:
            scale = Fraction(100) if target.hundredths else Fraction(1, 100)
        scale *= self.table_scale(function.table or "")
        real = function.hundredths or function.real or self.table_scale(function.table or "") > 1
        call = replace(node, arguments=tuple(arguments))
        nonnegative = (function.low is not None and function.low >= 0) and not any(
            value < 0 for value in self.points.get(function.table or "", ())
        )
        return Scaled(call, scale, real, function.pure, nonnegative)

    def _rename(self, node: nodes.Call, function: registry.Function) -> nodes.Call:
        """Return the call with an alias of the function that the target has."""
        name = next((alias for alias in function.aliases if is_function(alias, self.target)), None)
        if name is None:
            self.refuse(f"{node.function}()", node)
            return node
        solver = ", for which dealer needs GIB's solver" if function.operation == "tricks" else ""
        self._note_once(name, f"{node.function} becomes {name}{solver}", node)
        return replace(node, function=name)

    def _rewrite_definition(self, node: nodes.Call, define: Callable[..., str]) -> Scaled:
        """Return the definition of a function that the target does not have, as an expression."""
        text = define(
            *(part.value if isinstance(part, nodes.Number) else part.index for part in node.arguments)  # type: ignore[union-attr]
        )
        (statement,) = parse_script(text, MODERN).statements
        assert isinstance(statement, nodes.Condition)
        return self.rewrite(statement.value)

    def _rewrite_board(self, node: nodes.Call) -> Scaled:
        if not self.target.extensions:
            self.refuse("board(), the number of the deal", node)
        return Scaled(nodes.Call("rnd", (nodes.Number(0),)), pure=False)

    def _rewrite_argument(self, call: nodes.Call, argument: Any) -> Any:
        if isinstance(argument, Scaled):
            return self.unscale(argument, call, call.function)
        if isinstance(argument, nodes.ContractLiteral) and argument.doubled and not self.target.extensions:
            self.refuse(f"the doubled contract {to_text(argument, self.source)}", call)
        return argument

    def _note_variants(self, node: nodes.Call, function: registry.Function) -> None:
        """Add a warning if the target defines a function differently."""
        source, target = self.source, self.target
        options = function.options or (lambda settings: {})
        differs = bool(function.variants) and source.variant != target.variant
        if differs or options(Settings(source)) != options(Settings(target)):
            message = f"some values of {function.name} differ between {source.name} and {target.name}"
            self._note_once(function.name, message, node)

    def _note_once(self, key: str, message: str, node: Any) -> None:
        if key not in self._noted:
            self._noted.add(key)
            self.note(message, node)

    def _rewrite_rnd(self, node: nodes.Call, limit: Scaled) -> Scaled:
        meaning, target_meaning = self.source.random_zero, self.target.random_zero
        if limit.literal == 0 and meaning != target_meaning:
            if meaning == "zero":
                return Scaled(nodes.Number(0))
            if target_meaning == "error" and not self.in_condition:
                return Scaled(nodes.Call("board", ()), pure=False)
            self.refuse("rnd(0), the number of deals produced", node)
        return Scaled(replace(node, arguments=(self.unscale(limit, node, "rnd"),)), pure=False)

    def _rewrite_extreme(self, sign: str, below: list[Scaled], node: nodes.Call) -> Scaled:
        """Return ``min`` or ``max`` as a choice between variables."""
        if not all(value.pure for value in below):
            self.refuse(f"{node.function} of a value that changes with each use", node)
        values = [self.bind(value) for value in self.unify_scales(below)]
        best = values[0]
        for value in values[1:]:
            best = self.bind(best)
            choice = nodes.Choice((self._apply(best.node, sign, value.node),), (best.node,), value.node)
            nonnegative = best.nonnegative and value.nonnegative
            best = self._combine([best, value], choice, best.scale, nonnegative)
        return best

    # ------------------------------------------------------------ shapes
    def _rewrite_shape(self, node: nodes.Call) -> Scaled:
        seat, shapes = node.arguments
        if id(node) in self.length_calls:
            return Scaled(build_length_condition(seat, shapes.patterns, self.n_tried))  # type: ignore[arg-type, union-attr]
        return Scaled(replace(node, arguments=(seat, self._rewrite_shapes(shapes))))

    def _rewrite_shapes(self, shapes: Any) -> nodes.ShapeList | nodes.BraceShapes:
        if isinstance(shapes, nodes.ShapeList):
            return shapes
        if self.target.extensions:
            try:
                if parse_brace_shapes(shapes.text, self.target.modern_syntax) == shapes.patterns:
                    return shapes
            except ShapeTextError:
                pass  # only modern scripts have this notation
        return nodes.ShapeList(find_covering_terms(shapes.patterns, self.n_tried), shapes.patterns)


_REWRITERS: dict[type, Callable[..., Any]] = {
    nodes.Number: ExpressionRewriter._rewrite_number,
    nodes.Name: ExpressionRewriter._rewrite_name,
    nodes.Not: ExpressionRewriter._rewrite_not,
    nodes.Negate: ExpressionRewriter._rewrite_negate,
    nodes.And: ExpressionRewriter._rewrite_logical,
    nodes.Or: ExpressionRewriter._rewrite_logical,
    nodes.Chain: ExpressionRewriter._rewrite_chain,
    nodes.Choice: ExpressionRewriter._rewrite_choice,
    nodes.Call: ExpressionRewriter._rewrite_call,
}
