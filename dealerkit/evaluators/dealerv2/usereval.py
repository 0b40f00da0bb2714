"""DealerV2's numbered metrics: 128 slots for each tag, computed from the counts of this package.

``usereval(tag, side, slot)`` in a script asks for one number; here all slots of a tag come from one pass
over the hands. Slots that a tag does not use are 0. Tags are numbers, or the code of a letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators.dealerv2.tag_slots import TAGS, slots_of_pair
from dealerkit.evaluators.pairs.metrics import VARIANTS, pairs_of
from dealerkit.evaluators.pairs.pair import Pair
from dealerkit.evaluators.pairs.partnership_counts import LETTERS

__all__ = ["TAGS", "slot_number", "slots_of", "tag_number", "tag_values", "usereval"]

SLOTS = 128
_TAG_OF_LETTER = {letter: tag for tag, letter in enumerate(LETTERS)}


def tag_number(tag: int) -> int:
    """The tag that a number or the code of a letter stands for.

    Raises
    ------
    ArgumentError
        A tag that DealerV2 does not have.

    Examples
    --------
    >>> tag_number(ord("G")), tag_number(40)
    (3, 40)
    """
    number = _TAG_OF_LETTER.get(chr(tag), tag) if 0 <= tag < 128 and tag not in TAGS else tag
    if number not in TAGS:
        known = "0 to 14, 20 to 27, 40, 41, 42, 50, 51, 88, 99 and the letters " + LETTERS
        raise ArgumentError(
            f"usereval has no tag {tag}; it has {known}, and those of your own functions (dk.function)"
        )
    return number


def slot_number(index: int, seat: int | None = None, suit: int | None = None) -> int:
    """The slot that one of the four forms of ``usereval`` asks for.

    Parameters
    ----------
    index : int
        The last argument: 0 to 127 of a side, 0 to 7 of a side's suit, 0 to 15 of a seat, 0 to 3 of a seat's
        suit.
    seat : {0, 1, 2, 3}, optional
        N E S W where a seat stands in the place of the side.
    suit : {0, 1, 2, 3}, optional
        S H D C.

    Returns
    -------
    int, 0 to 127

    Raises
    ------
    ArgumentError
        An index beyond those.

    References
    ----------
    JGM, DealerV2 4.3: the forms index one list of 128 numbers.

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
    place = 0 if suit is None else 3 - suit
    if seat is None:
        return index if suit is None else 32 + 8 * place + index
    start = 64 if suit is None else 96
    return start + 16 * (seat >= 2) + 4 * place + index


@cache
def slots_of(tag: int, variant: str = "coded") -> frozenset[int]:
    """The slots that a tag fills; all others are 0.

    >>> len(slots_of(40)), 126 in slots_of(7)
    (92, False)
    """
    hand = np.array([0x1FFF << 48], np.uint64)
    return frozenset(slots_of_pair(tag_number(tag), Pair(hand, hand >> np.uint64(16), None, variant)))


def tag_values(
    first: np.ndarray,
    second: np.ndarray,
    tag: int,
    *,
    slots: Iterable[int] | None = None,
    variant: str = "coded",
) -> Mapping[int, np.ndarray]:
    """The slots of one tag for a side.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        North and south, or east and west.
    tag : int
        See `tag_number`.
    slots : iterable of int, optional
        Those that are wanted; by default all that the tag fills.
    variant : {"coded", "intended"}

    Returns
    -------
    dict of int to ndarray of int32 [shape=(n,)]
        By slot; a slot that the tag does not fill is 0.

    Raises
    ------
    ArgumentError
        An unknown tag or variant.

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
    if variant not in VARIANTS:
        raise ArgumentError(f"unknown variant {variant!r} of usereval; known: coded, intended")
    wanted = sorted(slots_of(number, variant) if slots is None else set(slots))
    columns = {slot: np.zeros(len(first), np.int32) for slot in wanted}
    for rows, pair in pairs_of(first, second, None, variant):
        found = slots_of_pair(number, pair)
        for slot in columns.keys() & found.keys():
            columns[slot][rows] = found[slot]
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
    """One slot of one tag, in any of the four forms of the language.

    Parameters
    ----------
    hands : ndarray of uint64 [shape=(n, 4)]
        N E S W.
    tag : int
        See `tag_number`.
    slot : int
        The last argument of the form, see `slot_number`.
    side : {0, 1}, seat : {0, 1, 2, 3}
        NS or EW, or a seat: one of the two.
    suit : {0, 1, 2, 3}, optional
        S H D C.
    variant : {"coded", "intended"}

    Returns
    -------
    ndarray of int32 [shape=(n,)]

    Raises
    ------
    ArgumentError
        An unknown tag or variant, a slot that the form does not have, not one of side and seat.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> hands = deals.hands
    >>> usereval(hands, 20, 3, side=0), usereval(hands, 99, 2, seat=1, suit=3)
    (array([1750], dtype=int32), array([1102], dtype=int32))
    """
    if (side is None) == (seat is None):
        raise ArgumentError("usereval takes a side or a seat, one of the two")
    first = side if seat is None else seat % 2
    if first not in (0, 1):
        raise ArgumentError(f"usereval has the sides 0 (NS) and 1 (EW), not {side!r}")
    number = slot_number(slot, seat, suit)
    return tag_values(hands[:, first], hands[:, first + 2], tag, slots=[number], variant=variant)[number]
