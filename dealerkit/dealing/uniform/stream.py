"""The uniform stream, version 1: exactly uniform deals, each of which can be dealt by its number.

A seed and a number determine a deal. It is the same deal in a range or alone, with or without
the hands of the other side, and on any machine. `random_words` has the random words, `shuffle`
the algorithm, and `predealt` that for predealt lengths and small cards. To change any of these
is to change the version of the stream.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.random_words import BLOCK, block_key
from dealerkit.dealing.source import OWNERS, NumberedDeals, Source, n_deals_per_shuffle
from dealerkit.dealing.uniform.predealt import (
    build_length_tables,
    build_spot_tables,
    deal_with_lengths,
    exchange_spot_cards,
)
from dealerkit.dealing.uniform.shuffle import CHUNK, build_card_tables, deal_cards
from dealerkit.errors import ArgumentError

STREAM_VERSION = 1

_NO_ROWS = np.empty(0, dtype=np.int64)
_PLAIN = Predeal()


def deal_range(
    seed: int, first: int, count: int, seats: int = 15, predeal: Predeal | None = None, swap: int = 0
) -> np.ndarray:
    """Return the deals ``first .. first + count - 1`` of a run.

    Parameters
    ----------
    seed : int >= 0
    first, count : int >= 0
    seats : int, 1..15
        Seats whose hands are needed: bit 0 north ... bit 3 west. A side without a needed seat
        is not dealt, which saves time. A seat's hand does not depend on which others are needed.
    predeal : Predeal or None
    swap : {0, 2, 3}
        Swapping mode. With 2, two deals are made from each shuffle, the second with east and west
        exchanged; with 3, six deals, with north fixed and the other hands in every order.

    Returns
    -------
    ndarray of uint64 [count, 4]
        Hands N E S W, each seat contiguous. The columns of seats that are not needed
        contain the hand or 0.

    Raises
    ------
    PredealError
        No deal complies with the predeal.
    ArgumentError
        The seed or a number is negative, or the swapping mode is unknown.

    See Also
    --------
    deal_numbered : the same deals by their numbers.

    Examples
    --------
    >>> hands = deal_range(seed=1, first=65_530, count=10)
    >>> bool((hands == deal_range(seed=1, first=65_000, count=600)[530:540]).all())
    True
    >>> np.bitwise_count(hands).min(), np.bitwise_count(hands).max()
    (np.uint8(13), np.uint8(13))
    """
    group = n_deals_per_shuffle(swap)
    if first < 0 or count < 0:
        raise ArgumentError(f"first is {first} and count is {count}; both must be 0 or more")
    if count == 0:
        return _empty(0)
    # The shuffles of these deals, and the seats that are needed before hands are swapped.
    start, stop = first // group, (first + count - 1) // group + 1
    if swap and seats & 14:
        seats |= 10 if swap == 2 else 15
    # Deal block by block, because each has a key of its own.
    hands = _empty(stop - start)
    for block in range(start // BLOCK, (stop - 1) // BLOCK + 1):
        low, high = max(start, block * BLOCK), min(stop, (block + 1) * BLOCK)
        _fill(hands[low - start : high - start], seed, block, low - block * BLOCK, _NO_ROWS, seats, predeal)
    if not swap:
        return hands
    # Each variant of a shuffle is every `group`-th deal.
    out = _empty(count)
    for variant, owners in enumerate(OWNERS[swap]):
        skip = (variant - first) % group
        row = (first + skip) // group - start
        for seat, owner in enumerate(owners):
            target = out[skip::group, seat]
            target[:] = hands[row : row + target.size, owner]
    return out


def deal_numbered(
    seed: int, numbers: np.ndarray, seats: int = 15, predeal: Predeal | None = None, swap: int = 0
) -> np.ndarray:
    """Return deals of a run by their numbers, in any order: the same as those of `deal_range`.

    Parameters
    ----------
    seed : int >= 0
    numbers : ndarray of int64 [n], >= 0
    seats, predeal, swap
        As in `deal_range`.

    Returns
    -------
    ndarray of uint64 [n, 4]

    Raises
    ------
    PredealError, ArgumentError
        For the same reasons as `deal_range`.

    Examples
    --------
    >>> hands = deal_numbered(1, np.array([7, 3]))
    >>> bool((hands == deal_range(1, 3, 5)[[4, 0]]).all())
    True
    """
    numbers = np.asarray(numbers, dtype=np.int64)
    group = n_deals_per_shuffle(swap)
    if numbers.size == 0:
        return _empty(0)
    if numbers.min() < 0:
        raise ArgumentError(f"the number of a deal is {numbers.min()}; numbers start at 0")
    # The shuffles of these deals, and the seats that are needed before hands are swapped.
    shuffles = numbers // group
    if swap and seats & 14:
        seats |= 10 if swap == 2 else 15
    # Deal block by block, because each has a key of its own.
    blocks, rows = np.divmod(shuffles, BLOCK)
    hands = _empty(numbers.size)
    if blocks.min() == blocks.max():
        _fill(hands, seed, int(blocks[0]), 0, rows, seats, predeal)
    else:
        order = np.argsort(blocks, kind="stable")
        present, begins = np.unique(blocks[order], return_index=True)
        for block, places in zip(present, np.split(order, begins[1:]), strict=True):
            part = _empty(places.size)
            _fill(part, seed, int(block), 0, rows[places], seats, predeal)
            hands[places] = part
    if not swap:
        return hands
    # Swap the hands according to the variant of each deal.
    owners = np.array(OWNERS[swap])[numbers % group]
    return np.asfortranarray(np.take_along_axis(hands, owners, axis=1))


def _empty(count: int) -> np.ndarray:
    """Return an array for hands, each seat contiguous."""
    return np.empty((4, count), dtype=np.uint64).T


def _fill(
    hands: np.ndarray,
    seed: int,
    block: int,
    first: int,
    rows: np.ndarray,
    seats: int,
    predeal: Predeal | None,
) -> None:
    """Deal the shuffles of one block from `first` on, or those of `rows`, into `hands`."""
    north, east, south, west = hands.T
    scratch = np.empty((4, CHUNK), dtype=np.uint64)
    shuffles = (np.uint64(first), rows, block_key(seed, block))
    spots = build_spot_tables(predeal) if predeal and predeal.small else None
    predealt = spots.representative if spots else predeal or _PLAIN
    arguments = (north, east, south, west, seats, *shuffles, scratch)
    if predealt.lengths:
        deal_with_lengths(*arguments, *build_length_tables(predealt))
    else:
        deal_cards(*arguments, *build_card_tables(predealt))
    if spots:
        exchange_spot_cards(north, east, south, west, *shuffles, *spots[1:])
    for seat, column in enumerate((north, east, south, west)):
        if not seats & (5, 10)[seat % 2]:
            column[:] = 0


class UniformSource(Source):
    """The uniform stream: every deal that complies with the predeal is equally likely."""

    deals_anywhere = True

    def __init__(self, seed: int, predeal: Predeal | None = None, swap: int = 0) -> None:
        self.seed, self.predeal, self.swap = seed, predeal, swap
        self.description = f"seed {seed}, "

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        def deal() -> Deals:
            hands = deal_range(self.seed, first, count, seats, self.predeal, self.swap)
            return Deals(hands, cluster=self.clusters(first, count), check=False)

        return deal

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        hands = deal_numbered(self.seed, numbers, seats, self.predeal, self.swap)
        return Deals(hands, cluster=deals.cluster, check=False)
