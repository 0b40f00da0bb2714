"""Deals in Apache Arrow: an extension type over fixed_size_list<uint64>[4].

A program that does not know this type reads four unsigned integers for each deal.
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
    """Return the Arrow type of a deal; the first call registers it with pyarrow."""
    import pyarrow as pa

    class DealType(pa.ExtensionType):
        def __init__(self) -> None:
            super().__init__(pa.list_(pa.uint64(), 4), NAME)

        def __arrow_ext_serialize__(self) -> bytes:
            return b""

        @classmethod
        def __arrow_ext_deserialize__(cls, storage_type: pa.DataType, serialized: bytes) -> DealType:
            return cls()

        def __hash__(self) -> int:  # pyarrow 17 lacks it, and pandas needs it
            return hash(NAME)

        def to_pandas_dtype(self) -> object:
            import pandas as pd

            return pd.api.types.pandas_dtype("deal")

    deal_type = DealType()
    pa.register_extension_type(deal_type)
    return deal_type


def to_arrow(hands: np.ndarray) -> pa.ExtensionArray:
    """Return hands, uint64 [n, 4], as an Arrow array; a missing deal (all bits set) becomes four nulls.

    It is not a single null, because pyarrow up to 24 cannot write Parquet files with nulls among lists of
    fixed size, and pyarrow 25 cannot read them.
    """
    import pyarrow as pa

    missing = np.repeat(hands[:, 0] == np.uint64(MISSING), 4)
    words = np.ascontiguousarray(hands, dtype=np.uint64).ravel()
    numbers = pa.array(words, type=pa.uint64(), mask=missing if missing.any() else None)
    return pa.ExtensionArray.from_storage(arrow_type(), pa.FixedSizeListArray.from_arrays(numbers, 4))


def from_arrow(array: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Return the hands of an Arrow array as uint64 [n, 4], writable.

    Null, or four nulls, becomes a missing deal. The type is `arrow_type` or fixed_size_list<uint64>[4].
    """
    import pyarrow as pa

    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    hands = np.empty((len(array), 4), dtype=np.uint64)
    row = 0
    for chunk in chunks:
        storage = chunk.storage if isinstance(chunk, pa.ExtensionArray) else chunk
        part = hands[row : row + len(storage)]
        words = storage.values  # the whole buffer, even for a slice
        if words.null_count:  # otherwise numpy gets rounded floats
            words = words.fill_null(MISSING)
        words = words.to_numpy(zero_copy_only=False)
        part[:] = words[4 * storage.offset : 4 * (storage.offset + len(storage))].reshape(-1, 4)
        if storage.null_count:
            part[storage.is_null().to_numpy(zero_copy_only=False)] = MISSING
        row += len(storage)
    return hands
