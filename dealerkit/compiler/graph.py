"""Compiling expressions to operations.

Expressions are simplified in between: `language.trees.split_clauses` splits a condition into clauses,
`add_binary` computes operations of constants, and `trick_thresholds` reduces comparisons of
double-dummy tricks to thresholds.
"""

from __future__ import annotations

from typing import Any

from dealerkit import registry
from dealerkit.compiler.function_bodies import find_user_call, parse_usereval, resolve_options
from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.operations import TRUTH, Operation, Range, calculate_number, combine_ranges, wrap
from dealerkit.compiler.trick_thresholds import reduce_comparison, split_extreme
from dealerkit.errors import ArgumentError, NotYetError
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS
from dealerkit.language.checks import Program
from dealerkit.language.dialects import Rules
from dealerkit.language.trees import COMPARISONS, split_clauses


class OperationGraph(OperationList):
    """The operations of a script, compiled on demand.

    Parameters
    ----------
    rules, program : as for `OperationList`

    Raises
    ------
    NotYetError
        A function is not implemented.
    ScriptError
        An integer may not fit 64 bits, or there are too many operations.
    """

    def __init__(self, rules: Rules, program: Program | None = None) -> None:
        super().__init__(rules, program)
        self._variables: dict[str, int | nodes.Expression | NotYetError] = {}
        if rules.shared_tables:
            # dealer v1 refuses these tables even in a script without losers.
            from dealerkit.evaluators.hands import build_shared_losers

            build_shared_losers(self.program.points, "top3")
        for name, value in self.program.definitions.items():
            n_random_calls = self.n_random_calls
            try:
                slot = self.add_expression(value)
            except NotYetError as error:  # raised only where the variable is used
                self._variables[name] = error
                continue
            # A variable with random numbers gets new ones at each use, so its expression is kept.
            self._variables[name] = slot if self.n_random_calls == n_random_calls else value

    def add_expression(self, node: nodes.Expression) -> int:
        """Return the slot of an expression."""
        return _COMPILERS[type(node)](self, node)

    def split_clauses(self, condition: nodes.Expression) -> list[int]:
        """Return the slots of a condition's clauses in the order of the text; variables are expanded."""

        def is_random(name: str) -> bool:  # each use of the variable gets new numbers
            return not isinstance(self._variables[name], int)

        clauses = split_clauses(condition, self.program.definitions, is_random)
        return [self.add_expression(clause) for clause in clauses]

    def add_binary(self, operator: str, left: int, right: int, node: nodes.Expression) -> int:
        """Return the slot of ``left operator right``."""
        if operator in COMPARISONS:
            return self._add_comparison(operator, left, right, node)
        x, y = self.constant_value(left), self.constant_value(right)
        total = operator not in "/%" or (y is not None and y != 0)
        if x is not None and y is not None and total:
            value = calculate_number(operator, x, y)
            if isinstance(value, int):
                self._limit_range(Range(value, value), operator, node)
                value = wrap(value, self.rules.bits)
            return self.add_constant(value, node)
        a, b = self.operations[left].range, self.operations[right].range
        bounds = self._limit_range(combine_ranges(operator, a, b), operator, node)
        detail = (operator, (a, b, bounds))
        operation = Operation(
            "arithmetic", (left, right), detail=detail, range=bounds, total=total, node=node
        )
        return self.add_operation(operation, operator)

    def _add_comparison(self, operator: str, left: int, right: int, node: nodes.Expression) -> int:
        split = split_extreme(self, operator, left, right)
        if split is not None:
            kind, comparisons = split
            return self.add_junction(kind, [self.add_binary(*parts, node) for parts in comparisons], node)
        is_real = self.operations[left].range.real or self.operations[right].range.real
        operation = Operation("compare", (left, right), detail=(operator, is_real), range=TRUTH, node=node)
        return reduce_comparison(self, self.add_operation(operation, operator))

    def _limit_range(self, bounds: Range, operator: str, node: nodes.Expression) -> Range:
        """Return the range of a result: beyond 32 bits it wraps, and beyond 64 bits it is an error."""
        bits = self.rules.bits
        if bounds.real or bounds.fits(bits):
            return bounds
        if bits == 64:
            self.raise_error(
                node,
                f"the result of '{operator}' may be an integer beyond 64 bits; multiply by 1.0 to calculate "
                "with real numbers",
            )
        return Range.of_bits(bits)

    def _add_number(self, node: nodes.Number) -> int:
        return self.add_constant(node.value, node)

    def _add_name(self, node: nodes.Name) -> int:
        target = self._variables.get(node.name)
        if target is None:
            self.raise_error(node, f"unknown variable {node.name!r}")
        if isinstance(target, NotYetError):
            raise target
        return target if isinstance(target, int) else self.add_expression(target)

    def _add_not(self, node: nodes.Not) -> int:
        operand = self.add_expression(node.operand)
        return self.add_operation(Operation("not", (operand,), range=TRUTH, node=node))

    def _add_negation(self, node: nodes.Negate) -> int:
        return self.add_binary("-", self.add_constant(0), self.add_expression(node.operand), node)

    def _add_chain(self, node: nodes.Chain) -> int:
        slot = self.add_expression(node.operands[0])
        for operator, operand in zip(node.operators, node.operands[1:], strict=True):
            slot = self.add_binary(operator, slot, self.add_expression(operand), node)
        return slot

    def _add_and_or(self, node: nodes.And | nodes.Or) -> int:
        kind = "and" if isinstance(node, nodes.And) else "or"
        return self.add_junction(kind, [self.add_expression(operand) for operand in node.operands], node)

    def _add_choice(self, node: nodes.Choice) -> int:
        parts = (*node.conditions, *node.values, node.otherwise)
        slots = tuple(self.add_expression(part) for part in parts)
        conditions, values = slots[: len(node.conditions)], slots[len(node.conditions) :]
        bounds = Range.spanning([self.operations[slot].range for slot in values])
        detail = (conditions, values)
        operation = Operation("choice", *self.split_guarded(slots), detail=detail, range=bounds, node=node)
        return self.add_operation(operation, detail)


