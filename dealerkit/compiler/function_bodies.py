"""Calling the body of a function: its arguments and keywords, and checks of the values that it returns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dealerkit import registry
from dealerkit.appearance.wording import join_words
from dealerkit.cards.deals import Deals
from dealerkit.compiler.operations import REAL, Range
from dealerkit.errors import ArgumentError, DealerkitError, quote
from dealerkit.language import nodes
from dealerkit.language.arguments import ArgumentMismatch, match_arguments
from dealerkit.language.checks import Program
from dealerkit.language.dialects import Rules
from dealerkit.registry import Function, Settings


def resolve_options(
    function: Function,
    rules: Rules,
    points: Mapping[str, tuple[Any, ...]],
    opener: int | None = None,
    vulnerable: int = 0,
) -> tuple[dict[str, Any], Range, float | None]:
    """Return the keywords of a function's body, the range of its values, and the divisor for hundredths.

    The arguments after the first are those of `Settings`.
    """
    settings = Settings(rules, points, opener, vulnerable)
    options: dict[str, Any] = {} if function.options is None else function.options(settings)
    divisor = 100 if function.hundredths and not rules.hundredths else None
    low, high = function.low, function.high
    if function.variants:
        options["variant"] = rules.variant if rules.variant in function.variants else function.variants[0]
    # A point count that the script redefines takes its weights, as integers of the smallest unit.
    if function.table is not None and function.table in points:
        weights = points[function.table]
        if any(isinstance(weight, float) for weight in weights):
            divisor = 100
            if any(abs(weight * 100 - round(weight * 100)) > 1e-6 for weight in weights):
                divisor = 10_000
            weights = tuple(round(weight * divisor) for weight in weights)
        options["weights"] = weights
        low, high = sum(w for w in weights if w < 0) * 4, sum(w for w in weights if w > 0) * 4
        return options, REAL if divisor else Range(int(low), int(high)), divisor
    if divisor or function.real:
        return options, REAL, divisor
    if low is None or high is None:
        return options, Range.of_bits(32), None
    scale = 100 if function.hundredths else 1
    return options, Range(int(low * scale), int(high * scale)), None


def parse_usereval(node: nodes.Call) -> tuple[nodes.Number, nodes.Side, int]:
    """Return the tag, the side and the slot of a call of usereval.

    Raises
    ------
    ArgumentError
        The tag or the slot does not exist.
    """
    from dealerkit.evaluators.usereval import slot_number, tag_number

    tag, owner, *suit, index = node.arguments
    assert isinstance(tag, nodes.Number) and isinstance(index, nodes.Number)
    assert isinstance(owner, nodes.Seat | nodes.Side)
    seat = owner.index if isinstance(owner, nodes.Seat) else None
    slot = slot_number(int(index.value), seat, suit[0].index if suit else None)  # type: ignore[union-attr]
    return nodes.Number(tag_number(int(tag.value))), nodes.Side(owner.index % 2), slot


def find_user_call(node: nodes.Call, rules: Rules) -> nodes.Call | None:
    """Return the call of a user's function that a call of usereval means, or None for DealerV2's tags.

    Slot k is the function's output k; slot 0 is the value of a function with a single value.

    Raises
    ------
    ArgumentError
        The slot does not exist, the function does not take the seat, side or suit, or it returns real
        numbers, which the rules do not have.
    """
    tag, *literals, index = node.arguments
    assert isinstance(tag, nodes.Number) and isinstance(index, nodes.Number)
    function = registry.find_tagged_function(int(tag.value))
    if function is None or function.kind != "deal":
        return None
    # Refuse slots and values that the function, or the rules, do not have.
    outputs = function.outputs or (None,)
    if not 0 <= index.value < len(outputs):
        slots = "slot 0"
        if function.outputs:
            slots = f"slots 0 to {len(outputs) - 1} ({join_words(list(function.outputs))})"
        raise ArgumentError(
            f"usereval with tag {tag.value} is {function.signature}, which has {slots} and not slot "
            f"{index.value}"
        )
    if function.real and rules.hundredths:
        raise ArgumentError(
            f"{function.name} returns real numbers, which these rules do not have; "
            "let it return integers, such as hundredths"
        )
    try:
        arguments = match_arguments(function.name, function.arguments, literals, rules)
    except ArgumentMismatch as error:
        raise ArgumentError(f"usereval with tag {tag.value}: {error.message}") from None
    return nodes.Call(function.name, arguments, outputs[int(index.value)], place=node.place)


def select_hands(
    function: Function, literal: nodes.Argument, hand: Callable[[int], np.ndarray]
) -> tuple[list[np.ndarray], dict[str, int]] | None:
    """Return the hands and keywords that the body takes for a seat or a side; None for other arguments."""
    if isinstance(literal, nodes.Seat) and function.kind == "hand":
        return [hand(literal.index)], {}
    if isinstance(literal, nodes.Side) and function.kind in ("side", "pair"):
        return [hand(literal.index), hand(literal.index + 2)], {}
    if isinstance(literal, nodes.Seat) and function.kind == "pair":
        side, part = literal.index % 2, literal.index // 2
        return [hand(side), hand(side + 2)], {"part": part}
    return None


def convert_literal(literal: nodes.Argument) -> Any:
    """Return an argument as a body takes it: the number of a seat, side, suit or strain; others as nodes."""
    if isinstance(literal, nodes.Seat | nodes.Side | nodes.Suit | nodes.Strain):
        return literal.index
    return literal.value if isinstance(literal, nodes.Number) else literal


def format_item(function: Function, node: nodes.Call, deals: Deals, program: Program) -> list[str]:
    """Return a text for each deal from a function that is an item of a report line, such as trix(north)."""
    assert function.body is not None
    options, _, _ = resolve_options(
        function, program.script.rules, program.points, program.opener, program.par_vulnerable
    )
    return function.body(deals, *map(convert_literal, node.arguments), **options)


def call_with_deals(function: Function, deals: Deals, arguments: list[Any], options: dict[str, Any]) -> Any:
    """Call a body that takes the Deals, and check what it returns.

    Returns
    -------
    ndarray [n], or for a function with several outputs a dict of them

    Raises
    ------
    ArgumentError
        The body failed, or its values have another shape, type or range; the message names the function.
    """
    assert function.body is not None
    try:
        values = function.body(deals, *arguments, **options)
    except DealerkitError:
        raise
    except Exception as error:
        raise ArgumentError(f"{function.name} failed: {type(error).__name__}: {error}") from error
    # A function with one value returns it; others return a mapping or a tuple of all values.
    names = function.outputs
    if not names:
        return _check_values(function, values, len(deals), function.name)
    if not isinstance(values, Mapping):
        values = dict(zip(names, values, strict=False)) if isinstance(values, tuple | list) else {}
    missing = [name for name in names if name not in values]
    if missing:
        raise ArgumentError(
            f"{function.name} must return {', '.join(names)}; {', '.join(missing)} is missing"
        )
    return {
        name: _check_values(function, values[name], len(deals), f"{function.name}.{name}") for name in names
    }


def _check_values(function: Function, values: Any, n: int, label: str) -> np.ndarray:
    """Return values as an array [n], or raise an ArgumentError that begins with the label."""
    values = np.asarray(values)
    # Only the arguments can make a value that all deals share: an expression that is a number.
    is_shared = values.shape == () and any(kind.startswith("expression") for kind in function.arguments)
    if values.shape == () and not is_shared:
        raise ArgumentError(
            f"{label} returned {quote(values.item())}, one value for {n:,} deals; it gets all deals at once "
            "and must return an array, one value for each"
        )
    if values.shape != (n,) and not is_shared:
        raise ArgumentError(
            f"{label} returned shape {values.shape}; it must return one number for each of the {n:,} deals"
        )
    if values.dtype.kind not in ("iufb" if function.real or function.hundredths else "iub"):
        raise ArgumentError(
            f"{label} returned values of type {values.dtype}; let it return integers or truth values, or "
            "register it with real=True"
        )
    if values.dtype.kind in "iu" and n:
        low, high, limits = function.low, function.high, f"its range is {function.low} to {function.high}"
        if low is None or high is None:
            # The compiler assumes 32 bits for integers without bounds.
            is_unbounded = function.real or function.hundredths
            low, high = (-math.inf, math.inf) if is_unbounded else (-(2**31), 2**31 - 1)
            limits = "integers beyond 32 bits need bounds, low= and high=, or real=True"
        scale = 100 if function.hundredths else 1
        if values.min() < low * scale or values.max() > high * scale:
            raise ArgumentError(f"{label} returned {values.min()} to {values.max()}; {limits}")
    return np.broadcast_to(values, (n,))
