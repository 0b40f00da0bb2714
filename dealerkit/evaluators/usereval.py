"""DealerV2's numbered metrics, which have 128 slots for each tag, from the evaluators of this package.

``usereval(tag, side, slot)`` in a script returns one number. All slots of a tag are computed together; slots
that a tag does not fill are 0. A tag is a number, or the code of a letter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators import honour_tables, point_scales
from dealerkit.evaluators.pairs.functions import LETTERS, METRICS
from dealerkit.evaluators.pairs.metric import Metric, Values
from dealerkit.evaluators.pairs.pair import VARIANTS, TrumpPair, check_variant
from dealerkit.evaluators.pairs.zar_four_cs import HALVES
from dealerkit.registry import Function, register

SLOTS = 128  # number of slots of each tag
SCALES = dict(zip(range(20, 28), point_scales.SCALES, strict=True))
COMPOSITE_TAGS = (40, 41, 42, 50, 51, 88, 99)  # each contains several point counts
# By tag and side, the slots with the body of the hands that are 0 in DealerV2 for the first produced deal of
# a run. The other slots of the tag, also those that contain the body, have the right values for that deal.
LATE_SLOTS = {(41, 1): (126, 127)}
TAGS = (*METRICS, *SCALES, *COMPOSITE_TAGS)
_TAG_OF_LETTER = {letter: tag for tag, letter in enumerate(LETTERS)}

Slots = dict[int, np.ndarray]


def tag_number(tag: int) -> int:
    """Return the tag for a number or for the code of a letter.

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
        The last argument: 0 to 127 for a side, 0 to 7 for a suit of a side, 0 to 15 for a seat, 0 to 3 for a
        suit of a seat.
    seat : {0, 1, 2, 3}, optional
        The seat N E S W, if the form has a seat instead of a side.
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
    # Check the number of slots that the form has.
    limit = {(True, True): SLOTS, (True, False): 8, (False, True): 16, (False, False): 4}[
        seat is None, suit is None
    ]
    if not 0 <= index < limit:
        form = ("a side" if seat is None else "a seat") + ("" if suit is None else " and a suit")
        raise ArgumentError(f"usereval of {form} has the slots 0 to {limit - 1}, not {index}")
    # All forms share one list: sides begin at 0, their suits (C D H S) at 32, seats at 64 and 80, and the
    # suits of seats at 96 and 112.
    position = 0 if suit is None else 3 - suit
    if seat is None:
        return index if suit is None else 32 + 8 * position + index
    start = 64 if suit is None else 96
    return start + 16 * (seat >= 2) + 4 * position + index


@cache
def filled_slots(tag: int, variant: str = "coded") -> frozenset[int]:
    """Return the slots that a tag fills; all other slots are 0.

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
        Hands of north and south, or of east and west.
    tag : int
        A number or the code of a letter; see `tag_number`.
    slots : iterable of int, optional
        The slots to return; by default all that the tag fills.
    variant : {"coded", "intended"}
        As DealerV2 computes, or as the authors of the point counts mean them.

    Returns
    -------
    dict of int to ndarray of int32 [shape=(n,)]
        The values by slot; a slot that the tag does not fill is 0.

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
    """Return one slot of one tag, for any of the four forms of the language.

    Parameters
    ----------
    hands : ndarray of uint64 [shape=(n, 4)]
        The hands N E S W.
    tag : int
        A number or the code of a letter; see `tag_number`.
    slot : int
        The last argument of the form; see `slot_number`.
    side : {0, 1}, seat : {0, 1, 2, 3}
        Either the side NS or EW, or the seat N E S W.
    suit : {0, 1, 2, 3}, optional
        The suit S H D C, in the forms that have one.
    variant : {"coded", "intended"}
        As DealerV2 computes, or as the authors of the point counts mean them.

    Returns
    -------
    ndarray of int32 [shape=(n,)]

    Raises
    ------
    ArgumentError
        The tag or variant is unknown, the form does not have the slot, or not exactly one of side and seat is
        given.

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


