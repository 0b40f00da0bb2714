"""Expressions of one language in the words of another.

The programs differ in what a number is: the old ones know integers only and count losers and
points in hundredths, the modern language has reals in natural units. So every rewritten
expression carries the factor by which its value is larger than that of the original
(`Rewritten.scale`), and what stands beside it in a sum or comparison is brought to the same one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dealerkit import registry
from dealerkit.cards.names import SUITS
from dealerkit.language import nodes
from dealerkit.language.brace_shapes import ShapeTextError, brace_shapes
from dealerkit.language.covers import as_lengths, covering_terms
from dealerkit.language.dialects import Rules
from dealerkit.language.operators import operator_levels
from dealerkit.language.printer import to_text
from dealerkit.language.trees import children, walk
from dealerkit.language.words import is_function, vocabulary

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LARGEST = {32: 2**31 - 1, 64: 2**63 - 1}
MOST_SCALE = 10_000


@dataclass(frozen=True)
class Rewritten:
    """An expression of the target whose value is `scale` times that of the original.

    `real` says that the modern language computes it with reals, `pure` that it may be asked
    twice, and `rising` that it is made without subtraction, so of counts it is 0 or more.
    """

    node: nodes.Expression
    scale: Fraction = Fraction(1)
    real: bool = False
    pure: bool = True
    rising: bool = True

    @property
    def literal(self) -> int | float | None:
        return self.node.value if isinstance(self.node, nodes.Number) else None


class Rewriter:
    """Rewrites expressions from the rules `source` to the rules `target`.

    Parameters
    ----------
    source, target : Rules
    points : dict of str to tuple
        Redefined tables of points of the source.
    renamed : dict of str to str
        New names of variables.
    note : callable
        ``note(message, node)``: the result means something slightly different.
    refuse : callable
        ``refuse(message, node)``: the target cannot say it.
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
        self.source, self.target, self.points, self.renamed = source, target, points, renamed
        self.note, self.refuse = note, refuse
        self.variables: dict[str, Rewritten] = {}
        self.helpers: list[nodes.Definition] = []  # new ones, to stand before the present statement
        self.taken = set(renamed.values())
        self.in_condition = False
        self.spelled: set[int] = set()  # ids of calls of `shape` to be said as lengths
        self._known: dict[nodes.Expression, nodes.Name] = {}
        self._noted: set[str] = set()

    # ------------------------------------------------------------ the door
    def expression(self, root: nodes.Expression) -> Rewritten:
        """An expression and the scale of its value; from the leaves up, so without recursion."""
        done: dict[int, Any] = {}
        for node in reversed(list(walk(root))):
            if id(node) not in done:
                below = [done[id(child)] for child in children(node)]
                rewrite = _REWRITERS.get(type(node))
                done[id(node)] = node if rewrite is None else self._placed(rewrite(self, node, below), node)
        return done[id(root)]

    def plain(self, value: Rewritten, node: Any, what: str) -> nodes.Expression:
        """The expression, if its value is that of the original, whole numbers; else it is refused."""
        whole = value.literal is not None and (value.literal / value.scale) % 1 == 0
        if value.scale < 1 or whole:
            value = self._times(value, 1 / value.scale)
        if value.scale != 1:
            self.refuse(f"{what} of a value with decimals", node)
        return value.node

    def unified(self, values: Iterable[Rewritten]) -> list[Rewritten]:
        """The same values, all with one scale."""
        values = list(values)
        compound = {value.scale for value in values if value.literal is None} or {Fraction(1)}
        if self.target.hundredths:
            scales = {value.scale for value in values}
            scale = Fraction(math.lcm(*(one.numerator for one in scales)))
        else:
            scale = compound.pop() if len(compound) == 1 else Fraction(1)
        return [self._times(value, scale / value.scale) for value in values]

    def table(self, name: str) -> int:
        """The scale of a table of points: how many times larger its values are in the target."""
        values = self.points.get(name, ())
        if not self.target.hundredths or not any(isinstance(value, float) for value in values):
            return 1
        return 100 if all(Decimal(repr(value)).as_tuple().exponent >= -2 for value in values) else 10_000  # type: ignore[operator]

    def _placed(self, value: Any, node: Any) -> Any:
        if not isinstance(value, Rewritten):
            return value
        if value.scale > MOST_SCALE:
            self.refuse("so many decimals", node)
            value = replace(value, scale=Fraction(1))
        literal = value.literal
        if isinstance(literal, int) and abs(literal) > LARGEST[self.target.bits]:
            self.refuse(f"the number {literal}", node)
        return replace(value, node=replace(value.node, place=node.place))

    def _times(self, value: Rewritten, factor: Fraction) -> Rewritten:
        if factor == 1:
            return value
        scale = value.scale * factor
        literal = value.literal
        if literal is not None:
            exact = Fraction(literal) if isinstance(literal, int) else Fraction(repr(literal))
            return replace(value, node=self._numeral(exact * factor, scale), scale=scale)
        node = self._chain(nodes.Number(factor.numerator), "*", value.node)
        if factor.denominator != 1:
            node = self._chain(node, "/", nodes.Number(float(factor.denominator), True))
        return replace(value, node=node, scale=scale)

    def _numeral(self, value: Fraction, scale: Fraction) -> nodes.Number:
        """A number, as the target writes it best."""
        if not self.target.hundredths:
            whole = value.denominator == 1
            return nodes.Number(int(value) if whole else float(value), not whole)
        # DealerV2 reads no more than two digits before the point.
        decimal = self.target.decimals and scale == 100 and 0 <= value < 10_000
        return nodes.Number(int(value), decimal)

    def _chain(self, left: nodes.Expression, operator: str, right: nodes.Expression) -> nodes.Chain:
        levels = operator_levels(self.target)
        if isinstance(left, nodes.Chain) and levels[left.operators[0]] == levels[operator]:
            return nodes.Chain((*left.operands, right), (*left.operators, operator))
        return nodes.Chain((left, right), (operator,))

    def _short(self, value: Rewritten) -> Rewritten:
        """The value under a name of its own, if it is more than a word, so that it can be said twice."""
        if isinstance(value.node, nodes.Name | nodes.Number | nodes.Call):
            return value
        if value.node not in self._known:
            number = 1 + len(self._known)
            while f"value_{number}" in self.taken:
                number += 1
            name = f"value_{number}"
            self.taken.add(name)
            self.helpers.append(nodes.Definition(name, value.node))
            self._known[value.node] = nodes.Name(name)
        return replace(value, node=self._known[value.node])

    # ------------------------------------------------------------ leaves
    def _number(self, node: nodes.Number, below: list) -> Rewritten:
        if self.source.hundredths == self.target.hundredths:
            return Rewritten(replace(node, decimal=node.decimal and self.target.decimals), rising=node.value >= 0)
        if self.source.hundredths:
            if node.decimal and "decimals" not in self._noted:
                self._noted.add("decimals")
                said = to_text(node, self.source)
                self.note(f"{said} is the integer {node.value} in {self.source.name}", node)
            return Rewritten(nodes.Number(node.value), rising=node.value >= 0)
        if isinstance(node.value, int):
            return Rewritten(node, rising=node.value >= 0)
        exact = Fraction(repr(node.value))
        scale = 100
        while scale < MOST_SCALE and (exact * scale).denominator != 1:
            scale *= 10
        if (exact * scale).denominator != 1:
            self.refuse(f"the number {node.value!r}, with more than four decimals", node)
        found = Fraction(scale)
        return Rewritten(self._numeral(exact * scale, found), found, real=True, rising=node.value >= 0)

    def _name(self, node: nodes.Name, below: list) -> Rewritten:
        known = self.variables.get(node.name, Rewritten(node))
        return replace(known, node=nodes.Name(self.renamed.get(node.name, node.name)))

    # ------------------------------------------------------------ operators
    def _not(self, node: nodes.Not, below: list[Rewritten]) -> Rewritten:
        return Rewritten(nodes.Not(below[0].node), pure=below[0].pure)

    def _negate(self, node: nodes.Negate, below: list[Rewritten]) -> Rewritten:
        value = below[0]
        if self.target.negation:
            return replace(value, node=nodes.Negate(value.node), rising=False)
        return replace(value, node=self._chain(nodes.Number(0), "-", value.node), rising=False)

    def _joined(self, node: nodes.And | nodes.Or, below: list[Rewritten]) -> Rewritten:
        return Rewritten(type(node)(tuple(value.node for value in below)), pure=all(one.pure for one in below))

    def _operations(self, node: nodes.Chain, below: list[Rewritten]) -> Rewritten:
        if set(node.operators) <= {"+", "-"}:
            parts = self.unified(below)
            sums = nodes.Chain(tuple(part.node for part in parts), node.operators)
            rising = "-" not in node.operators and all(part.rising for part in parts)
            return self._of(below, sums, parts[0].scale, rising)
        value = below[0]
        for operator, operand in zip(node.operators, below[1:], strict=True):
            if operator in COMPARISONS:
                left, right = self.unified(self._rounded(value, operator, operand))
                pure = left.pure and right.pure
                value = Rewritten(self._chain(left.node, operator, right.node), pure=pure)
            elif operator == "*":
                value = self._product(value, operand)
            elif operator == "/":
                value = self._quotient(value, operand, node)
            else:
                value = self._remainder(value, operand, node)
        return value

    def _rounded(self, left: Rewritten, operator: str, right: Rewritten) -> tuple[Rewritten, Rewritten]:
        """Integers compared with a decimal number: 11.5 as a lower bound is 12."""
        number, other = (right, left) if right.literal is not None else (left, right)
        if number.literal is None or number.scale == 1 or other.scale != 1 or other.real or operator in "==!=":
            return left, right
        up = (operator in (">=", "<")) is (number is right)
        exact = Fraction(number.literal) / number.scale
        whole = Rewritten(nodes.Number(math.ceil(exact) if up else math.floor(exact)))
        return (left, whole) if number is right else (whole, right)

    def _of(
        self, parts: list[Rewritten], node: nodes.Expression, scale: Fraction, rising: bool = False
    ) -> Rewritten:
        """What is made of these parts."""
        real, pure = any(part.real for part in parts), all(part.pure for part in parts)
        return Rewritten(node, scale, real, pure, rising)

    def _product(self, left: Rewritten, right: Rewritten) -> Rewritten:
        scale = left.scale * right.scale
        rising = left.rising and right.rising
        for number, other, first in ((left, right, True), (right, left, False)):
            factor = number.literal
            if isinstance(factor, int) and factor > 1 and self.target.hundredths:
                # 100 times a value that is counted in hundredths is that count.
                common = math.gcd(factor, other.scale.numerator)
                if common > 1:
                    scale /= common
                    if factor == common:
                        return self._of([left, right], other.node, scale, rising)
                    rest = nodes.Number(factor // common)
                    pair = (rest, other.node) if first else (other.node, rest)
                    return self._of([left, right], self._chain(pair[0], "*", pair[1]), scale, rising)
        return self._of([left, right], self._chain(left.node, "*", right.node), scale, rising)

    def _quotient(self, left: Rewritten, right: Rewritten, node: nodes.Chain) -> Rewritten:
        parts = [left, right]
        rising = left.rising and right.rising
        if not (left.real or right.real) or self.source.hundredths == self.target.hundredths:
            return self._of(parts, self._chain(left.node, "/", right.node), Fraction(1), rising)
        divisor = right.literal
        if divisor is None or divisor <= 0:
            self.refuse("a division with decimals by something that is not a positive number", node)
            return left
        if self.target.hundredths:  # x / 2.5 is as well said by a scale 2.5 times as large
            by = Fraction(divisor) / right.scale
            value = self._times(left, Fraction(by.denominator))
            return replace(value, scale=left.scale * by.numerator, real=True)
        # Here hundredths are reals: cut off what integers drop, half a hundredth away from any mistake.
        if not (left.rising and left.pure):
            self.refuse("a division of hundredths that may be negative or change with each use", node)
        whole = self._short(self._of(parts, self._half_up(left), Fraction(1)))
        cut = self._chain(whole.node, "-", self._chain(whole.node, "%", right.node))
        return self._of(parts, self._chain(cut, "/", right.node), Fraction(1), True)

    def _half_up(self, value: Rewritten) -> nodes.Expression:
        return self._chain(self._times(value, 1 / value.scale).node, "+", nodes.Number(0.5, True))

    def _remainder(self, left: Rewritten, right: Rewritten, node: nodes.Chain) -> Rewritten:
        parts = [left, right]
        if self.source.hundredths and not self.target.hundredths and (left.real or right.real):
            if not left.rising or right.literal is None:
                self.refuse("a remainder of hundredths that may be negative", node)
            rest = self._chain(self._half_up(left), "%", right.node)
            return self._of(parts, self._chain(rest, "-", nodes.Number(0.5, True)), Fraction(1), left.rising)
        left, right = self.unified(parts)
        return self._of(parts, self._chain(left.node, "%", right.node), left.scale, left.rising)

    def _choice(self, node: nodes.Choice, below: list[Rewritten]) -> Rewritten:
        conditions, values = below[:-1:2], [*below[1:-1:2], below[-1]]
        values = self.unified(values)
        choice = nodes.Choice(
            tuple(one.node for one in conditions), tuple(one.node for one in values[:-1]), values[-1].node
        )
        found = self._of(values, choice, values[0].scale, all(value.rising for value in values))
        return replace(found, pure=found.pure and all(one.pure for one in conditions))

    # ------------------------------------------------------------ calls
    def _call(self, node: nodes.Call, below: list) -> Rewritten:
        name, target = node.function, self.target
        if name == "shape" and id(node) in self.spelled:
            seat, shapes = node.arguments
            return Rewritten(as_lengths(seat, shapes.patterns))  # type: ignore[arg-type, union-attr]
        if name == "shape":
            return Rewritten(replace(node, arguments=(node.arguments[0], self._shapes(node.arguments[1]))))
        if name == "rnd":
            return self._rnd(node, below[0])
        if name == "board" and not target.own_words:
            if not target.extensions:
                self.refuse("board(), the number of the deal", node)
            return Rewritten(nodes.Call("rnd", (nodes.Number(0),)), pure=False)
        if name in ("min", "max") and not target.own_words:
            return self._extreme(">" if name == "max" else "<", below, node)
        if name == "fit" and not target.own_words:
            return self._fit(node)
        if name == "dds" and not target.extensions:
            self._once("tricks", "dds becomes tricks, for which dealer needs GIB's solver", node)
            return Rewritten(replace(node, function="tricks"))
        function = registry.lookup(name)
        if node.output is not None or not (is_function(name, target) or name in vocabulary(target)):
            self.refuse(f"{name}()", node)
        self._variants(node, function)
        arguments = [self._argument(node, argument) for argument in below]
        scale = Fraction(1)
        if function.hundredths and self.source.hundredths != target.hundredths:
            scale = Fraction(100) if target.hundredths else Fraction(1, 100)
        scale *= self.table(function.table or "")
        real = function.hundredths or function.real or self.table(function.table or "") > 1
        call = replace(node, arguments=tuple(arguments))
        rising = not any(value < 0 for value in self.points.get(function.table or "", ())) and (
            name not in ("score", "imps", "par", "opc", "usereval")
        )
        return Rewritten(call, scale, real, function.pure, rising)

    def _argument(self, call: nodes.Call, argument: Any) -> Any:
        if isinstance(argument, Rewritten):
            return self.plain(argument, call, call.function)
        if isinstance(argument, nodes.ContractLiteral) and argument.doubled and not self.target.extensions:
            self.refuse(f"the doubled contract {to_text(argument, self.source)}", call)
        return argument

    def _variants(self, node: nodes.Call, function: registry.Function) -> None:
        source, target = self.source, self.target
        if function.variants and source.variant != target.variant:
            self._once(function.name, f"{function.name} differs a little between {source.name} and {target.name}", node)
        if function.name == "imps" and source.imps != target.imps:
            self._once("imps", f"{target.name} has another table of IMPs than {source.name}", node)

    def _once(self, what: str, message: str, node: Any) -> None:
        if what not in self._noted:
            self._noted.add(what)
            self.note(message, node)

    def _rnd(self, node: nodes.Call, limit: Rewritten) -> Rewritten:
        meaning, theirs = self.source.random_zero, self.target.random_zero
        if limit.literal == 0 and meaning != theirs:
            if meaning == "zero":
                return Rewritten(nodes.Number(0))
            if theirs == "error" and not self.in_condition:
                return Rewritten(nodes.Call("board", ()), pure=False)
            self.refuse("rnd(0), the number of deals produced", node)
        return Rewritten(replace(node, arguments=(self.plain(limit, node, "rnd"),)), pure=False)

    def _extreme(self, sign: str, below: list[Rewritten], node: nodes.Call) -> Rewritten:
        """min and max as a choice; what is more than a word gets a name first."""
        if not all(value.pure for value in below):
            self.refuse(f"{node.function} of a value that changes with each use", node)
        values = [self._short(value) for value in self.unified(below)]
        best = values[0]
        for value in values[1:]:
            best = self._short(best)
            best = self._of(
                [best, value],
                nodes.Choice((self._chain(best.node, sign, value.node),), (best.node,), value.node),
                best.scale,
                best.rising and value.rising,
            )
        return best

    def _fit(self, node: nodes.Call) -> Rewritten:
        side = node.arguments[0]
        assert isinstance(side, nodes.Side)
        chosen = [part.index for part in node.arguments[1:] if isinstance(part, nodes.Suit)] or range(4)
        sums = [
            Rewritten(
                nodes.Chain(
                    tuple(nodes.Call(SUITS[suit], (nodes.Seat(seat),)) for seat in (side.index, side.index + 2)),
                    ("+",),
                )
            )
            for suit in chosen
        ]
        return sums[0] if len(sums) == 1 else self._extreme(">", sums, node)

    # ------------------------------------------------------------ shapes
    def _shapes(self, shapes: Any) -> nodes.ShapeList | nodes.BraceShapes:
        if isinstance(shapes, nodes.ShapeList):
            return shapes
        if self.target.extensions:
            try:
                if brace_shapes(shapes.text, self.target.own_words) == shapes.patterns:
                    return shapes
            except ShapeTextError:
                pass  # a notation of our own
        return nodes.ShapeList(covering_terms(shapes.patterns), shapes.patterns)


_REWRITERS: dict[type, Callable[..., Any]] = {
    nodes.Number: Rewriter._number,
    nodes.Name: Rewriter._name,
    nodes.Not: Rewriter._not,
    nodes.Negate: Rewriter._negate,
    nodes.And: Rewriter._joined,
    nodes.Or: Rewriter._joined,
    nodes.Chain: Rewriter._operations,
    nodes.Choice: Rewriter._choice,
    nodes.Call: Rewriter._call,
}