def _add_call(graph: OperationGraph, node: nodes.Call) -> int:
    """Return the slot of a call.

    Raises
    ------
    NotYetError
        The function is not implemented.
    """
    function = registry.get_function(node.function)
    if function.operation in _BUILDERS:
        return _BUILDERS[function.operation](graph, node)
    if function.body is None:
        raise NotYetError(f"{function.name} is part of the language but is not computed yet")
    # Arguments that are expressions are inputs of the operation; all others are literals.
    literals: list[nodes.Argument | None] = []  # None for each expression
    inputs: list[int] = []
    for position, argument in enumerate(node.arguments):
        kinds = function.arguments[min(position, len(function.arguments) - 1)]
        is_literal = isinstance(argument, nodes.Number) and "expression" not in kinds
        if isinstance(argument, EXPRESSIONS) and not is_literal:
            inputs.append(graph.add_expression(argument))
            literals.append(None)
        else:
            literals.append(argument)
    # The script's settings and the ranges of the inputs determine the range of the value.
    program = graph.program
    options, bounds, divisor = resolve_options(
        function, graph.rules, program.points, program.opener, program.par_vulnerable
    )
    bounds = _find_bounds(graph, function, bounds, inputs)
    operation = Operation(
        "call", tuple(inputs), detail=(function, tuple(literals), options, divisor), range=bounds,
        total=function.total, cost_ns=function.cost, seats=_find_seats(function, node), node=node,
    )  # fmt: skip
    # Equal calls share a slot, unless the function may return something else each time.
    key = (function.name, tuple(literals)) if function.pure else (function.name, len(graph.operations))
    slot = graph.add_operation(operation, key)
    return slot if node.output is None else _add_output(graph, slot, node.output, bounds, node)


def _find_bounds(
    graph: OperationGraph, function: registry.Function, bounds: Range, inputs: list[int]
) -> Range:
    """Return the range of a call: `bounds`, or a range that depends on those of its inputs."""
    ranges = [graph.operations[slot].range for slot in inputs]
    if function.operation in ("least", "greatest"):
        pick = min if function.operation == "least" else max
        return Range.spanning(ranges, pick, pick)
    if function.bounds is None:
        return bounds
    if not any(part.real for part in ranges):
        bounds = Range(*function.bounds(*ranges))
        if bounds.fits(graph.rules.bits):
            return bounds
    return Range.of_bits(graph.rules.bits)


def _find_seats(function: registry.Function, node: nodes.Call) -> int:
    """Return the bit set of the seats whose cards the function reads in this call."""
    if not node.arguments or function.kind == "deal":
        return 0b1111
    seats = 0
    for argument in node.arguments:
        if isinstance(argument, nodes.Side) or (isinstance(argument, nodes.Seat) and function.kind == "pair"):
            seats |= 0b0101 << argument.index % 2
        elif isinstance(argument, nodes.Seat):
            seats |= 1 << argument.index
    return seats


def _add_output(graph: OperationGraph, slot: int, output: str | int, bounds: Range, node: nodes.Call) -> int:
    """Return the slot of one of the values that a call returns."""
    return graph.add_operation(Operation("output", (slot,), detail=output, range=bounds, node=node), output)


def _add_shape(graph: OperationGraph, node: nodes.Call) -> int:
    """Return the slot of `shape`; without a list, which only columns of frames use, that of the pattern."""
    seat = node.arguments[0]
    assert isinstance(seat, nodes.Seat)
    pattern = _add_pattern(graph, seat)
    if len(node.arguments) == 1:
        return pattern
    shapes = node.arguments[1]
    assert isinstance(shapes, nodes.ShapeList | nodes.BraceShapes)
    operation = Operation("member", (pattern,), detail=shapes.patterns, range=TRUTH, node=node)
    return graph.add_operation(operation, shapes.patterns)


