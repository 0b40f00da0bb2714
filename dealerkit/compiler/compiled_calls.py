"""Calls of functions as operations: `graph` compiles everything else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dealerkit import registry
from dealerkit.compiler.calls import options_of, place_of_usereval
from dealerkit.compiler.operations import REAL, TRUTH, Operation, Range
from dealerkit.errors import ArgumentError, NotYetError
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS, ArgumentMismatch, match_arguments
from dealerkit.wording import join_words

if TYPE_CHECKING:
    from dealerkit.compiler.graph import OperationGraph
    from dealerkit.language.dialects import Rules


def compile_call(graph: OperationGraph, node: nodes.Call) -> int:
    """The slot of a call.

    Raises
    ------
    NotYetError
        A function that nothing computes yet.
    """
    if node.function == "pattern":  # what shape() looks up; not a word of the language
        return _pattern(graph, node.arguments[0])
    function = registry.get_function(node.function)
    if function.name in _SPECIAL:
        return _SPECIAL[function.name](graph, node)
    if function.body is None:
        raise NotYetError(f"{function.name} is part of the language but is not computed yet")
    if function.name == "par" and len(node.arguments) == 1:
        node = replace(node, arguments=(*node.arguments, nodes.Vulnerability(graph.par_vulnerable)))
    literals: list[nodes.Argument | None] = []
    inputs: list[int] = []
    seats = 0
    for argument in node.arguments:
        if isinstance(argument, nodes.Seat):
            seats |= (0b0101 << argument.index % 2) if function.kind == "pair" else 1 << argument.index
        elif isinstance(argument, nodes.Side):
            seats |= 0b0101 << argument.index
        if isinstance(argument, EXPRESSIONS) and not _is_literal(function, len(literals), argument):
            inputs.append(graph.add_expression(argument))
            literals.append(None)
        else:
            literals.append(argument)
    if not node.arguments or function.kind == "deal":
        seats = 0b1111
    options, bounds, divisor = options_of(function, graph.rules, graph.points, graph.opener)
    if function.name in ("min", "max"):
        ranges = [graph.operations[slot].range for slot in inputs]
        pick = min if function.name == "min" else max
        bounds = REAL
        if not any(one.real for one in ranges):
            bounds = Range(*(pick(ends) for ends in zip(*ranges, strict=True)))
    if function.name == "score":  # no trick is worth more than 600, redoubled and vulnerable
        tricks = graph.operations[inputs[-1]].range
        most = 600 * max(abs(tricks.low or 0), abs(tricks.high or 0)) + 10_000
        bounds = Range(-most, most)
        if not bounds.fits(graph.rules.bits):
            bounds = Range(-(1 << (graph.rules.bits - 1)), (1 << (graph.rules.bits - 1)) - 1)
    operation = Operation(
        "call",
        tuple(inputs),
        detail=(function, tuple(literals), options, divisor),
        range=bounds,
        total=function.total,
        cost_ns=function.cost,
        seats=seats,
        node=node,
    )
    key = (function.name, tuple(literals)) if function.pure else (function.name, len(graph.operations))
    slot = graph.add_operation(operation, key)
    if node.output is None:
        return slot
    return graph.add_operation(
        Operation("output", (slot,), detail=node.output, range=bounds, node=node), node.output
    )


def _is_literal(function: registry.Function, position: int, argument: Any) -> bool:
    """Is a number here an argument that must be written as a literal?"""
    kinds = function.arguments[min(position, len(function.arguments) - 1)]
    return isinstance(argument, nodes.Number) and "expression" not in kinds


def _shape(graph: OperationGraph, node: nodes.Call) -> int:
    seat, shapes = node.arguments
    assert isinstance(seat, nodes.Seat) and isinstance(shapes, nodes.ShapeList | nodes.BraceShapes)
    operation = Operation("member", (_pattern(graph, seat),), detail=shapes.patterns, range=TRUTH, node=node)
    return graph.add_operation(operation, shapes.patterns)


def _pattern(graph: OperationGraph, seat: Any) -> int:
    operation = Operation(
        "pattern", detail=seat.index, range=Range(0, 4095), seats=1 << seat.index, cost_ns=3.0
    )
    return graph.add_operation(operation, seat.index)


def _random(graph: OperationGraph, node: nodes.Call) -> int:
    limit = graph.add_expression(node.arguments[0])  # type: ignore[arg-type]
    bounds, known = graph.operations[limit].range, graph.constant_value(limit)
    if bounds.real:
        graph.raise_error(node, "rnd takes an integer; it gives an integer from 0 to one less")
    if known == 0 and graph.rules.random_zero != "zero":
        if graph.rules.random_zero == "error":
            graph.raise_error(node, "rnd(0) has no value; the number of the deal is board()")
        return _board(graph, node)
    assert bounds.low is not None and bounds.high is not None
    graph.n_random_calls += 1
    bounds = Range(min(bounds.low + 1, 0), max(bounds.high - 1, 0))
    operation = Operation("random", (limit,), detail=graph.n_random_calls, range=bounds, node=node)
    return graph.add_operation(operation, graph.n_random_calls)


def _board(graph: OperationGraph, node: nodes.Call) -> int:
    return graph.add_operation(Operation("board", range=Range(0, 1 << 48), node=node))


def _tricks(graph: OperationGraph, node: nodes.Call) -> int:
    """Double-dummy tricks: a seat and a strain."""
    seat, strain = node.arguments
    assert isinstance(seat, nodes.Seat) and isinstance(strain, nodes.Suit | nodes.Strain)
    key = (seat.index, strain.index)
    cost = registry.get_function(node.function).cost
    operation = Operation("tricks", detail=key, range=Range(0, 13), cost_ns=cost, seats=0b1111, node=node)
    return graph.add_operation(operation, key)


def user_call(node: nodes.Call, rules: Rules) -> nodes.Call | None:
    """The call of a function of the user's that a call of usereval stands for, or None for DealerV2's tags.

    Slot k is the function's output k, and slot 0 the value of a function that has one.

    Raises
    ------
    ArgumentError
        A slot that there is not, a seat, side or suit that the function does not take, real numbers where
        the rules have none.
    """
    tag, *who, index = node.arguments
    assert isinstance(tag, nodes.Number) and isinstance(index, nodes.Number)
    function = registry.find_tagged_function(int(tag.value))
    if function is None or function.kind != "deal":
        return None
    outputs = function.outputs or (None,)
    if not 0 <= index.value < len(outputs):
        slots = (
            f"the slots 0 to {len(outputs) - 1}: {join_words(list(function.outputs))}"
            if function.outputs
            else "slot 0"
        )
        raise ArgumentError(
            f"usereval of tag {tag.value} is {function.signature}, with {slots}; not {index.value}"
        )
    if function.real and rules.hundredths:
        raise ArgumentError(
            f"{function.name} gives real numbers, which these rules do not know; "
            "let it return integers, such as hundredths"
        )
    try:
        arguments = match_arguments(function.name, function.arguments, who, rules)
    except ArgumentMismatch as reason:
        raise ArgumentError(f"usereval of tag {tag.value}: {reason.message}") from None
    return nodes.Call(function.name, arguments, outputs[int(index.value)], place=node.place)


def _usereval(graph: OperationGraph, node: nodes.Call) -> int:
    """A slot of one of DealerV2's metrics; all slots of a tag and side are one operation."""
    from dealerkit.evaluators.dealerv2.usereval import slots_of

    function = registry.get_function("usereval")
    options, _, _ = options_of(function, graph.rules, graph.points)
    try:
        if (mine := user_call(node, graph.rules)) is not None:
            return graph.add_expression(mine)
        tag, side, slot = place_of_usereval(node)
    except ArgumentError as reason:
        graph.raise_error(node, str(reason))
    if slot not in slots_of(int(tag.value), **options):
        return graph.add_expression(nodes.Number(0))
    bounds = Range(-(1 << 31), (1 << 31) - 1)
    seats = 0b0101 << side.index
    operation = Operation(
        "call",
        detail=(function, (side, tag), options, None),
        range=bounds,
        cost_ns=function.cost,
        seats=seats,
        node=node,
    )
    columns = graph.add_operation(operation, (function.name, side, tag))
    return graph.add_operation(Operation("output", (columns,), detail=slot, range=bounds, node=node), slot)


_SPECIAL = {"usereval": _usereval, "shape": _shape, "rnd": _random, "board": _board, "dds": _tricks}
