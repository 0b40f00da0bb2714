"""Hands in Arrow: an extension type over fixed_size_list<uint64>[4].

A program that does not know the type sees four unsigned words for each deal.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.names import MISSING

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "dealerkit.deal"


@functools.cache
def arrow_type() -> pa.ExtensionType:
    """The Arrow type of a deal, registered with pyarrow when first asked for."""
    import pyarrow as pa

    class DealType(pa.ExtensionType):
        def __init__(self) -> None:
            super().__init__(pa.list_(pa.uint64(), 4), NAME)

        def __arrow_ext_serialize__(self) -> bytes:
            return b""

        @classmethod
        def __arrow_ext_deserialize__(cls, storage_type: pa.DataType, serialized: bytes) -> DealType:
            return cls()

        def to_pandas_dtype(self) -> object:
            from dealerkit.cards.array import DealDtype

            return DealDtype()

    kind = DealType()
    pa.register_extension_type(kind)
    return kind


def to_arrow(hands: np.ndarray) -> pa.ExtensionArray:
    """Hands as an Arrow array; rows of missing deals (all bits set) become null.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
    """
    import pyarrow as pa

    missing = hands[:, 0] == np.uint64(MISSING)
    words = pa.array(np.ascontiguousarray(hands, dtype=np.uint64).ravel(), type=pa.uint64())
    storage = pa.FixedSizeListArray.from_arrays(words, 4, mask=pa.array(missing) if missing.any() else None)
    return pa.ExtensionArray.from_storage(arrow_type(), storage)


def from_arrow(array: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Hands of an Arrow array, uint64 [n, 4], writable; null becomes a missing deal.

    Parameters
    ----------
    array : pyarrow Array or ChunkedArray
        Of `arrow_type` or of fixed_size_list<uint64>[4].
    """
    import pyarrow as pa

    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    hands = np.empty((len(array), 4), dtype=np.uint64)
    row = 0
    for chunk in chunks:
        storage = chunk.storage if isinstance(chunk, pa.ExtensionArray) else chunk
        part = hands[row : row + len(storage)]
        words = storage.values  # all of the buffer, also behind a slice
        if words.null_count:  # else numpy would get them as floating point numbers, rounded
            words = words.fill_null(MISSING)
        words = words.to_numpy(zero_copy_only=False)
        part[:] = words[4 * storage.offset : 4 * (storage.offset + len(storage))].reshape(-1, 4)
        if storage.null_count:
            part[storage.is_null().to_numpy(zero_copy_only=False)] = MISSING
        row += len(storage)
    return hands
