"""Evaluators of hands and of sides, which are registered when this package is imported.

Evaluators share the tables of `holdings`, `patterns`, `honour_tables`, `point_scales` and `four_cs`; `pairs`
and `opc` have the evaluators of the two hands of a side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards.names import seat_number, side_number, strain_number, suit_number
from dealerkit.errors import ArgumentError, NotYetError
from dealerkit.evaluators import (
    four_cs,
    hand_evaluators,
    hands,
    holdings,
    honour_tables,
    patterns,
    point_scales,
    usereval,
)
from dealerkit.evaluators.opc import evaluator  # noqa: F401
from dealerkit.registry import Function, get_function
from dealerkit.runtime.progress import long_work

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals

__all__ = [
    "evaluate", "four_cs", "hand_evaluators", "hands", "holdings", "honour_tables", "patterns",
    "point_scales", "usereval",
]  # fmt: skip

_SUIT_KINDS = {"suit", "suit?", "strain?"}
_MEASURE_KINDS = ("hand", "side", "pair")


@long_work
def evaluate(
    deals: Deals,
    name: str,
    seat: str | int | None = None,
    suit: str | int | None = None,
    side: str | int | None = None,
    variant: str | None = None,
) -> np.ndarray:
    """Return the value of an evaluator for one seat or side of each deal, in natural units.

    Parameters
    ----------
    deals : Deals
        The n deals.
    name : str
        Name or alias of the evaluator, such as ``hcp``, ``cccc`` or ``fit``.
    seat : str or int
        For evaluators of a hand: ``"north"``, ``"N"`` or 0 (N E S W = 0..3).
    suit : str or int, optional
        For evaluators that have a value for each suit: ``"spades"``, ``"S"`` or 0 (S H D C = 0..3). If the
        value depends on the strain, also ``"notrump"``, ``"N"`` or 4.
    side : str or int
        For evaluators of a side: ``"NS"`` or 0, ``"EW"`` or 1. Point counts of a side take a seat instead,
        and then return its share.
    variant : str, optional
        For evaluators that programs define differently, the definition; by default the first of
        `Function.variants`.

    Returns
    -------
    ndarray [shape=(n,)]
        int16 for whole numbers, float64 for evaluators with fractions.

    Raises
    ------
    UnknownNameError
        There is no function of this name; the message suggests the nearest one.
    ArgumentError
        The seat, suit, side or variant is unknown, missing, or not an argument of the evaluator.
    NotYetError
        The function has no implementation yet.

    See Also
    --------
    dealerkit.functions : all functions with unit, range and source.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> evaluate(deals, "hcp", seat="north")
    array([11], dtype=int16)
    >>> evaluate(deals, "cccc", seat="N"), evaluate(deals, "cccc", seat="N", variant="coded")
    (array([13.85]), array([14.85]))
    >>> evaluate(deals, "quality", seat="W", suit="hearts")
    array([4.])
    >>> evaluate(deals, "fit", side="NS")
    array([9], dtype=int16)
    >>> evaluate(deals, "bergen", side="NS"), evaluate(deals, "bergen", side="NS", suit="notrump")
    (array([31], dtype=int16), array([18], dtype=int16))
    >>> evaluate(deals, "bergen", seat="north")
    array([20], dtype=int16)
    """
    # Check that the function measures a hand or a side.
    function = get_function(name)
    if function.body is None and function.kind in (*_MEASURE_KINDS, "deal"):
        raise NotYetError(f"{function.name} is part of the language but is not computed yet")
    if function.body is None or function.kind not in _MEASURE_KINDS:
        raise ArgumentError(
            f"{function.signature} is not a measure of one seat or side; use deals.eval with a formula"
        )

    # A point count of a side also takes a seat, and then returns the share of its hand.
    options = _select_variant(function, variant)
    if function.kind == "pair":
        if (seat is None) == (side is None):
            raise ArgumentError(
                f"{function.name} measures a side or a seat's share: give side='NS' or seat='north'"
            )
        if seat is not None:
            number = seat_number(seat)
            seat, side, options["part"] = None, number % 2, number // 2

    arguments = [*_select_hands(function, deals, seat, side), *_select_suit(function, suit)]
    values = function.body(*arguments, **options)
    return values / 100 if function.hundredths else values


def _select_variant(function: Function, variant: str | None) -> dict[str, Any]:
    """Return the keyword argument for the variant, if the function has variants."""
    if variant is None:
        return {"variant": function.variants[0]} if function.variants else {}
    if not function.variants:
        raise ArgumentError(f"{function.name} has one definition only; leave variant out")
    if not isinstance(variant, str) or variant not in function.variants:
        raise ArgumentError(
            f"unknown variant {variant!r} of {function.name}; known: {', '.join(function.variants)}"
        )
    return {"variant": variant}


def _select_hands(
    function: Function, deals: Deals, seat: str | int | None, side: str | int | None
) -> list[np.ndarray]:
    """Return the hands that the function's body takes: that of the seat, or both of the side."""
    if not hasattr(deals, "hands"):
        raise ArgumentError(f"evaluate measures Deals, not {type(deals).__name__}")
    if function.kind in ("side", "pair"):
        if seat is not None or side is None:
            raise ArgumentError(f"{function.name} measures a side, not one hand: give side='NS' or side='EW'")
        first = side_number(side)
        return [deals.hands[:, first], deals.hands[:, first + 2]]
    if side is not None or seat is None:
        raise ArgumentError(f"{function.name} measures one hand, not a side: give seat='north' or another")
    return [deals.hands[:, seat_number(seat)]]


def _select_suit(function: Function, suit: str | int | None) -> list[int]:
    """Return the arguments of the function's body after the hands."""
    kinds = function.arguments[1:]
    if any(kind not in _SUIT_KINDS for kind in kinds):
        raise ArgumentError(
            f"{function.signature} takes more than a seat and a suit; use deals.eval with a formula"
        )
    if suit is None:
        if "suit" in kinds:
            raise ArgumentError(f"{function.name} measures one suit: give suit='spades' or another")
        return []
    if not kinds:
        raise ArgumentError(f"{function.name} has no values for single suits; leave suit out")
    try:
        return [strain_number(suit) if "strain?" in kinds else suit_number(suit)]
    except ArgumentError as reason:
        raise ArgumentError(f"{function.signature}: {reason}") from None