def _add_pattern(graph: OperationGraph, seat: Any) -> int:
    operation = Operation(
        "pattern", detail=seat.index, range=Range(0, 4095), seats=1 << seat.index, cost_ns=3.0
    )
    return graph.add_operation(operation, seat.index)


def _add_random(graph: OperationGraph, node: nodes.Call) -> int:
    limit = graph.add_expression(node.arguments[0])  # type: ignore[arg-type]
    bounds = graph.operations[limit].range
    if bounds.real:
        graph.raise_error(node, "the argument of rnd must be an integer; rnd(6) is a number from 0 to 5")
    if graph.constant_value(limit) == 0 and graph.rules.random_zero != "zero":
        if graph.rules.random_zero == "error":
            graph.raise_error(node, "rnd(0) has no value; the number of the deal is board()")
        return _add_board(graph, node)
    graph.n_random_calls += 1
    limits = bounds
    bounds = _find_bounds(graph, registry.get_function(node.function), limits, [limit])
    if graph.rules.random_zero == "produced" and limits.low <= 0 <= limits.high:  # type: ignore[operator]
        bounds = Range(bounds.low, (1 << 31) - 1)  # if the limit is 0, the value is the number of the deal
    operation = Operation("random", (limit,), detail=graph.n_random_calls, range=bounds, node=node)
    return graph.add_operation(operation, graph.n_random_calls)


def _add_board(graph: OperationGraph, node: nodes.Call) -> int:
    greatest = 1 << 48 if graph.rules.bits == 64 else (1 << 31) - 1
    return graph.add_operation(Operation("board", range=Range(0, greatest), node=node))


def _add_tricks(graph: OperationGraph, node: nodes.Call) -> int:
    """Return the slot of the double-dummy tricks of a declarer in a strain."""
    seat, strain = node.arguments
    assert isinstance(seat, nodes.Seat) and isinstance(strain, nodes.Suit | nodes.Strain)
    key = (seat.index, strain.index)
    cost_ns = registry.get_function(node.function).cost
    operation = Operation("tricks", detail=key, range=Range(0, 13), cost_ns=cost_ns, seats=0b1111, node=node)
    return graph.add_operation(operation, key)


def _add_usereval(graph: OperationGraph, node: nodes.Call) -> int:
    """Return the slot of one value of a DealerV2 tag; one operation computes all values for a side."""
    from dealerkit.evaluators.usereval import LATE_SLOTS, filled_slots

    function = registry.get_function(node.function)
    options, _, _ = resolve_options(function, graph.rules, graph.program.points)
    # A user's function may have a tag; then it is called.
    try:
        user_call = find_user_call(node, graph.rules)
        if user_call is not None:
            return graph.add_expression(user_call)
        tag, side, slot = parse_usereval(node)
    except ArgumentError as error:
        graph.raise_error(node, str(error))
    # DealerV2 has 0 in the slots that a tag does not fill.
    if slot not in filled_slots(int(tag.value), **options):
        return graph.add_constant(0, nodes.Number(0))
    bounds = Range.of_bits(32)
    operation = Operation(
        "call", detail=(function, (side, tag), options, None), range=bounds, cost_ns=function.cost,
        seats=0b0101 << side.index, node=node,
    )  # fmt: skip
    values = graph.add_operation(operation, (function.name, side, tag))
    output = _add_output(graph, values, slot, bounds, node)
    is_late = slot in LATE_SLOTS.get((int(tag.value), side.index), ())
    if is_late and graph.compiles_actions and graph.rules.random_zero == "produced":
        return _add_zero_on_first_deal(graph, output, node)
    return output


def _add_zero_on_first_deal(graph: OperationGraph, slot: int, node: nodes.Call) -> int:
    """Return the slot of a value that is 0 for the first produced deal."""
    first = graph.add_constant(graph.program.start_board)
    later = Operation(
        "compare", (_add_board(graph, node), first), detail=(">", False), range=TRUTH, node=node
    )
    condition, zero = graph.add_operation(later, ">"), graph.add_constant(0)
    detail = ((condition,), (slot, zero))
    inputs = graph.split_guarded((condition, slot, zero))
    operation = Operation("choice", *inputs, detail=detail, range=graph.operations[slot].range, node=node)
    return graph.add_operation(operation, detail)


# Builders by `Function.operation`; any other function is compiled to a call of its body.
_BUILDERS = {
    "tag": _add_usereval, "member": _add_shape, "random": _add_random, "board": _add_board,
    "tricks": _add_tricks,
}  # fmt: skip


_COMPILERS: dict[type, Any] = {
    nodes.Number: OperationGraph._add_number,
    nodes.Name: OperationGraph._add_name,
    nodes.Not: OperationGraph._add_not,
    nodes.Negate: OperationGraph._add_negation,
    nodes.Chain: OperationGraph._add_chain,
    nodes.And: OperationGraph._add_and_or,
    nodes.Or: OperationGraph._add_and_or,
    nodes.Choice: OperationGraph._add_choice,
    nodes.Call: _add_call,
}
