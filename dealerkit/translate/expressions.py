"""Expressions of one language in the words of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dealerkit import registry
from dealerkit.cards.names import SUITS
from dealerkit.language import nodes
from dealerkit.language.brace_shapes import ShapeTextError, parse_brace_shapes
from dealerkit.language.dialects import Rules
from dealerkit.language.printer import to_text
from dealerkit.language.trees import children, walk
from dealerkit.language.vocabulary import is_function, list_keyword_tokens
from dealerkit.translate.arithmetic import Arithmetic, Rewritten
from dealerkit.translate.shape_cover import build_length_condition, find_covering_terms

LARGEST = {32: 2**31 - 1, 64: 2**63 - 1}
MOST_SCALE = 10_000


class Rewriter(Arithmetic):
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
        super().__init__(source, target, refuse)
        self.points, self.renamed, self.note = points, renamed, note
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

    def short(self, value: Rewritten) -> Rewritten:
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
            return Rewritten(
                replace(node, decimal=node.decimal and self.target.decimals), rising=node.value >= 0
            )
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

    def _joined(self, node: nodes.And | nodes.Or, below: list[Rewritten]) -> Rewritten:
        return Rewritten(
            type(node)(tuple(value.node for value in below)), pure=all(one.pure for one in below)
        )

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
            return Rewritten(build_length_condition(seat, shapes.patterns))  # type: ignore[arg-type, union-attr]
        if name == "shape":
            return Rewritten(replace(node, arguments=(node.arguments[0], self._shapes(node.arguments[1]))))
        if name == "rnd":
            return self._rnd(node, below[0])
        if name == "board" and not target.modern_syntax:
            if not target.extensions:
                self.refuse("board(), the number of the deal", node)
            return Rewritten(nodes.Call("rnd", (nodes.Number(0),)), pure=False)
        if name in ("min", "max") and not target.modern_syntax:
            return self._extreme(">" if name == "max" else "<", below, node)
        if name == "fit" and not target.modern_syntax:
            return self._fit(node)
        if name == "dds" and not target.extensions:
            self._once("tricks", "dds becomes tricks, for which dealer needs GIB's solver", node)
            return Rewritten(replace(node, function="tricks"))
        function = registry.get_function(name)
        if node.output is not None or not (is_function(name, target) or name in list_keyword_tokens(target)):
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
            self._once(
                function.name,
                f"{function.name} differs a little between {source.name} and {target.name}",
                node,
            )
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
        """``min`` and ``max`` as a choice; what is more than a word gets a name first."""
        if not all(value.pure for value in below):
            self.refuse(f"{node.function} of a value that changes with each use", node)
        values = [self.short(value) for value in self.unified(below)]
        best = values[0]
        for value in values[1:]:
            best = self.short(best)
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
                    tuple(
                        nodes.Call(SUITS[suit], (nodes.Seat(seat),)) for seat in (side.index, side.index + 2)
                    ),
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
                if parse_brace_shapes(shapes.text, self.target.modern_syntax) == shapes.patterns:
                    return shapes
            except ShapeTextError:
                pass  # a notation of our own
        return nodes.ShapeList(find_covering_terms(shapes.patterns), shapes.patterns)


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