# ------------------------------------------------------------ the slots of each tag
def fill_slots(tag: int, pair: TrumpPair) -> Slots:
    """Return all slots that a tag fills for one batch of deals.

    Parameters
    ----------
    tag : int
        One of `TAGS`.
    pair : TrumpPair

    Returns
    -------
    dict of int to ndarray of int16 or int32 [shape=(n,)]
        Without the slots that the tag does not fill.
    """
    # A tag has one scale, one point count, two of them, or all.
    if tag in SCALES:
        return _lay_out_scale(SCALES[tag], pair)
    if tag == 99:
        return _lay_out_test_pattern(pair)
    values = _MetricValues(pair)
    if tag in METRICS:
        return _lay_out_metric(METRICS[tag], values)
    if tag in (50, 51):
        return _lay_out_two_metrics({50: (5, 6), 51: (8, 9)}[tag], values)
    layouts = {40: _lay_out_metrics, 41: _lay_out_scales, 42: _lay_out_sides, 88: _lay_out_side_values}
    return layouts[tag](values)


class _MetricValues(dict[int, Values]):
    """The point counts of a pair by tag, each computed at first use."""

    def __init__(self, pair: TrumpPair) -> None:
        super().__init__()
        self.pair = pair

    def __missing__(self, tag: int) -> Values:
        self[tag] = METRICS[tag].rule(self.pair)
        return self[tag]


