"""Calls of functions as operations; `graph` compiles every other node."""

from __future__ import annotations

from typing import Any

from dealerkit import registry
from dealerkit.compiler.function_bodies import find_user_call, parse_usereval, resolve_options
from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.operations import TRUTH, Operation, Range
from dealerkit.errors import ArgumentError, NotYetError
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS


def compile_call(graph: OperationList, node: nodes.Call) -> int:
    """Return the slot of a call.

    Raises
    ------
    NotYetError
        A function without an implementation.
    """
    function = registry.get_function(node.function)
    if function.operation in _BUILDERS:
        return _BUILDERS[function.operation](graph, node)
    if function.body is None:
        raise NotYetError(f"{function.name} is part of the language but is not computed yet")
    # Arguments that are expressions are inputs of the operation; all others are part of it.
    literals: list[nodes.Argument | None] = []  # None for the value of an expression
    inputs: list[int] = []
    for position, argument in enumerate(node.arguments):
        kinds = function.arguments[min(position, len(function.arguments) - 1)]
        is_literal = isinstance(argument, nodes.Number) and "expression" not in kinds
        if isinstance(argument, EXPRESSIONS) and not is_literal:
            inputs.append(graph.add_expression(argument))
            literals.append(None)
        else:
            literals.append(argument)
    # The bounds of the value follow from the options of the script and from the inputs.
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
    graph: OperationList, function: registry.Function, bounds: Range, inputs: list[int]
) -> Range:
    """Return the range of a call: that of its entry, or the one that depends on the ranges of its inputs."""
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


def _add_output(graph: OperationList, slot: int, output: str | int, bounds: Range, node: nodes.Call) -> int:
    """Return the slot of one of several values that a call returns."""
    return graph.add_operation(Operation("output", (slot,), detail=output, range=bounds, node=node), output)


def _add_shape(graph: OperationList, node: nodes.Call) -> int:
    """Return the slot of `shape`; without a list, which no script can write, of the number of the pattern."""
    seat = node.arguments[0]
    assert isinstance(seat, nodes.Seat)
    pattern = _add_pattern(graph, seat)
    if len(node.arguments) == 1:
        return pattern
    shapes = node.arguments[1]
    assert isinstance(shapes, nodes.ShapeList | nodes.BraceShapes)
    operation = Operation("member", (pattern,), detail=shapes.patterns, range=TRUTH, node=node)
    return graph.add_operation(operation, shapes.patterns)


def _add_pattern(graph: OperationList, seat: Any) -> int:
    operation = Operation(
        "pattern", detail=seat.index, range=Range(0, 4095), seats=1 << seat.index, cost_ns=3.0
    )
    return graph.add_operation(operation, seat.index)


def _add_random(graph: OperationList, node: nodes.Call) -> int:
    limit = graph.add_expression(node.arguments[0])  # type: ignore[arg-type]
    bounds = graph.operations[limit].range
    if bounds.real:
        graph.raise_error(node, "rnd takes an integer; it gives an integer from 0 to one less")
    if graph.constant_value(limit) == 0 and graph.rules.random_zero != "zero":
        if graph.rules.random_zero == "error":
            graph.raise_error(node, "rnd(0) has no value; the number of the deal is board()")
        return _add_board(graph, node)
    graph.n_random_calls += 1
    limits = bounds
    bounds = _find_bounds(graph, registry.get_function(node.function), limits, [limit])
    if graph.rules.random_zero == "produced" and limits.low <= 0 <= limits.high:  # type: ignore[operator]
        bounds = Range(bounds.low, (1 << 31) - 1)  # for a limit 0 the number of the deal
    operation = Operation("random", (limit,), detail=graph.n_random_calls, range=bounds, node=node)
    return graph.add_operation(operation, graph.n_random_calls)


def _add_board(graph: OperationList, node: nodes.Call) -> int:
    greatest = 1 << 48 if graph.rules.bits == 64 else (1 << 31) - 1
    return graph.add_operation(Operation("board", range=Range(0, greatest), node=node))


def _add_tricks(graph: OperationList, node: nodes.Call) -> int:
    """Return the slot of the double-dummy tricks of a declarer in a strain."""
    seat, strain = node.arguments
    assert isinstance(seat, nodes.Seat) and isinstance(strain, nodes.Suit | nodes.Strain)
    key = (seat.index, strain.index)
    cost_ns = registry.get_function(node.function).cost
    operation = Operation("tricks", detail=key, range=Range(0, 13), cost_ns=cost_ns, seats=0b1111, node=node)
    return graph.add_operation(operation, key)


def _add_usereval(graph: OperationList, node: nodes.Call) -> int:
    """Return the slot of one value of a DealerV2 tag; all values of a tag and a side are one operation."""
    from dealerkit.evaluators.usereval import LATE_SLOTS, filled_slots

    function = registry.get_function(node.function)
    options, _, _ = resolve_options(function, graph.rules, graph.program.points)
    # The tag of a user's function stands for a call of it.
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


def _add_zero_on_first_deal(graph: OperationList, slot: int, node: nodes.Call) -> int:
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


# By `Function.operation`; all others are calls of a body.
_BUILDERS = {
    "tag": _add_usereval, "member": _add_shape, "random": _add_random, "board": _add_board,
    "tricks": _add_tricks,
}  # fmt: skip
