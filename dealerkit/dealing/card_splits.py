"""Exact counts of the ways to split cards, and the tables that the sampler draws from.

Everything here is done once per predeal with Python's integers; the tables hold
ranks, so that one bounded random number picks one way.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from math import comb, prod
from typing import NamedTuple

import numpy as np

Lengths = tuple[int, int, int, int]  # by suit S H D C
Fixed = tuple[tuple[int | None, ...], ...]  # [seat][suit]: a length that is demanded, or None

# the subsets of 13 things, by size, then as numbers; the subsets of n things come first in each size
SUBSETS = np.array(sorted(range(1 << 13), key=lambda subset: (subset.bit_count(), subset)), dtype=np.uint16)
SUBSETS.flags.writeable = False
START = np.cumsum([0, *(comb(13, size) for size in range(13))]).astype(np.uint64)
START.flags.writeable = False
# comb(n, k) at [14 n + k], and ceil(2^63 / comb(n, k)), by which it is divided exactly
CHOOSE = np.array([comb(n, k) for n in range(14) for k in range(14)], dtype=np.uint64)
CHOOSE.flags.writeable = False
DIVIDE = np.array([-(-(1 << 63) // max(1, int(c))) for c in CHOOSE], dtype=np.uint64)
DIVIDE.flags.writeable = False
NUMBERS = (SUBSETS, START, CHOOSE, DIVIDE)  # as the kernels take them


class Table(NamedTuple):
    """A bounded draw that picks a class by its weight: ``cumulative[c] <= rank < cumulative[c + 1]``."""

    total: np.uint64
    threshold: np.uint64  # 2^64 mod total: products with a lower half below it are drawn again
    shift: np.uint64
    cumulative: np.ndarray  # uint64 [classes + 1]
    guide: np.ndarray  # uint16: class of the rank (index << shift)
    lengths: np.ndarray  # uint16 [classes]: four bits each, first length lowest


def packed(lengths: tuple[int, ...]) -> int:
    """Lengths of up to four parts in one number, four bits each, the first lowest."""
    return sum(length << 4 * i for i, length in enumerate(lengths))


def sizes_of(parts: tuple[int, ...], chosen: int) -> list[tuple[int, ...]]:
    """All ways to take `chosen` cards from parts of these sizes, as numbers taken from each part."""
    heads = itertools.product(*(range(min(size, chosen) + 1) for size in parts[:-1]))
    return [(*head, rest) for head in heads if 0 <= (rest := chosen - sum(head)) <= parts[-1]]


def in_order(weighted: list[tuple[int, tuple[int, ...]]]) -> list[tuple[int, tuple[int, ...]]]:
    """The order of classes in the stream: heaviest first, equal ones by their lengths."""
    return sorted(weighted, key=lambda item: (-item[0], item[1]))


@lru_cache(maxsize=256)
def table(parts: tuple[int, ...], chosen: int, bits: int) -> Table:
    """The subsets of `chosen` cards out of parts of at most 13, classed by how many come from each.

    A class weighs as many subsets as it holds, so the rank less the class's lower
    bound is the number of the subset within the class. `bits` sets the size of the guide.
    """
    classes = in_order([
        (prod(comb(size, length) for size, length in zip(parts, lengths, strict=True)), lengths)
        for lengths in sizes_of(parts, chosen)
    ])  # fmt: skip
    bounds = [0, *itertools.accumulate(weight for weight, _ in classes)]
    total = bounds[-1]
    shift = max(0, total.bit_length() - bits)
    cumulative = np.array(bounds, dtype=np.uint64)
    starts = np.arange((total >> shift) + 1, dtype=np.uint64) << np.uint64(shift)
    guide = np.minimum(np.searchsorted(cumulative, starts, side="right") - 1, len(classes) - 1)
    return Table(
        np.uint64(total), np.uint64((1 << 64) % total), np.uint64(shift), cumulative, guide.astype(np.uint16),
        np.array([packed(lengths) for _, lengths in classes], dtype=np.uint16),
    )  # fmt: skip


def side_lengths(
    held: Lengths, first: tuple[int | None, ...], second: tuple[int | None, ...]
) -> tuple[int | None, ...] | None:
    """How many of the side's cards its first seat has in each suit, None where that is free.

    None altogether where the demands of the two seats contradict the cards held.
    """
    taken: list[int | None] = []
    for cards, one, two in zip(held, first, second, strict=True):
        if one is not None and two is not None and one + two != cards:
            return None
        own = one if one is not None else None if two is None else cards - two
        if own is not None and not 0 <= own <= cards:
            return None
        taken.append(own)
    return tuple(taken)


def side_ways(held: Lengths, need: int, first: tuple[int | None, ...], second: tuple[int | None, ...]) -> int:
    """Number of ways to give `need` of a side's cards to its first seat, the demands kept.

    Suits with a demand are settled by it; the cards of all others are one heap.

    >>> none = (None,) * 4
    >>> side_ways((7, 7, 6, 6), 13, none, none)
    10400600
    >>> side_ways((2, 0, 0, 0), 1, (1, None, None, None), none)
    2
    """
    taken = side_lengths(held, first, second)
    if taken is None:
        return 0
    rest = need - sum(own for own in taken if own is not None)
    heap = sum(cards for cards, own in zip(held, taken, strict=True) if own is None)
    if not 0 <= rest <= heap:
        return 0
    return comb(heap, rest) * prod(
        comb(cards, own) for cards, own in zip(held, taken, strict=True) if own is not None
    )


def side_classes(free: Lengths, need: Lengths, fixed: Fixed) -> list[tuple[int, Lengths]]:
    """The suit lengths that north and south together can hold, with the number of deals of each.

    Parameters
    ----------
    free : 4 ints
        Cards of each suit that are not predealt.
    need : 4 ints
        Cards that each seat still lacks.
    fixed : [4][4] of int or None
        Free cards of a suit that a seat must get.

    Returns
    -------
    list of (weight, lengths)
        Weights above 0 only, in the stream's order; they add up to the number of deals.

    Examples
    --------
    >>> classes = side_classes((13,) * 4, (13,) * 4, ((None,) * 4,) * 4)
    >>> sum(weight for weight, _ in classes)
    53644737765488792839237440000
    """
    found = []
    for lengths in sizes_of(free[::-1], need[0] + need[2]):  # clubs first, as in `table`
        held = lengths[::-1]
        others = tuple(have - taken for have, taken in zip(free, held, strict=True))
        weight = prod(comb(have, taken) for have, taken in zip(free, held, strict=True))
        weight *= side_ways(held, need[0], fixed[0], fixed[2])  # type: ignore[arg-type]
        if weight:
            weight *= side_ways(others, need[1], fixed[1], fixed[3])  # type: ignore[arg-type]
        if weight:
            found.append((weight, lengths))
    return [(weight, lengths[::-1]) for weight, lengths in in_order(found)]  # type: ignore[misc]