def _sum_side(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the values of the side, of its first hand and of its second hand."""
    return values[0] + values[1], values[0], values[1]


def _raise_to_zero(
    values: np.ndarray, variant: str, clip_coded: bool = True
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the values of `_sum_side` with negative ones replaced by 0.

    The variant ``intended`` replaces the values of the hands before it adds them. ``coded`` adds them first
    and then replaces all three values, or none if `clip_coded` is false.
    """
    if variant == "intended":
        return _sum_side(np.maximum(values, 0))
    side, first, second = _sum_side(values)
    if clip_coded:
        return np.maximum(side, 0), np.maximum(first, 0), np.maximum(second, 0)
    return side, first, second


def _fill(slots: Slots, start: int, values: Iterable[np.ndarray]) -> int:
    """Fill slots from `start` on, and return the number of the slot after the last."""
    columns = list(values)
    slots.update(enumerate(columns, start))
    return start + len(columns)


def _trump_slots(pair: TrumpPair) -> Slots:
    """Return the slots of the trump suit and its length."""
    return {126: pair.trump, 127: pair.fit}


def _lay_out_metric(metric: Metric, values: _MetricValues) -> Slots:
    """Return the slots of one metric (tags 0 to 14)."""
    # Fill in the values of the side and of both hands in notrump, then with trumps.
    pair, metric_values, slots = values.pair, values[metric.tag], Slots()
    _fill(slots, 0, _raise_to_zero(metric_values.notrump, pair.variant))
    position = _fill(slots, 3, _raise_to_zero(metric_values.suit, pair.variant))

    # Fill in the components; a slot without a name stays 0.
    for name in metric.triples:
        position = _fill(slots, position, _sum_side(metric_values.parts[name]))
    for group in metric.groups:
        for hand in (0, 1):
            for name in group:
                if name:
                    slots[position] = metric_values.parts[name][hand]
                position += 1
    return slots | (_trump_slots(pair) if metric.has_trump or pair.intended else {})


def _evaluate_scale(name: str, pair: TrumpPair) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of a scale for both hands, rounded and in hundredths."""
    raw = pair.sum_table(point_scales.adjusted_scale(name, pair.variant))
    return honour_tables.round_by_body(raw, pair.body), raw


def _lay_out_scale(name: str, pair: TrumpPair) -> Slots:
    """Return the slots of one scale of honours (tags 20 to 27)."""
    rounded, raw = _evaluate_scale(name, pair)
    suits = pair.take_suits(point_scales.adjusted_scale(name, pair.variant))[:, ::-1]
    slots = Slots()
    _fill(slots, 0, (*_sum_side(rounded), *_sum_side(raw), *pair.body, *suits[0], *suits[1]))
    return slots | {126: pair.body[0], 127: pair.body[1]}


def _lay_out_scales(values: _MetricValues) -> Slots:
    """Return the slots of the eight scales and the Four C's (tag 41)."""
    pair, slots, position = values.pair, Slots(), 0
    for name in point_scales.SCALES:
        rounded, raw = _evaluate_scale(name, pair)
        position = _fill(slots, position, (*_sum_side(rounded), *_sum_side(raw)))
    four_cs = values[7]
    _fill(slots, position, (*_sum_side(four_cs.notrump), *_sum_side(four_cs.parts["raw_notrump"])))
    return slots | {126: pair.body[0], 127: pair.body[1]}


def _six_values(tag: int, values: _MetricValues) -> tuple[np.ndarray, ...]:
    """Return the values of the side and of both hands in notrump, then with trumps; Zar points are halved."""
    pair, metric_values = values.pair, values[tag]
    # For all metrics except Zar points, DealerV2 copies the values before it raises negative ones to zero.
    if METRICS[tag].triples != HALVES:
        both = (metric_values.notrump, metric_values.suit)
        return tuple(itertools.chain(*(_raise_to_zero(value, pair.variant, False) for value in both)))

    # Half the Zar points can be compared with the other counts.
    suit, notrump = (_sum_side(metric_values.parts[name]) for name in HALVES)
    if pair.intended:
        return (*notrump, *suit)
    # DealerV2 reads the six halves in another order than it writes them.
    return (suit[0] + suit[1], suit[0], suit[1], suit[2] + notrump[0], suit[2], notrump[0])


def _lay_out_metrics(values: _MetricValues) -> Slots:
    """Return the slots of six values of each metric (tag 40)."""
    slots, position = Slots(), 0
    for tag in METRICS:
        position = _fill(slots, position, _six_values(tag, values))
    return slots | _trump_slots(values.pair)


def _lay_out_sides(values: _MetricValues) -> Slots:
    """Return the slots of the side's values with trumps, in notrump, and before rounding (tag 42)."""
    pair, slots = values.pair, Slots()
    unrounded = [tag for tag, metric in METRICS.items() if metric.triples]
    # The values with trumps are in slots 0 to 14 and those in notrump in 15 to 29, by tag. Slots from 30 and
    # from 35 on have the values of rounded counts before rounding.
    for tag in METRICS:
        slots[tag] = _raise_to_zero(values[tag].suit, pair.variant, False)[0]
        slots[15 + tag] = _raise_to_zero(values[tag].notrump, pair.variant, False)[0]
    for start, strain in ((30, 0), (35, 1)):
        hands = (values[tag].parts[METRICS[tag].triples[strain]] for tag in unrounded)
        _fill(slots, start, (hand_values.sum(axis=0) for hand_values in hands))
    return slots | _trump_slots(pair)


def _lay_out_side_values(values: _MetricValues) -> Slots:
    """Return the slots of the side's values with trumps and in notrump, Zar points halved (tag 88)."""
    pair, slots = values.pair, Slots()
    for tag in METRICS:
        six = _six_values(tag, values)
        slots[15 + tag], slots[tag] = six[0], six[3]
    if not pair.intended:
        slots[12] = slots[27]  # DealerV2 reads the halves in another order than for tag 40
    return slots | _trump_slots(pair)


def _lay_out_two_metrics(tags: tuple[int, int], values: _MetricValues) -> Slots:
    """Return the slots of two metrics and their trumps (tags 50 and 51)."""
    pair, slots, position = values.pair, Slots(), 0
    for tag in tags:
        position = _fill(slots, position, _raise_to_zero(values[tag].notrump, pair.variant))
        position = _fill(slots, position, _raise_to_zero(values[tag].suit, pair.variant))
    slots |= {14: pair.trump, 15: pair.fit}
    if tags == (5, 6) or pair.intended:  # DealerV2 leaves Larsson's at 0
        slots |= {12: pair.trump, 13: pair.fit}
    return slots


def _lay_out_test_pattern(pair: TrumpPair) -> Slots:
    """Return numbers that encode their slots (tag 99)."""
    numbers = {n: -(n + 1) for n in range(32)}
    numbers |= {32 + 8 * s + i: 100 * (s + 1) + i for s in range(4) for i in range(8)}
    numbers |= {64 + 16 * h + i: 1000 * (h + 1) + i for h in range(2) for i in range(16)}
    places = itertools.product(range(2), range(4), range(4))
    numbers |= {96 + 16 * h + 4 * s + i: 1000 * (h + 1) + 100 * (s + 1) + i for h, s, i in places}
    return {slot: np.full(len(pair.first), value, np.int32) for slot, value in numbers.items()}


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
