"""Numbers and arithmetic of one language in those of another.

The programs differ in what a number is: the old ones know integers only and count losers and
points in hundredths, the modern language has reals in natural units. So every rewritten
expression carries the factor by which its value is larger than that of the original
(`Rewritten.scale`), and what stands beside it in a sum or comparison is brought to the same one.
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


class Arithmetic:
    """Sums, products and comparisons of rewritten expressions.

    Parameters
    ----------
    source, target : Rules
    refuse : callable
        ``refuse(message, node)``: the target cannot say it.
    """

    def __init__(self, source: Rules, target: Rules, refuse: Callable[[str, Any], None]) -> None:
        self.source, self.target, self.refuse = source, target, refuse

    def short(self, value: Rewritten) -> Rewritten:
        """The value under a name of its own, if it is more than a word, so that it can be said twice."""
        raise NotImplementedError

    # ------------------------------------------------------------ scales
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

    # ------------------------------------------------------------ operators
    def _negate(self, node: nodes.Negate, below: list[Rewritten]) -> Rewritten:
        value = below[0]
        if self.target.negation:
            return replace(value, node=nodes.Negate(value.node), rising=False)
        return replace(value, node=self._chain(nodes.Number(0), "-", value.node), rising=False)

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
                is_chain = isinstance(left.node, nodes.Chain) and left.node.operators[0] in COMPARISONS
                if is_chain and abs(right.literal or 0) >= 100 and not self.target.hundredths:
                    # After another comparison such an integer would be refused as hundredths.
                    right = replace(right, node=nodes.Number(float(right.literal or 0), True))
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
        if (
            number.literal is None
            or number.scale == 1
            or other.scale != 1
            or other.real
            or operator in "==!="
        ):
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
        whole = self.short(self._of(parts, self._half_up(left), Fraction(1)))
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
