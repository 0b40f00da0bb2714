"""From nodes to a list of operations on columns, each written once.

`OperationGraph.add_expression` compiles an expression to a *slot*: the number of an operation
whose inputs all have smaller numbers. Equal operations share a slot, whatever
variable they stand in, so common sub-expressions are computed once. Operands
that may fail (a division) or are dear are *guarded*: they are asked only for
the rows that need them, as `and`, `or` and ``?:`` promise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from dealerkit.compiler import trick_thresholds as questions
from dealerkit.compiler.calls import shared_losers
from dealerkit.compiler.compiled_calls import compile_call
from dealerkit.compiler.operations import REAL, TRUTH, Operation, Range, range_of, scalar, wrap
from dealerkit.errors import NotYetError
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.operators import COMPARISONS
from dealerkit.language.script import Script
from dealerkit.language.source import ScriptSource

if TYPE_CHECKING:
    from dealerkit.language.checks import Program

GUARD_COST_NS = 1000.0  # nanoseconds a deal from which an operand is worth guarding
MAX_OPERATIONS = 20_000
MAX_GUARD_DEPTH = 60  # guards inside guards; each is evaluated inside the one around it


class OperationGraph:
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
    opener : int, optional
        Seat, for opc.
    par_vulnerable : {"none", "ns", "ew", "both"}
        Of par where the script does not say.

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
        script: Script | None = None,
        opener: int | None = None,
        par_vulnerable: str = "none",
    ) -> None:
        self.rules = rules
        self.points = dict(points or {})
        self.opener, self.par_vulnerable = opener, par_vulnerable
        self.script = script
        self.operations: list[Operation] = []
        self._slots: dict[tuple, int] = {}
        self._needed: dict[int, tuple[int, ...]] = {}
        self._texts = dict(definitions or {})
        self._variables: dict[str, int | nodes.Expression | NotYetError] = {}
        self.n_random_calls = 0
        self.grouped_tricks: dict[int, list[int]] = {}  # by strain: numbers of tricks to be found at once
        self.thresholds: dict[int, tuple[bool, list[int]]] = {}  # of comparisons of tricks, once asked
        if rules.shared_tables:
            shared_losers(self.points, "top3")  # v1 counts winners by it, asked or not, up to three
        for name, value in self._texts.items():
            before = self.n_random_calls
            try:
                slot = self.add_expression(value)
            except NotYetError as reason:  # a complaint only where the variable is used
                self._variables[name] = reason
                continue
            # A variable that draws random numbers draws anew at each use: keep its text.
            self._variables[name] = slot if self.n_random_calls == before else value

    @classmethod
    def from_program(cls, program: Program) -> OperationGraph:
        """The graph of a checked script."""
        return cls(
            program.script.rules,
            program.definitions,
            program.points,
            program.script,
            program.opener,
            program.par_vulnerable,
        )

    # ------------------------------------------------------------ asking
    def add_expression(self, node: nodes.Expression) -> int:
        """The slot of an expression."""
        return _COMPILERS[type(node)](self, node)

    def find_variable(self, name: str) -> int | None:
        """The slot of a variable, or None where nothing computes it yet."""
        target = self._variables[name]
        if isinstance(target, int):
            return target
        return None if isinstance(target, NotYetError) else self.add_expression(target)

    def find_required(self, slot: int) -> tuple[int, ...]:
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

    def split_clauses(self, node: nodes.Expression) -> list[int]:
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
                clauses.append(self.add_expression(part))
        return clauses

    def find_reachable(self, slots: Iterable[int]) -> set[int]:
        """These slots and all that they may ask, guarded ones included."""
        todo = list(slots)
        seen = set(todo)
        while todo:
            operation = self.operations[todo.pop()]
            for other in operation.inputs + operation.guarded:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    def has_kind(self, slots: Iterable[int], kind: str) -> bool:
        """Does any of these slots, or anything they may ask, have operations of this kind?"""
        return any(self.operations[slot].kind == kind for slot in self.find_reachable(slots))

    def group_tricks(self, slots: Iterable[int]) -> None:
        """Find the tricks of several declarers in one strain at once where all of these slots need them.

        Four declarers cost a solver less than two of them one by one.
        """
        needed = {part for slot in slots for part in self.find_required(slot)}
        for slot in sorted(needed):
            operation = self.operations[slot]
            if operation.kind == "tricks" and slot not in self.grouped_tricks.get(operation.detail[1], ()):
                self.grouped_tricks.setdefault(operation.detail[1], []).append(slot)

    def find_seats(self, slots: list[int] | tuple[int, ...]) -> int:
        """Bit set of the seats whose cards these slots look at."""
        mask = 0
        for slot in slots:
            mask |= self.operations[slot].seats
        return mask

    def raise_error(self, node: Any, message: str) -> NoReturn:
        """Raise a ScriptError at a node's place."""
        text, file = (self.script.text, self.script.file) if self.script else ("", None)
        raise ScriptSource(text, self.rules, file).error_at(message, getattr(node, "place", None))

    # ------------------------------------------------------------ building
    def add_operation(self, operation: Operation, key: Any = None) -> int:
        """The slot of an operation; equal ones (by kind, operands and `key`) share theirs."""
        identity = (operation.kind, operation.inputs, operation.guarded, key)
        if identity in self._slots:
            return self._slots[identity]
        parts = [self.operations[slot] for slot in operation.inputs]
        guarded = [self.operations[slot] for slot in operation.guarded]
        operation = replace(
            operation,
            total=operation.total and all(part.total for part in parts + guarded),
            cost_ns=max([operation.cost_ns, *(part.cost_ns for part in parts + guarded)]),
            depth=max([part.depth for part in parts] + [part.depth + 1 for part in guarded], default=0),
            seats=operation.seats | self.find_seats(operation.inputs + operation.guarded),
        )
        if operation.depth > MAX_GUARD_DEPTH or len(self.operations) >= MAX_OPERATIONS:
            self.raise_error(
                operation.node, "the script is too large to evaluate; split it or use fewer random variables"
            )
        self.operations.append(operation)
        self._slots[identity] = len(self.operations) - 1
        return len(self.operations) - 1

    def _constant(self, value: int | float, node: nodes.Expression | None = None) -> int:
        bounds = REAL if isinstance(value, float) else Range(value, value)
        return self.add_operation(
            Operation("constant", detail=value, range=bounds, cost_ns=0.0, node=node), repr(value)
        )

    def constant_value(self, slot: int) -> int | float | None:
        """The value of a constant slot, else None."""
        operation = self.operations[slot]
        return operation.detail if operation.kind == "constant" else None

    def _is_guarded(self, slot: int) -> bool:
        return not self.operations[slot].total or self.operations[slot].cost_ns >= GUARD_COST_NS

    def _number(self, node: nodes.Number) -> int:
        return self._constant(node.value, node)

    def _name(self, node: nodes.Name) -> int:
        target = self._variables.get(node.name)
        if target is None:
            self.raise_error(node, f"unknown variable {node.name!r}")
        if isinstance(target, NotYetError):
            raise target
        return target if isinstance(target, int) else self.add_expression(target)

    def _not(self, node: nodes.Not) -> int:
        return self.add_operation(
            Operation("not", (self.add_expression(node.operand),), range=TRUTH, node=node)
        )

    def _negate(self, node: nodes.Negate) -> int:
        return self.add_binary("-", self._constant(0), self.add_expression(node.operand), node)

    def _chain(self, node: nodes.Chain) -> int:
        slot = self.add_expression(node.operands[0])
        for operator, operand in zip(node.operators, node.operands[1:], strict=True):
            slot = self.add_binary(operator, slot, self.add_expression(operand), node)
        return slot

    def add_binary(self, operator: str, left: int, right: int, node: nodes.Expression) -> int:
        """The slot of ``left operator right``."""
        a, b = self.operations[left].range, self.operations[right].range
        if operator in COMPARISONS:
            parts = questions.of_extreme(self, operator, left, right)
            if parts is not None:
                kind, comparisons = parts
                return self.add_junction(kind, [self.add_binary(*one, node) for one in comparisons], node)
            detail = (operator, a.real or b.real)
            slot = self.add_operation(
                Operation("compare", (left, right), detail=detail, range=TRUTH, node=node), operator
            )
            return questions.of_tricks(self, slot)
        bits = self.rules.bits
        x, y = self.constant_value(left), self.constant_value(right)
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
        return self.add_operation(
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
        self.raise_error(
            node, f"'{operator}' may give an integer beyond 64 bits; a factor 1.0 makes it a real number"
        )

    def _and(self, node: nodes.And | nodes.Or) -> int:
        kind = "and" if isinstance(node, nodes.And) else "or"
        return self.add_junction(kind, [self.add_expression(operand) for operand in node.operands], node)

    def add_junction(self, kind: str, slots: list[int], node: nodes.Expression) -> int:
        """`and` or `or` of several slots; those that may fail or are dear are asked where it matters."""
        eager = tuple(slot for number, slot in enumerate(slots) if number == 0 or not self._is_guarded(slot))
        guarded = tuple(slot for slot in slots[1:] if self._is_guarded(slot))
        return self.add_operation(
            Operation(kind, eager, guarded, detail=tuple(slots), range=TRUTH, node=node), tuple(slots)
        )

    def _choice(self, node: nodes.Choice) -> int:
        first = self.add_expression(node.conditions[0])
        others = [self.add_expression(part) for part in (*node.conditions[1:], *node.values, node.otherwise)]
        cut = len(node.conditions)
        conditions, values = (first, *others[: cut - 1]), tuple(others[cut - 1 :])
        ranges = [self.operations[slot].range for slot in values]
        bounds = REAL
        if not any(one.real for one in ranges):
            bounds = Range(min(one.low for one in ranges), max(one.high for one in ranges))  # type: ignore[type-var]
        eager = (first, *(slot for slot in others if not self._is_guarded(slot)))
        guarded = tuple(slot for slot in others if self._is_guarded(slot))
        detail = (conditions, values)
        return self.add_operation(
            Operation("choice", eager, guarded, detail=detail, range=bounds, node=node), detail
        )


_COMPILERS: dict[type, Any] = {
    nodes.Number: OperationGraph._number,
    nodes.Name: OperationGraph._name,
    nodes.Not: OperationGraph._not,
    nodes.Negate: OperationGraph._negate,
    nodes.Chain: OperationGraph._chain,
    nodes.And: OperationGraph._and,
    nodes.Or: OperationGraph._and,
    nodes.Choice: OperationGraph._choice,
    nodes.Call: compile_call,
}
