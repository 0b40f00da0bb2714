"""Deals as a column of pandas: the dtype ``deal``, arrays of it, and the accessor ``.dealer``.

Importing this module registers the dtype and the accessor with pandas. Only this module of the package
imports pandas at module level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from pandas.api.extensions import (
    ExtensionArray,
    ExtensionDtype,
    register_dataframe_accessor,
    register_extension_dtype,
    register_series_accessor,
)
from pandas.api.indexers import check_array_indexer

from dealerkit.arguments import check_truth
from dealerkit.cards.accessor import FrameAccessor, SeriesAccessor
from dealerkit.cards.arrow import from_arrow, to_arrow
from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.frames import format_cell
from dealerkit.cards.names import MISSING
from dealerkit.cards.sequence import default_column, next_cluster
from dealerkit.errors import quote

if TYPE_CHECKING:
    import pyarrow as pa
# Parsed instead of a missing text, so that errors have the right row numbers.
_ANY_DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


@register_extension_dtype
class DealDtype(ExtensionDtype):
    """The dtype of a column of deals; its name in pandas is ``deal``.

    Examples
    --------
    >>> pd.Series([None], dtype="deal").dtype
    DealDtype()
    """

    name = "deal"
    type = Deal
    na_value = pd.NA

    @classmethod
    def construct_array_type(cls) -> Any:
        """Return `DealArray`."""
        return DealArray

    def __repr__(self) -> str:
        return "DealDtype()"

    def __from_arrow__(self, array: pa.Array | pa.ChunkedArray) -> DealArray:
        return DealArray(Deals(from_arrow(array), check=False), copy=False)


class DealArray(ExtensionArray):
    """A column of deals, some of which may be missing, for pandas.

    In a column, two deals are equal if their hands are equal. Deals are sorted by their hands as numbers,
    north first. Attached columns (tables, vulnerability ...) are selected, copied and concatenated together
    with the deals; assigning to an element also assigns its values in the attached columns that the array
    has.

    Parameters
    ----------
    deals : Deals, or iterable of Deal, str (PBN) and missing values (None, nan, NA, an empty text)
    copy : bool
        Copy the arrays of a `Deals`. If False, assignments to the column change them.

    Raises
    ------
    DealError
        A text is not a deal; the message gives its index.
    TypeError
        An element is neither a deal, a text nor a missing value.

    Examples
    --------
    >>> text = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
    >>> column = DealArray([text, None])
    >>> column.isna().tolist()
    [False, True]
    >>> column[0].hand("south")
    '765.J765.AKQ.AKQ'
    """

    def __init__(self, deals: Deals | Iterable[Any], copy: bool = True) -> None:
        if not isinstance(deals, Deals):
            deals, copy = _convert_to_deals(deals), False
        if check_truth("copy", copy):
            columns = {name: values.copy() for name, values in deals.attached.items()}
            deals = Deals(deals.hands.copy(order="K"), check=False, **columns)
        self._deals = deals

    @classmethod
    def _from_sequence(cls, scalars: Any, *, dtype: Any = None, copy: bool = False) -> DealArray:
        if isinstance(scalars, cls):
            return cls(scalars._deals, copy=copy)
        return cls(scalars, copy=copy)

    @classmethod
    def _from_sequence_of_strings(cls, strings: Any, *, dtype: Any = None, copy: bool = False) -> DealArray:
        return cls(strings)

    @classmethod
    def _from_factorized(cls, values: np.ndarray, original: DealArray) -> DealArray:
        raw = b"".join(b"\xff" * 32 if pd.isna(value) else value.ljust(32, b"\0") for value in values)
        words = np.frombuffer(raw, dtype=">u8").astype(np.uint64).reshape(-1, 4)
        return cls(Deals(words, check=False), copy=False)

    @classmethod
    def _concat_same_type(cls, to_concat: Sequence[DealArray]) -> DealArray:
        return cls(Deals.concatenate([part._deals for part in to_concat]), copy=len(to_concat) == 1)

    @property
    def deals(self) -> Deals:
        """The deals, which share memory with the column; the hands of missing deals have all bits set."""
        return self._deals

    @property
    def dtype(self) -> DealDtype:
        """The dtype, `DealDtype`."""
        return DealDtype()

    @property
    def nbytes(self) -> int:
        """Number of bytes of the hands and attached columns."""
        return self._deals.hands.nbytes + sum(values.nbytes for values in self._deals.attached.values())

    def __len__(self) -> int:
        return len(self._deals)

    def __repr__(self) -> str:
        first = "".join(map(str, self[:1])) + ", ..." * (len(self) > 1)
        return f"<DealArray>\n[{first}]\nLength: {len(self)}, dtype: deal"

    def isna(self) -> np.ndarray:
        """Return which deals are missing, bool [n]."""
        return np.asarray(self._deals.hands[:, 0] == np.uint64(MISSING))

    def __iter__(self) -> Iterator[Any]:
        missing = self.isna()
        if not missing.any():
            return iter(self._deals)
        present = iter(self._deals[~missing])
        return iter([pd.NA if is_missing else next(present) for is_missing in missing])

    def __getitem__(self, item: Any) -> Any:
        item = _without_ellipsis(item)
        if isinstance(item, int | np.integer):
            if self._deals.hands[item, 0] == np.uint64(MISSING):
                return pd.NA
            return self._deals[int(item)]
        if not isinstance(item, slice):
            if not pd.api.types.is_list_like(item):
                raise IndexError(
                    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
                    "boolean arrays are valid indices"
                )
            item = check_array_indexer(self, item)
        part = type(self)(self._deals[item], copy=False)
        if isinstance(item, slice) and getattr(self, "_readonly", False):
            part._readonly = True
        return part

    def __setitem__(self, key: Any, value: Any) -> None:
        if getattr(self, "_readonly", False):
            raise ValueError("Cannot modify read-only array")
        key = check_array_indexer(self, _without_ellipsis(key))
        is_scalar = isinstance(value, Deal | str) or not pd.api.types.is_list_like(value)
        new = _convert_to_deals([value]) if is_scalar else self._from_sequence(value)._deals
        rows = 0 if is_scalar else slice(None)
        self._deals.hands[key] = new.hands[rows]
        for name, values in self._deals.attached.items():
            column = getattr(new, name)
            if column is None:
                column = default_column(name, len(new), next_cluster([values]) if name == "cluster" else 0)
            values[key] = column[rows]

    def take(self, indices: Any, *, allow_fill: bool = False, fill_value: Any = None) -> DealArray:
        """Return deals by position; with `allow_fill`, -1 stands for `fill_value` (missing by default)."""
        positions = np.asarray(indices, dtype=np.intp)
        if not allow_fill:
            if len(positions) and not len(self):
                raise IndexError("cannot do a non-empty take from an empty axes.")
            return type(self)(self._deals[positions], copy=False)
        if (positions < -1).any():
            raise ValueError("with allow_fill, positions are 0 or more, or -1 for the fill value")
        is_filled = positions == -1
        if not len(self) and not is_filled.all():
            raise IndexError("cannot do a non-empty take from an empty axes.")
        source = self if len(self) else type(self)([None])
        taken = type(self)(source._deals[np.where(is_filled, 0, positions)], copy=False)
        if is_filled.any():
            taken[is_filled] = fill_value
        return taken

    def copy(self) -> DealArray:
        """Return a copy with its own memory."""
        return type(self)(self._deals, copy=True)

    def _keys(self) -> np.ndarray:
        """Return the hands as byte strings that sort as the numbers do, S32 [n]."""
        return np.ascontiguousarray(self._deals.hands, dtype=">u8").view("S32").ravel()

    def __eq__(self, other: object) -> Any:
        if isinstance(other, pd.Series | pd.Index | pd.DataFrame):
            return NotImplemented
        if isinstance(other, Deal):
            return (self._deals.hands == np.array(other.hands, dtype=np.uint64)).all(axis=1)
        if not pd.api.types.is_list_like(other):
            return np.zeros(len(self), dtype=bool)
        values: Any = other
        if len(values) != len(self):
            raise ValueError(f"Lengths must match: {len(self)} and {len(values)}")
        if not isinstance(values, DealArray):
            rows = zip(self._deals.hands.tolist(), values, strict=True)
            return np.array([isinstance(b, Deal) and tuple(a) == b.hands for a, b in rows], dtype=bool)
        return (self._deals.hands == values._deals.hands).all(axis=1) & ~self.isna()

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else ~same

    def equals(self, other: object) -> bool:
        """Return whether the other column has the same hands and missing deals in the same order."""
        return isinstance(other, DealArray) and np.array_equal(self._deals.hands, other._deals.hands)

    def _values_for_argsort(self) -> np.ndarray:
        return self._keys()

    def _values_for_factorize(self) -> tuple[np.ndarray, Any]:
        keys = self._keys().astype(object)
        keys[self.isna()] = np.nan
        return keys, np.nan

    def factorize(self, use_na_sentinel: bool = True) -> tuple[np.ndarray, DealArray]:
        """Return the index of each deal in the distinct deals, and these in order of appearance."""
        codes, distinct = pd.factorize(self._values_for_factorize()[0], use_na_sentinel=use_na_sentinel)
        first = np.zeros(len(distinct), dtype=np.intp)
        rows = np.flatnonzero(codes >= 0)[::-1]  # descending: numpy keeps the last value assigned
        first[codes[rows]] = rows
        return codes, self.take(first)

    def unique(self) -> DealArray:
        """Return the distinct deals in order of appearance."""
        return self.factorize(use_na_sentinel=False)[1]

    def duplicated(self, keep: Any = "first") -> np.ndarray:
        """Return which deals are equal to another one, bool [n]; `keep` as in pandas."""
        return np.asarray(pd.Series(self.factorize(False)[0]).duplicated(keep=keep).to_numpy())

    def value_counts(self, dropna: bool = True) -> pd.Series:
        """Return the number of occurrences of each distinct deal, in order of appearance."""
        codes, distinct = self.factorize(use_na_sentinel=dropna)
        counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
        return pd.Series(counts, index=pd.Index(distinct), name="count", dtype="Int64")

    def isin(self, values: Any) -> np.ndarray:
        """Return which deals are among `values`, bool [n]."""
        return np.isin(self._keys(), self._from_sequence(values)._keys())

    def searchsorted(self, value: Any, side: Any = "left", sorter: Any = None) -> Any:
        """Return the positions at which deals must be inserted to keep the order."""
        is_scalar = isinstance(value, Deal | str)
        keys = self._from_sequence([value] if is_scalar else value)._keys()
        return np.searchsorted(self._keys(), keys[0] if is_scalar else keys, side=side, sorter=sorter)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("a column of deals can be converted to an array of objects only by copying")
        objects = np.empty(len(self), dtype=object)
        objects[:] = list(self)
        return objects if dtype is None else objects.astype(dtype, copy=False)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Return the column with another dtype; a text dtype gives PBN text."""
        target = pd.api.types.pandas_dtype(dtype)
        if isinstance(target, DealDtype):
            return self.copy() if copy else self
        if isinstance(target, pd.StringDtype) or getattr(target, "kind", "") == "U":
            texts = self._texts()
            if isinstance(target, pd.StringDtype):
                return target.construct_array_type()._from_sequence(texts, dtype=target)
            return texts
        return super().astype(target, copy=copy)

    def _texts(self) -> np.ndarray:
        """Return the deals as PBN text, or NA: objects [n]."""
        missing = self.isna()
        texts = np.full(len(self), pd.NA, dtype=object)
        texts[~missing] = self._deals[~missing].to_pbn()
        return texts

    def _values_for_json(self) -> np.ndarray:
        return self._texts()

    def _formatter(self, boxed: bool = False) -> Callable[[Any], str]:
        return format_cell if boxed else str

    def __arrow_array__(self, type: Any = None) -> Any:
        array = to_arrow(self._deals.hands)
        return array if type is None or type == array.type else array.storage.cast(type)


