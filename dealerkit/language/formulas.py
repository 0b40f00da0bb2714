"""From nodes to a list of operations on columns, each written once.

`Formulas.add` compiles an expression to a *slot*: the number of an operation
whose inputs all have smaller numbers. Equal operations share a slot, whatever
variable they stand in, so common sub-expressions are computed once. Operands
that may fail (a division) or are dear are *guarded*: they are asked only for
the rows that need them, as `and`, `or` and ``?:`` promise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from dealerkit import registry
from dealerkit.errors import NotYetError
from dealerkit.language import nodes
from dealerkit.language.calls import options_of, shared_losers
from dealerkit.language.dialects import Rules
from dealerkit.language.operations import REAL, TRUTH, Range, range_of, scalar, wrap
from dealerkit.language.scan import Scan

DEAR = 1000.0  # nanoseconds a deal from which an operand is worth guarding
MOST_OPERATIONS = 20_000
MOST_GUARDS = 60  # guards inside guards; each is evaluated inside the one around it

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Operation:
    """One step: `kind` says what, `inputs` and `guarded` which slots, `detail` the rest."""

    kind: str
    inputs: tuple[int, ...] = ()
    guarded: tuple[int, ...] = ()  # slots evaluated on some rows only
    detail: Any = None
    range: Range = REAL
    total: bool = True
    cost: float = 1.0  # of the dearest step in it, nanoseconds a deal
    seats: int = 0  # bit set of the seats whose cards it looks at
    depth: int = 0  # of guards
    node: nodes.Expression | None = None


class Formulas:
    """The operations of a script, compiled on demand.

    Parameters
    ----------
    rules : Rules
    definitions : mapping of str to Expression
        Variables in textual order; each uses earlier ones only.
    points : mapping of str to tuple
        Tables of points that the script redefines, 13 values from the ace down.
    script : Script, optional
        For the place and the line in error messages.

    Raises
    ------
    NotYetError
        A function that nothing computes yet.
    ScriptError
        An integer that may not fit 64 bits, or too many operations.
    """

    def __init__(
        self,
        rules: Rules,
        definitions: Mapping[str, nodes.Expression] | None = None,
        points: Mapping[str, tuple] | None = None,
        script: nodes.Script | None = None,
    ) -> None:
        self.rules = rules
        self.points = dict(points or {})
        self.script = script
        self.operations: list[Operation] = []
        self._slots: dict[tuple, int] = {}
        self._needed: dict[int, tuple[int, ...]] = {}
        self._texts = dict(definitions or {})
        self._variables: dict[str, int | nodes.Expression | NotYetError] = {}
        self._draws = 0
        if rules.shared_tables:
            shared_losers(self.points, "top3")  # v1 counts winners by it, asked or not, up to three
        for name, value in self._texts.items():
            before = self._draws
            try:
                slot = self.add(value)
            except NotYetError as reason:  # a complaint only where the variable is used
                self._variables[name] = reason
                continue
            # A variable that draws random numbers draws anew at each use: keep its text.
            self._variables[name] = slot if self._draws == before else value

    # ------------------------------------------------------------ asking
    def add(self, node: nodes.Expression) -> int:
        """The slot of an expression."""
        return _COMPILERS[type(node)](self, node)

    def variable(self, name: str) -> int | None:
        """The slot of a variable, or None where nothing computes it yet."""
        target = self._variables[name]
        if isinstance(target, int):
            return target
        return None if isinstance(target, NotYetError) else self.add(target)

    def needed(self, slot: int) -> tuple[int, ...]:
        """The slots that a slot needs on all of its rows, itself included, in order."""
        if slot not in self._needed:
            seen, todo = {slot}, [slot]
            while todo:
                for other in self.operations[todo.pop()].inputs:
                    if other not in seen:
                        seen.add(other)
                        todo.append(other)
            self._needed[slot] = tuple(sorted(seen))
        return self._needed[slot]

    def conjuncts(self, node: nodes.Expression) -> list[int]:
        """The slots of a condition's clauses, in the order of the text; variables are looked into."""
        clauses: list[int] = []
        todo, looked_into = deque([node]), set[str]()
        while todo:
            part = todo.popleft()
            if isinstance(part, nodes.And):
                todo.extendleft(reversed(part.operands))
            elif isinstance(part, nodes.Name) and isinstance(self._texts.get(part.name), nodes.And):
                drawn = not isinstance(self._variables[part.name], int)  # then each use has its own numbers
                if drawn or part.name not in looked_into:
                    looked_into.add(part.name)
                    todo.appendleft(self._texts[part.name])
            else:
                clauses.append(self.add(part))
        return clauses

    def uses(self, slots: Iterable[int], kind: str) -> bool:
        """Does any of these slots, or anything they may ask, have operations of this kind?"""
        todo, seen = list(slots), set(slots)
        while todo:
            operation = self.operations[todo.pop()]
            if operation.kind == kind:
                return True
            for other in operation.inputs + operation.guarded:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return False

    def seats(self, slots: list[int] | tuple[int, ...]) -> int:
        """Bit set of the seats whose cards these slots look at."""
        mask = 0
        for slot in slots:
            mask |= self.operations[slot].seats
        return mask

    def fail(self, node: Any, message: str) -> NoReturn:
        """Raise a ScriptError at a node's place."""
        text, file = (self.script.text, self.script.file) if self.script else ("", None)
        raise Scan(text, self.rules, file).error_at(message, getattr(node, "place", None))

    # ------------------------------------------------------------ building
    def _emit(self, operation: Operation, key: Any = None) -> int:
        identity = (operation.kind, operation.inputs, operation.guarded, key)
        if identity in self._slots:
            return self._slots[identity]
        parts = [self.operations[slot] for slot in operation.inputs]
        guarded = [self.operations[slot] for slot in operation.guarded]
        operation = replace(
            operation,
            total=operation.total and all(part.total for part in parts + guarded),
            cost=max([operation.cost, *(part.cost for part in parts + guarded)]),
            depth=max([part.depth for part in parts] + [part.depth + 1 for part in guarded], default=0),
            seats=operation.seats | self.seats(operation.inputs + operation.guarded),
        )
        if operation.depth > MOST_GUARDS or len(self.operations) >= MOST_OPERATIONS:
            self.fail(
                operation.node, "the script is too large to evaluate; split it or use fewer random variables"
            )
        self.operations.append(operation)
        self._slots[identity] = len(self.operations) - 1
        return len(self.operations) - 1

    def _constant(self, value: int | float, node: nodes.Expression | None = None) -> int:
        bounds = REAL if isinstance(value, float) else Range(value, value)
        return self._emit(Operation("constant", detail=value, range=bounds, cost=0.0, node=node), repr(value))

    def _known(self, slot: int) -> int | float | None:
        """The value of a constant slot, else None."""
        operation = self.operations[slot]
        return operation.detail if operation.kind == "constant" else None

    def _is_guarded(self, slot: int) -> bool:
        return not self.operations[slot].total or self.operations[slot].cost >= DEAR

    def _number(self, node: nodes.Number) -> int:
        return self._constant(node.value, node)

    def _name(self, node: nodes.Name) -> int:
        target = self._variables.get(node.name)
        if target is None:
            self.fail(node, f"unknown variable {node.name!r}")
        if isinstance(target, NotYetError):
            raise target
        return target if isinstance(target, int) else self.add(target)

    def _not(self, node: nodes.Not) -> int:
        return self._emit(Operation("not", (self.add(node.operand),), range=TRUTH, node=node))

    def _negate(self, node: nodes.Negate) -> int:
        return self._binary("-", self._constant(0), self.add(node.operand), node)

    def _chain(self, node: nodes.Chain) -> int:
        slot = self.add(node.operands[0])
        for operator, operand in zip(node.operators, node.operands[1:], strict=True):
            slot = self._binary(operator, slot, self.add(operand), node)
        return slot

    def _binary(self, operator: str, left: int, right: int, node: nodes.Expression) -> int:
        a, b = self.operations[left].range, self.operations[right].range
        if operator in COMPARISONS:
            return self._emit(
                Operation(
                    "compare", (left, right), detail=(operator, a.real or b.real), range=TRUTH, node=node
                ),
                operator,
            )
        bits = self.rules.bits
        x, y = self._known(left), self._known(right)
        total = operator not in "/%" or (y is not None and y != 0)
        if x is not None and y is not None and total:
            value = scalar(operator, x, y)
            if isinstance(value, int) and not Range(value, value).fits(bits):
                if bits == 64:
                    self._too_wide(operator, node)
                value = wrap(value, bits)
            return self._constant(value, node)
        bounds = range_of(operator, a, b)
        if not bounds.real and not bounds.fits(bits):
            if bits == 64:
                self._too_wide(operator, node)
            bounds = Range(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        return self._emit(
            Operation(
                "arithmetic",
                (left, right),
                detail=(operator, (a, b, bounds)),
                range=bounds,
                total=total,
                node=node,
            ),
            operator,
        )

    def _too_wide(self, operator: str, node: nodes.Expression) -> NoReturn:
        self.fail(
            node, f"'{operator}' may give an integer beyond 64 bits; a factor 1.0 makes it a real number"
        )

    def _and(self, node: nodes.And | nodes.Or) -> int:
        kind = "and" if isinstance(node, nodes.And) else "or"
        slots = [self.add(operand) for operand in node.operands]
        eager = tuple(slot for number, slot in enumerate(slots) if number == 0 or not self._is_guarded(slot))
        guarded = tuple(slot for slot in slots[1:] if self._is_guarded(slot))
        return self._emit(
            Operation(kind, eager, guarded, detail=tuple(slots), range=TRUTH, node=node), tuple(slots)
        )

    def _choice(self, node: nodes.Choice) -> int:
        first = self.add(node.conditions[0])
        others = [self.add(part) for part in (*node.conditions[1:], *node.values, node.otherwise)]
        cut = len(node.conditions)
        conditions, values = (first, *others[: cut - 1]), tuple(others[cut - 1 :])
        ranges = [self.operations[slot].range for slot in values]
        bounds = REAL
        if not any(one.real for one in ranges):
            bounds = Range(min(one.low for one in ranges), max(one.high for one in ranges))  # type: ignore[type-var]
        eager = (first, *(slot for slot in others if not self._is_guarded(slot)))
        guarded = tuple(slot for slot in others if self._is_guarded(slot))
        detail = (conditions, values)
        return self._emit(Operation("choice", eager, guarded, detail=detail, range=bounds, node=node), detail)

    def _call(self, node: nodes.Call) -> int:
        if node.function == "pattern":  # what shape() looks up; not a word of the language
            return self._pattern(node.arguments[0])
        function = registry.lookup(node.function)
        if function.kind == "special":
            return getattr(self, f"_{function.name}")(node)
        if function.body is None:
            raise NotYetError(f"{function.name} is part of the language but is not computed yet")
        literals: list[nodes.Argument | None] = []
        inputs: list[int] = []
        seats = 0
        for argument in node.arguments:
            if isinstance(argument, nodes.Seat):
                seats |= 1 << argument.index
            elif isinstance(argument, nodes.Side):
                seats |= 0b0101 << argument.index
            if type(argument) in _COMPILERS and not _is_literal(function, len(literals), argument):
                inputs.append(self.add(argument))  # type: ignore[arg-type]
                literals.append(None)
            else:
                literals.append(argument)
        if not node.arguments or function.kind == "deal":
            seats = 0b1111
        options, bounds, divisor = options_of(function, self.rules, self.points)
        if function.name in ("min", "max"):
            ranges = [self.operations[slot].range for slot in inputs]
            pick = min if function.name == "min" else max
            bounds = REAL
            if not any(one.real for one in ranges):
                bounds = Range(*(pick(ends) for ends in zip(*ranges, strict=True)))
        if function.name == "score":  # no trick is worth more than 600, redoubled and vulnerable
            tricks = self.operations[inputs[-1]].range
            most = 600 * max(abs(tricks.low or 0), abs(tricks.high or 0)) + 10_000
            bounds = Range(-most, most)
            if not bounds.fits(self.rules.bits):
                bounds = Range(-(1 << (self.rules.bits - 1)), (1 << (self.rules.bits - 1)) - 1)
        detail = (function, tuple(literals), options, divisor)
        operation = Operation(
            "call",
            tuple(inputs),
            detail=detail,
            range=bounds,
            total=function.total,
            cost=function.cost,
            seats=seats,
            node=node,
        )
        key = (function.name, tuple(literals)) if function.pure else (function.name, len(self.operations))
        slot = self._emit(operation, key)
        if node.output is None:
            return slot
        return self._emit(
            Operation("output", (slot,), detail=node.output, range=bounds, node=node), node.output
        )

    def _shape(self, node: nodes.Call) -> int:
        seat, shapes = node.arguments
        assert isinstance(seat, nodes.Seat) and isinstance(shapes, nodes.ShapeList | nodes.BraceShapes)
        pattern = self._pattern(seat)
        return self._emit(
            Operation("member", (pattern,), detail=shapes.patterns, range=TRUTH, node=node), shapes.patterns
        )

    def _pattern(self, seat: Any) -> int:
        bounds = Range(0, 4095)
        return self._emit(
            Operation("pattern", detail=seat.index, range=bounds, seats=1 << seat.index, cost=3.0), seat.index
        )

    def _rnd(self, node: nodes.Call) -> int:
        limit = self.add(node.arguments[0])  # type: ignore[arg-type]
        bounds, known = self.operations[limit].range, self._known(limit)
        if bounds.real:
            self.fail(node, "rnd takes an integer; it gives an integer from 0 to one less")
        if known == 0 and self.rules.random_zero != "zero":
            if self.rules.random_zero == "error":
                self.fail(node, "rnd(0) has no value; the number of the deal is board()")
            return self._board(node)
        assert bounds.low is not None and bounds.high is not None
        self._draws += 1
        bounds = Range(min(bounds.low + 1, 0), max(bounds.high - 1, 0))
        return self._emit(
            Operation("random", (limit,), detail=self._draws, range=bounds, node=node), self._draws
        )

    def _board(self, node: nodes.Call) -> int:
        return self._emit(Operation("board", range=Range(0, 1 << 48), node=node))


def _is_literal(function: registry.Function, position: int, argument: Any) -> bool:
    """Is a number here an argument that must be written as a literal?"""
    kinds = function.arguments[min(position, len(function.arguments) - 1)]
    return isinstance(argument, nodes.Number) and "expression" not in kinds


_COMPILERS: dict[type, Any] = {
    nodes.Number: Formulas._number,
    nodes.Name: Formulas._name,
    nodes.Not: Formulas._not,
    nodes.Negate: Formulas._negate,
    nodes.Chain: Formulas._chain,
    nodes.And: Formulas._and,
    nodes.Or: Formulas._and,
    nodes.Choice: Formulas._choice,
    nodes.Call: Formulas._call,
}
