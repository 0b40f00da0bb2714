"""Which of DealerV2's 128 slots holds what: the layout of each tag, for one block of deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

import numpy as np

from dealerkit.evaluators import counts, factors
from dealerkit.evaluators.pairs.metrics import Metric, Values
from dealerkit.evaluators.pairs.pair import Pair
from dealerkit.evaluators.pairs.partnership_counts import METRICS

SCALES = dict(zip(range(20, 28), counts.SCALES, strict=True))
COMPOSITE_TAGS = (40, 41, 42, 50, 51, 88, 99)  # of several counts at once
TAGS = (*METRICS, *SCALES, *COMPOSITE_TAGS)

Slots = dict[int, np.ndarray]
_Rules = Callable[[Metric], Values]
_HALF = ("half_suit", "half_notrump")


def _clamped(
    values: np.ndarray, variant: str, clamp: bool = True
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The side's and the two hands' values; no less than 0, the side's as a sum of those or by itself."""
    if variant == "intended":
        values = np.maximum(values, 0)
    side = values[0] + values[1]
    if clamp and variant == "coded":
        values, side = np.maximum(values, 0), np.maximum(side, 0)
    return side, values[0], values[1]


def _put(slots: Slots, start: int, values: Iterable[np.ndarray]) -> int:
    """Fill slots from `start` on; the number after the last."""
    for number, value in enumerate(values, start):
        slots[number] = value
        start = number + 1
    return start


