"""The shapes of hands and of sides in a fixed order, suit lengths in 16 bits, and the lengths of holdings."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

HOLDING_LENGTHS = np.bitwise_count(np.arange(8192, dtype=np.uint16))
HOLDING_LENGTHS.flags.writeable = False


@lru_cache(maxsize=2)
def list_shapes(n_cards: int) -> np.ndarray:
    """Return the shapes of `n_cards` cards: lengths of the suits, rising as tuples (spades change last).

    Parameters
    ----------
    n_cards : {13, 26}
        A hand, or the two hands of a side.

    Returns
    -------
    ndarray of uint8 [560, 4] or [1834, 4], read-only

    Examples
    --------
    >>> list_shapes(13)[:3].tolist(), len(list_shapes(26))
    ([[0, 0, 0, 13], [0, 0, 1, 12], [0, 0, 2, 11]], 1834)
    """
    grid = np.indices((14, 14, 14)).reshape(3, -1).T
    last = n_cards - grid.sum(1)
    possible = (last >= 0) & (last <= 13)
    shapes: np.ndarray = np.column_stack([grid, last])[possible].astype(np.uint8)
    shapes.flags.writeable = False
    return shapes


@lru_cache(maxsize=2)
def shape_index(n_cards: int) -> np.ndarray:
    """Return the index into `list_shapes` by the lengths of three suits: int16 [4096], -1 without a shape.

    >>> int(shape_index(13)[4 << 8 | 4 << 4 | 3]) == list_shapes(13).tolist().index([4, 4, 3, 2])
    True
    """
    shapes = list_shapes(n_cards)
    index = np.full(1 << 12, -1, dtype=np.int16)
    index[pack_lengths(shapes) >> 4] = np.arange(len(shapes))
    index.flags.writeable = False
    return index


@lru_cache(maxsize=2)
def count_hands_by_shape(n_cards: int) -> np.ndarray:
    """Return the number of hands, or of sides, of each of `list_shapes`: int64 [560] or [1834], read-only.

    >>> int(count_hands_by_shape(13).sum())
    635013559600
    """
    numbers: np.ndarray = np.array([comb(13, length) for length in range(14)])[list_shapes(n_cards)].prod(
        axis=1
    )
    numbers.flags.writeable = False
    return numbers


def pack_lengths(lengths: np.ndarray) -> NDArray[np.uint16]:
    """Return lengths S H D C of the last axis as uint16, four bits each, clubs lowest."""
    s, h, d, c = np.moveaxis(lengths.astype(np.uint16), -1, 0)
    packed: NDArray[np.uint16] = s << 12 | h << 8 | d << 4 | c
    return packed


def unpack_lengths(lengths: np.ndarray) -> NDArray[np.int64]:
    """Return lengths S H D C, int64 [n, 4], of uint16 [n]."""
    unpacked: NDArray[np.int64] = lengths[:, None].astype(np.int64) >> np.array([12, 8, 4, 0]) & 15
    return unpacked


SHAPES = list_shapes(13)  # uint8 [560, 4], in the order of the language's bit sets of shapes
SHAPE_INDEX = shape_index(13)  # int16 [4096]: spades << 8 | hearts << 4 | diamonds; -1: no shape