def _convert_to_deals(values: Iterable[Any]) -> Deals:
    """Return `Deals` from any mixture of `Deal` objects, texts and missing values."""
    values = list(values)
    missing = np.array([_is_missing(value) for value in values], dtype=bool)
    filled = [_ANY_DEAL if is_missing else v for v, is_missing in zip(values, missing, strict=True)]
    for value in filled:
        if not isinstance(value, Deal | str):
            raise TypeError(f"a column of deals holds deals and texts in PBN, not {quote(value)}")
    if any(isinstance(value, Deal) for value in filled):
        deals = Deals.from_deals([value if isinstance(value, Deal) else Deal(value) for value in filled])
    else:
        deals = Deals.from_pbn(filled)
    deals.hands[missing] = MISSING
    for name, column in deals.attached.items():
        column[missing] = default_column(name, 1)[0]
    return deals


def _is_missing(value: Any) -> bool:
    """Return whether a value is missing; an empty text counts as missing, as in CSV files."""
    is_text = isinstance(value, str)
    return not value.strip() if is_text else pd.api.types.is_scalar(value) and bool(pd.isna(value))


def _without_ellipsis(key: Any) -> Any:
    """Return k for the keys ``[..., k]`` and ``[k, ...]``, which are equivalent to it in one dimension."""
    if key is Ellipsis:
        return slice(None)
    if isinstance(key, tuple):
        rest = [part for part in key if part is not Ellipsis]
        if len(rest) > 1:
            raise IndexError("a column of deals has one dimension")
        return rest[0] if rest else slice(None)
    return key


register_dataframe_accessor("dealer")(FrameAccessor)
register_series_accessor("dealer")(SeriesAccessor)