def _side(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return values[0] + values[1], values[0], values[1]


def _trumps(pair: Pair) -> Slots:
    return {126: pair.trump, 127: pair.fit}


def _one(metric: Metric, pair: Pair, rules: _Rules) -> Slots:
    """The slots of one count."""
    values, slots = rules(metric), Slots()
    _put(slots, 0, _clamped(values.notrump, pair.variant))
    place = _put(slots, 3, _clamped(values.suit, pair.variant))
    for name in metric.triples:
        place = _put(slots, place, _side(values.parts[name]))
    for group in metric.groups:
        for hand in (0, 1):
            for name in group:
                if name:
                    slots[place] = values.parts[name][hand]
                place += 1
    return slots | (_trumps(pair) if metric.has_trump or pair.intended else {})


def _scale(name: str, pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """A scale's rounded value and hundredths of both hands."""
    raw = pair.total(counts.scale(name, pair.variant))
    return factors.round_by_body(raw, pair.body), raw


def _alternative(name: str, pair: Pair) -> Slots:
    """The slots of one scale of honours."""
    rounded, raw = _scale(name, pair)
    suits = pair.each(counts.scale(name, pair.variant))[:, ::-1]
    values = (*_side(rounded), *_side(raw), *pair.body, *suits[0], *suits[1])
    slots = Slots()
    _put(slots, 0, values)
    return slots | {126: pair.body[0], 127: pair.body[1]}


def _all_scales(pair: Pair, rules: _Rules) -> Slots:
    """Tag 41: the eight scales and the Four C's."""
    slots, place = Slots(), 0
    for name in counts.SCALES:
        rounded, raw = _scale(name, pair)
        place = _put(slots, place, (*_side(rounded), *_side(raw)))
    four = rules(METRICS[7])
    _put(slots, place, (*_side(four.notrump), *_side(four.parts["raw_notrump"])))
    return slots | {126: pair.body[0], 127: pair.body[1]}


def _both_values(metric: Metric, pair: Pair, rules: _Rules) -> tuple[np.ndarray, ...]:
    """Six values as tag 40 has them: notrump, then trumps, of the side and of both hands."""
    values = rules(metric)
    if metric.tag not in (12, 13):
        both = (_clamped(value, pair.variant, False) for value in (values.notrump, values.suit))
        return tuple(chain(*both))
    suit, notrump = (_side(values.parts[name]) for name in _HALF)
    if pair.intended:
        return (*notrump, *suit)
    # The program reads the six halves in an order that it no longer writes.
    return (suit[0] + suit[1], suit[0], suit[1], suit[2] + notrump[0], suit[2], notrump[0])


def _six_of_each(tags: Iterable[int], pair: Pair, rules: _Rules) -> Slots:
    slots, place = Slots(), 0
    for tag in tags:
        place = _put(slots, place, _both_values(METRICS[tag], pair, rules))
    return slots


def _sides(pair: Pair, rules: _Rules) -> Slots:
    """Tag 42: the side's values with trumps, in notrump, and unrounded."""
    slots = Slots()
    for tag, metric in METRICS.items():
        values = rules(metric)
        slots[tag] = _clamped(values.suit, pair.variant, False)[0]
        slots[15 + tag] = _clamped(values.notrump, pair.variant, False)[0]
    for place, names in ((30, ("raw_suit", "half_suit")), (35, ("raw_notrump", "half_notrump"))):
        for tag in (6, 7, 9, 12, 13):
            slots[place] = rules(METRICS[tag]).parts[names[tag >= 12]].sum(axis=0)
            place += 1
    return slots | _trumps(pair)


def _sides_only(pair: Pair, rules: _Rules) -> Slots:
    """Tag 88: the side's values with trumps and in notrump, of Zar the halves."""
    slots = Slots()
    for tag, metric in METRICS.items():
        six = _both_values(metric, pair, rules)
        slots[15 + tag], slots[tag] = six[0], six[3]
    if not pair.intended:
        slots[12] = slots[27]  # the program's reading of the halves differs from that of tag 40
    return slots | _trumps(pair)


def _two(one: int, other: int, pair: Pair, rules: _Rules) -> Slots:
    """Tags 50 and 51: two counts side by side, and the trumps that each has found."""
    slots, place = Slots(), 0
    for tag in (one, other):
        values = rules(METRICS[tag])
        place = _put(slots, place, _clamped(values.notrump, pair.variant))
        place = _put(slots, place, _clamped(values.suit, pair.variant))
    slots |= {14: pair.trump, 15: pair.fit}
    if one == 5 or pair.intended:  # the program forgets Larsson's
        slots |= {12: pair.trump, 13: pair.fit}
    return slots


def _test_pattern(pair: Pair) -> Slots:
    """Tag 99: numbers that tell their places."""
    numbers = {n: -(n + 1) for n in range(32)}
    numbers |= {32 + 8 * s + i: 100 * (s + 1) + i for s in range(4) for i in range(8)}
    numbers |= {64 + 16 * h + i: 1000 * (h + 1) + i for h in range(2) for i in range(16)}
    numbers |= {
        96 + 16 * h + 4 * s + i: 1000 * (h + 1) + 100 * (s + 1) + i
        for h in range(2)
        for s in range(4)
        for i in range(4)
    }
    return {slot: np.full(pair.cards.shape[1], value, np.int32) for slot, value in numbers.items()}


def slots_of_pair(tag: int, pair: Pair) -> Slots:
    """All slots of a tag for one block of deals.

    Parameters
    ----------
    tag : int
        One of `TAGS`.
    pair : Pair

    Returns
    -------
    dict of int to ndarray of int16 or int32 [shape=(n,)]
        Slots that the tag leaves alone are not in it.
    """
    known: dict[int, Values] = {}

    def rules(metric: Metric) -> Values:
        if metric.tag not in known:
            known[metric.tag] = metric.rule(pair)
        return known[metric.tag]

    if tag in METRICS:
        return _one(METRICS[tag], pair, rules)
    if tag in SCALES:
        return _alternative(SCALES[tag], pair)
    if tag == 40:
        return _six_of_each(METRICS, pair, rules) | _trumps(pair)
    if tag == 41:
        return _all_scales(pair, rules)
    if tag == 42:
        return _sides(pair, rules)
    if tag == 88:
        return _sides_only(pair, rules)
    if tag == 99:
        return _test_pattern(pair)
    return _two(*{50: (5, 6), 51: (8, 9)}[tag], pair, rules)
