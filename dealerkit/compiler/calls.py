"""How the body of a function is called: with which keywords, and what it may return."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.operations import REAL, Range
from dealerkit.errors import ArgumentError, DealerkitError
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.registry import Function


def options_of(
    function: Function, rules: Rules, points: Mapping[str, tuple], opener: int | None = None
) -> tuple[dict, Range, float | None]:
    """Keywords of a body, the range of its value, what to divide it by: under these rules and tables."""
    options: dict[str, Any] = {}
    divisor = 100 if function.hundredths and not rules.hundredths else None
    low, high = function.low, function.high
    if function.name == "opc" and opener is not None:
        options["opener"] = opener // 2  # the first or the second hand of the side, as DealerV2 reads it
    if function.name == "imps":
        options["table"] = rules.imps
    elif function.variants:
        options["variant"] = rules.variant if rules.variant in function.variants else function.variants[0]
    if function.name == "losers" and rules.shared_tables and points.keys() & {"controls", "top3"}:
        options["table"] = shared_losers(points, "controls", "top3")
    elif function.table is not None and function.table in points:
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
        return options, Range(-(1 << 31), (1 << 31) - 1), None
    scale = 100 if function.hundredths else 1
    return options, Range(int(low * scale), int(high * scale)), None


def place_of_usereval(node: nodes.Call) -> tuple[nodes.Number, nodes.Side, int]:
    """The tag, the side and the slot that a call of usereval asks for.

    Raises
    ------
    ArgumentError
        A tag or a slot that there is not.
    """
    from dealerkit.evaluators.dealerv2.usereval import slot_number, tag_number

    tag, who, *suit, index = node.arguments
    assert isinstance(tag, nodes.Number) and isinstance(index, nodes.Number)
    assert isinstance(who, nodes.Seat | nodes.Side)
    seat = who.index if isinstance(who, nodes.Seat) else None
    slot = slot_number(int(index.value), seat, suit[0].index if suit else None)  # type: ignore[union-attr]
    return nodes.Number(tag_number(int(tag.value))), nodes.Side(who.index % 2), slot


def shared_losers(points: Mapping[str, tuple], *redefined: str) -> np.ndarray:
    """The table of losers that dealer v1 gets from its own tables, of which these may be redefined.

    Raises ArgumentError for tables with which that program reads beyond its own or aborts.
    """
    from dealerkit.evaluators.holdings import coupled_losers, default_weights

    tables = {name: default_weights(name) for name in ("controls", "top3")}
    tables |= {name: points[name] for name in redefined if name in points}
    return coupled_losers(tables["controls"], tables["top3"])


def cards_of(
    function: Function, literal: nodes.Argument, hand: Callable[[int], np.ndarray]
) -> tuple[list[np.ndarray], dict[str, int]] | None:
    """The hands that a seat or a side stands for in a call, and keywords that go with them.

    None for arguments that the body takes as they are.
    """
    if isinstance(literal, nodes.Seat) and function.kind == "hand":
        return [hand(literal.index)], {}
    if isinstance(literal, nodes.Side) and function.kind in ("side", "pair"):
        return [hand(literal.index), hand(literal.index + 2)], {}
    if isinstance(literal, nodes.Seat) and function.kind == "pair":
        side, part = literal.index % 2, literal.index // 2
        return [hand(side), hand(side + 2)], {"part": part}
    return None


def call_on_deals(function: Function, deals: Deals, arguments: list, options: dict) -> Any:
    """Call a body that takes the Deals, and check what it returns.

    Returns
    -------
    ndarray [n], or for a function with several outputs a dict of them

    Raises
    ------
    ArgumentError
        The body failed, or returned something else; the message names the function.
    """
    assert function.body is not None
    try:
        found = function.body(deals, *arguments, **options)
    except DealerkitError:
        raise
    except Exception as reason:
        raise ArgumentError(f"{function.name} failed: {type(reason).__name__}: {reason}") from reason
    names = function.outputs
    if not names:
        return _checked(function, found, len(deals), "")
    if not isinstance(found, Mapping):
        found = dict(zip(names, found, strict=False)) if isinstance(found, tuple | list) else {}
    missing = [name for name in names if name not in found]
    if missing:
        raise ArgumentError(
            f"{function.name} must return {', '.join(names)}; {', '.join(missing)} is missing"
        )
    return {name: _checked(function, found[name], len(deals), f".{name}") for name in names}


def _checked(function: Function, found: Any, n: int, output: str) -> np.ndarray:
    values = np.asarray(found)
    what = f"{function.name}{output}"
    if values.shape not in ((n,), ()):
        raise ArgumentError(
            f"{what} returned shape {values.shape}; it must return one number for each of {n:,} deals"
        )
    if values.dtype.kind not in ("iufb" if function.real or function.hundredths else "iub"):
        raise ArgumentError(
            f"{what} returned values of type {values.dtype}, not integers or truth values; or say real=True"
        )
    if values.dtype.kind in "iu" and function.low is not None and function.high is not None and n:
        scale = 100 if function.hundredths else 1
        if values.min() < function.low * scale or values.max() > function.high * scale:
            limits = f"its range is {function.low} to {function.high}"
            raise ArgumentError(f"{what} returned {values.min()} to {values.max()}; {limits}")
    return np.broadcast_to(values, (n,))
