"""The layout of DealerV2's 128 slots for each tag."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from dealerkit.evaluators import honour_tables, point_scales
from dealerkit.evaluators.pairs.functions import METRICS
from dealerkit.evaluators.pairs.metric import Metric, Values
from dealerkit.evaluators.pairs.trump_pair import TrumpPair
from dealerkit.evaluators.pairs.zar_four_cs import HALVES

SCALES = dict(zip(range(20, 28), point_scales.SCALES, strict=True))
COMPOSITE_TAGS = (40, 41, 42, 50, 51, 88, 99)  # each holds several point counts
# By tag and side: slots with the body of the hands, which in DealerV2 are 0 for the first produced deal of a
# run. The other slots of the tag, also those that contain the body, have the right values for this deal.
LATE_SLOTS = {(41, 1): (126, 127)}
TAGS = (*METRICS, *SCALES, *COMPOSITE_TAGS)

Slots = dict[int, np.ndarray]


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
    """Values of a pair by tag, each computed at first use."""

    def __init__(self, pair: TrumpPair) -> None:
        super().__init__()
        self.pair = pair

    def __missing__(self, tag: int) -> Values:
        self[tag] = METRICS[tag].rule(self.pair)
        return self[tag]


def _sum_side(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the values of the side, of its first and of its second hand."""
    return values[0] + values[1], values[0], values[1]


def _raise_to_zero(
    values: np.ndarray, variant: str, clip_coded: bool = True
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return `_sum_side` with values below 0 replaced by 0.

    The variant ``intended`` replaces the values of the hands before it adds them. ``coded`` adds first and
    replaces all three values, or none if `clip_coded` is false.
    """
    if variant == "intended":
        return _sum_side(np.maximum(values, 0))
    side, first, second = _sum_side(values)
    if clip_coded:
        return np.maximum(side, 0), np.maximum(first, 0), np.maximum(second, 0)
    return side, first, second


def _fill(slots: Slots, start: int, values: Iterable[np.ndarray]) -> int:
    """Fill slots from `start` on and return the number after the last."""
    columns = list(values)
    slots.update(enumerate(columns, start))
    return start + len(columns)


def _trump_slots(pair: TrumpPair) -> Slots:
    """Return the trump suit and its length in their slots."""
    return {126: pair.trump, 127: pair.fit}


def _lay_out_metric(metric: Metric, values: _MetricValues) -> Slots:
    """Return the slots of one metric (tags 0 to 14)."""
    pair, metric_values, slots = values.pair, values[metric.tag], Slots()
    _fill(slots, 0, _raise_to_zero(metric_values.notrump, pair.variant))
    position = _fill(slots, 3, _raise_to_zero(metric_values.suit, pair.variant))
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
    """Return the rounded points of a scale and its hundredths for both hands."""
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
    """Return the values of the side and of both hands in notrump, then with trumps (halves of Zar points)."""
    pair, metric_values = values.pair, values[tag]
    if METRICS[tag].triples != HALVES:
        both = (metric_values.notrump, metric_values.suit)
        return tuple(itertools.chain(*(_raise_to_zero(value, pair.variant, False) for value in both)))
    suit, notrump = (_sum_side(metric_values.parts[name]) for name in HALVES)
    if pair.intended:
        return (*notrump, *suit)
    # DealerV2 reads the six halves in another order than it writes them.
    return (suit[0] + suit[1], suit[0], suit[1], suit[2] + notrump[0], suit[2], notrump[0])


def _lay_out_metrics(values: _MetricValues) -> Slots:
    """Return six values of each metric (tag 40)."""
    slots, position = Slots(), 0
    for tag in METRICS:
        position = _fill(slots, position, _six_values(tag, values))
    return slots | _trump_slots(values.pair)


def _lay_out_sides(values: _MetricValues) -> Slots:
    """Return the values of the side with trumps, in notrump, and before rounding (tag 42)."""
    pair, slots = values.pair, Slots()
    unrounded = [tag for tag, metric in METRICS.items() if metric.triples]
    for tag in METRICS:
        slots[tag] = _raise_to_zero(values[tag].suit, pair.variant, False)[0]
        slots[15 + tag] = _raise_to_zero(values[tag].notrump, pair.variant, False)[0]
    for start, strain in ((30, 0), (35, 1)):
        hands = (values[tag].parts[METRICS[tag].triples[strain]] for tag in unrounded)
        _fill(slots, start, (hand_values.sum(axis=0) for hand_values in hands))
    return slots | _trump_slots(pair)


def _lay_out_side_values(values: _MetricValues) -> Slots:
    """Return the values of the side with trumps and in notrump, of Zar points the halves (tag 88)."""
    pair, slots = values.pair, Slots()
    for tag in METRICS:
        six = _six_values(tag, values)
        slots[15 + tag], slots[tag] = six[0], six[3]
    if not pair.intended:
        slots[12] = slots[27]  # DealerV2 reads the halves in another order than for tag 40
    return slots | _trump_slots(pair)


def _lay_out_two_metrics(tags: tuple[int, int], values: _MetricValues) -> Slots:
    """Return the values of two metrics and the trumps of each (tags 50 and 51)."""
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
