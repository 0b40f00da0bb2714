"""Numbers and arithmetic of one dialect rewritten for another.

The programs differ in their numbers: the old ones have integers only and count losers and
points in hundredths, the modern language has reals in natural units. So every rewritten
expression carries the factor by which its value is larger than that of the original
(`Scaled.scale`), and the operands of a sum or comparison are brought to one scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.operators import COMPARISONS, operator_levels


@dataclass(frozen=True)
class Scaled:
    """An expression of the target whose value is `scale` times that of the original.

    `real`: the modern language computes it with reals. `pure`: it has the same value each time it is
    evaluated. `nonnegative`: it is never below 0.
    """

    node: nodes.Expression
    scale: Fraction = Fraction(1)
    real: bool = False
    pure: bool = True
    nonnegative: bool = True

    @property
    def literal(self) -> int | float | None:
        return self.node.value if isinstance(self.node, nodes.Number) else None


class Arithmetic:
    """Sums, products and comparisons of scaled expressions.

    Parameters
    ----------
    source, target : Rules
    refuse : callable
        ``refuse(message, node)``: the target cannot express the node.
    """

    def __init__(self, source: Rules, target: Rules, refuse: Callable[[str, Any], None]) -> None:
        self.source, self.target, self.refuse = source, target, refuse

    def bind(self, value: Scaled) -> Scaled:
        """Return the value as a variable, unless it is a name, number or call, to be used several times."""
        raise NotImplementedError

    # ------------------------------------------------------------ scales
    def unscale(self, value: Scaled, node: Any, context: str) -> nodes.Expression:
        """Return the expression with the value of the original; refuse it unless that is a whole number."""
        whole = value.literal is not None and (value.literal / value.scale) % 1 == 0
        if value.scale < 1 or whole:
            value = self._rescale(value, 1 / value.scale)
        if value.scale != 1:
            self.refuse(f"{context} of a value with decimals", node)
        return value.node

    def unify_scales(self, values: Iterable[Scaled]) -> list[Scaled]:
        """Return the same values, all with one scale."""
        values = list(values)
        compound = {value.scale for value in values if value.literal is None} or {Fraction(1)}
        if self.target.hundredths:
            scales = {value.scale for value in values}
            scale = Fraction(math.lcm(*(scale.numerator for scale in scales)))
        else:
            scale = compound.pop() if len(compound) == 1 else Fraction(1)
        return [self._rescale(value, scale / value.scale) for value in values]

    def _rescale(self, value: Scaled, factor: Fraction) -> Scaled:
        """Return an expression whose value, and scale, is `factor` times as large."""
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
        """Return a number in the notation of the target."""
        if not self.target.hundredths:
            whole = value.denominator == 1
            return nodes.Number(int(value) if whole else float(value), not whole)
        # DealerV2 reads no more than two digits before the point.
        decimal = self.target.decimals and scale == 100 and 0 <= value < 10_000
        return nodes.Number(int(value), decimal)

    def _apply(self, left: nodes.Expression, operator: str, right: nodes.Expression) -> nodes.Chain:
        """Return the operation as a node, in the chain of `left` where the level is the same."""
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
                    # After another comparison such an integer would be refused as hundredths.
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
        """Return both sides, a decimal bound of integers rounded: 11.5 as a lower bound is 12."""
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
        """Return an expression made of these parts."""
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
            # 100 times a value that is counted in hundredths is that count.
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
        # Here hundredths are reals: truncate as integers do, with half a hundredth against rounding errors.
        if not (left.nonnegative and left.pure):
            self.refuse("a division of hundredths that may be negative or change with each use", node)
        whole = self.bind(self._combine(parts, self._add_half(left), Fraction(1), False))
        cut = self._apply(whole.node, "-", self._apply(whole.node, "%", right.node))
        return self._combine(parts, self._apply(cut, "/", right.node), Fraction(1), True)

    def _add_half(self, value: Scaled) -> nodes.Expression:
        """Return the value in hundredths plus a half, so that rounding errors change no truncation."""
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
