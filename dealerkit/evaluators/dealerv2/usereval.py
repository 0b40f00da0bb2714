"""DealerV2's numbered metrics: 128 slots for each tag, computed from the evaluators of this package.

``usereval(tag, side, slot)`` in a script is one number. All slots of a tag are computed together. Slots
that a tag does not fill are 0. A tag is a number or the code of a letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators.dealerv2.tag_slots import COMPOSITE_TAGS, TAGS, fill_slots
from dealerkit.evaluators.pairs.functions import LETTERS
from dealerkit.evaluators.pairs.pair import VARIANTS, check_variant
from dealerkit.evaluators.pairs.trump_pair import TrumpPair
from dealerkit.registry import Function, register

__all__ = ["TAGS", "filled_slots", "slot_number", "tag_number", "tag_values", "usereval"]

SLOTS = 128
_TAG_OF_LETTER = {letter: tag for tag, letter in enumerate(LETTERS)}


def tag_number(tag: int) -> int:
    """Return the tag of a number or of the code of a letter.

    Raises
    ------
    ArgumentError
        DealerV2 does not have this tag.

    Examples
    --------
    >>> tag_number(ord("G")), tag_number(40)
    (3, 40)
    """
    number = _TAG_OF_LETTER.get(chr(tag), tag) if 0 <= tag < 128 and tag not in TAGS else tag
    if number not in TAGS:
        tags = "0 to 14, 20 to 27, 40, 41, 42, 50, 51, 88, 99 and the letters " + LETTERS
        raise ArgumentError(
            f"usereval has no tag {tag}; it has {tags}, and those of your own functions (dk.function)"
        )
    return number


def slot_number(index: int, seat: int | None = None, suit: int | None = None) -> int:
    """Return the slot that one of the four forms of ``usereval`` selects.

    Parameters
    ----------
    index : int
        The last argument: 0 to 127 of a side, 0 to 7 of a side's suit, 0 to 15 of a seat, 0 to 3 of a seat's
        suit.
    seat : {0, 1, 2, 3}, optional
        N E S W, if the argument is a seat instead of a side.
    suit : {0, 1, 2, 3}, optional
        S H D C.

    Returns
    -------
    int, 0 to 127

    Raises
    ------
    ArgumentError
        The index is outside its range.

    References
    ----------
    JGM, DealerV2 4.3: the four forms index one list of 128 numbers.

    Examples
    --------
    >>> slot_number(5), slot_number(5, suit=0), slot_number(5, seat=2), slot_number(3, seat=2, suit=0)
    (5, 61, 85, 127)
    """
    limit = {(True, True): SLOTS, (True, False): 8, (False, True): 16, (False, False): 4}[
        seat is None, suit is None
    ]
    if not 0 <= index < limit:
        form = ("a side" if seat is None else "a seat") + ("" if suit is None else " and a suit")
        raise ArgumentError(f"usereval of {form} has the slots 0 to {limit - 1}, not {index}")
    position = 0 if suit is None else 3 - suit
    if seat is None:
        return index if suit is None else 32 + 8 * position + index
    start = 64 if suit is None else 96
    return start + 16 * (seat >= 2) + 4 * position + index


@cache
def filled_slots(tag: int, variant: str = "coded") -> frozenset[int]:
    """Return the slots that a tag fills; all others are 0.

    >>> len(filled_slots(40)), 126 in filled_slots(7)
    (92, False)
    """
    hand = np.array([0x1FFF << 48], np.uint64)
    return frozenset(fill_slots(tag_number(tag), TrumpPair(hand, hand >> np.uint64(16), variant=variant)))


def tag_values(
    first: np.ndarray,
    second: np.ndarray,
    tag: int,
    *,
    slots: Iterable[int] | None = None,
    variant: str = "coded",
) -> Mapping[int, np.ndarray]:
    """Return slots of one tag for a side.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        North and south, or east and west.
    tag : int
        See `tag_number`.
    slots : iterable of int, optional
        By default all that the tag fills.
    variant : {"coded", "intended"}

    Returns
    -------
    dict of int to ndarray of int32 [shape=(n,)]
        By slot; a slot that the tag does not fill is 0.

    Raises
    ------
    ArgumentError
        The tag or variant is unknown.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> hands = deals.hands
    >>> bergen = tag_values(hands[:, 0], hands[:, 2], 0)
    >>> [int(bergen[slot][0]) for slot in (0, 3, 4, 5, 126, 127)]
    [18, 31, 20, 11, 3, 9]
    """
    number = tag_number(tag)
    check_variant(variant, "usereval")
    selected = sorted(filled_slots(number, variant) if slots is None else set(slots))
    columns = {slot: np.zeros(len(first), np.int32) for slot in selected}
    for rows, pair in TrumpPair(first, second, variant=variant).batches():
        values = fill_slots(number, pair)
        for slot in columns.keys() & values.keys():
            columns[slot][rows] = values[slot]
    return columns


def usereval(
    hands: np.ndarray,
    tag: int,
    slot: int,
    *,
    side: int | None = None,
    seat: int | None = None,
    suit: int | None = None,
    variant: str = "coded",
) -> np.ndarray:
    """Return one slot of one tag, in any of the four forms of the language.

    Parameters
    ----------
    hands : ndarray of uint64 [shape=(n, 4)]
        N E S W.
    tag : int
        See `tag_number`.
    slot : int
        The last argument of the form, see `slot_number`.
    side : {0, 1}, seat : {0, 1, 2, 3}
        A side, NS or EW, or a seat; exactly one of the two.
    suit : {0, 1, 2, 3}, optional
        S H D C.
    variant : {"coded", "intended"}

    Returns
    -------
    ndarray of int32 [shape=(n,)]

    Raises
    ------
    ArgumentError
        The tag or variant is unknown, the form does not have the slot, or there is not one of side and seat.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> hands = deals.hands
    >>> usereval(hands, 20, 3, side=0), usereval(hands, 99, 2, seat=1, suit=3)
    (array([1750], dtype=int32), array([1102], dtype=int32))
    """
    if (side is None) == (seat is None):
        raise ArgumentError("usereval takes either a side or a seat")
    first = side if seat is None else seat % 2
    if first not in (0, 1):
        raise ArgumentError(f"usereval has the sides 0 (NS) and 1 (EW), not {side!r}")
    number = slot_number(slot, seat, suit)
    return tag_values(hands[:, first], hands[:, first + 2], tag, slots=[number], variant=variant)[number]


register(
    Function(
        "usereval",
        ("integer", "side|seat", "suit?", "integer"),
        tag_values,
        kind="pair",
        operation="tag",
        dealerv2=("usereval",),
        cost=500.0,
        variants=VARIANTS,
        summary="a slot of one of DealerV2's numbered metrics",
        source="JGM, DealerV2 4.3",
        tags=COMPOSITE_TAGS,
        examples=("usereval(66, NS, 0)",),
    )
)
