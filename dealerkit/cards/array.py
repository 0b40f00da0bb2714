"""Deals as a pandas column: dtype ``deal``, arrays of it, and the accessor ``.dealer``.

This is the only file that imports pandas at its top; importing it makes the dtype and
the accessor known to pandas.
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

from dealerkit.cards.accessor import FrameAccessor, SeriesAccessor
from dealerkit.cards.arrow import from_arrow, to_arrow
from dealerkit.cards.attached_columns import default_column
from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import MISSING

if TYPE_CHECKING:
    import pyarrow as pa

# Stands where a text is missing while the others are parsed, so that errors count rows rightly.
_ANY_DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


@register_extension_dtype
class DealDtype(ExtensionDtype):
    """The dtype of a column of deals; its name for pandas is ``deal``.

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
        """`DealArray`."""
        return DealArray

    def __repr__(self) -> str:
        return "DealDtype()"

    def __from_arrow__(self, array: pa.Array | pa.ChunkedArray) -> DealArray:
        return DealArray(Deals(from_arrow(array), check=False), copy=False)


class DealArray(ExtensionArray):
    """A column of deals, a few of which may be missing.

    In a column two deals are equal when their cards are, and they are sorted by their
    hands as numbers, north first. Attached columns of the deals (tables, vulnerability ...)
    travel with them; an element that is set takes over those that the column has.

    Parameters
    ----------
    deals : Deals, or sequence of Deal, str (PBN) and missing values
    copy : bool
        Copy the arrays of a `Deals`. False: writing into the column writes into them.

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
            deals, copy = _deals_of(deals), False
        if copy:
            beside = {name: values.copy() for name, values in deals.attached.items()}
            deals = Deals(deals.hands.copy(order="K"), check=False, **beside)
        self._deals = deals

    # ------------------------------------------------------------ made from
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
        missing = _missing(1)[0].tobytes()
        raw = b"".join(missing if pd.isna(value) else value.ljust(32, b"\0") for value in values)
        words = np.frombuffer(raw, dtype=">u8").astype(np.uint64).reshape(-1, 4)
        return cls(Deals(words, check=False), copy=False)

    @classmethod
    def _concat_same_type(cls, to_concat: Sequence[DealArray]) -> DealArray:
        return cls(Deals.concatenate([part._deals for part in to_concat]), copy=len(to_concat) == 1)

    # ------------------------------------------------------------ what it is
    @property
    def deals(self) -> Deals:
        """The deals, sharing memory with the column; missing ones have all bits set."""
        return self._deals

    @property
    def dtype(self) -> DealDtype:
        """`DealDtype`."""
        return DealDtype()

    @property
    def nbytes(self) -> int:
        """Bytes of the hands and attached columns."""
        return self._deals.hands.nbytes + sum(values.nbytes for values in self._deals.attached.values())

    def __len__(self) -> int:
        return len(self._deals)

    def isna(self) -> np.ndarray:
        """Which deals are missing, bool [n]."""
        return self._deals.hands[:, 0] == np.uint64(MISSING)

    def __iter__(self) -> Iterator[Any]:
        missing = self.isna()
        if not missing.any():
            return iter(self._deals)
        there = iter(self._deals[~missing])
        return iter([pd.NA if absent else next(there) for absent in missing])

    # ------------------------------------------------------------ reading and writing
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
        one = isinstance(value, Deal | str) or not pd.api.types.is_list_like(value)
        new = _deals_of([value]) if one else self._from_sequence(value)._deals
        pick = (lambda rows: rows[0]) if one else (lambda rows: rows)
        self._deals.hands[key] = pick(new.hands)
        for name, values in self._deals.attached.items():
            fresh = getattr(new, name)
            if fresh is None:
                fresh = default_column(name, len(new), first_cluster=1 + int(values.max(initial=-1)))
            values[key] = pick(fresh)

    def take(self, indices: Any, *, allow_fill: bool = False, fill_value: Any = None) -> DealArray:
        """Deals by position; with `allow_fill`, -1 stands for `fill_value` (missing unless given)."""
        places = np.asarray(indices, dtype=np.intp)
        if not allow_fill:
            if len(places) and not len(self):
                raise IndexError("cannot do a non-empty take from an empty axes.")
            return type(self)(self._deals[places], copy=False)
        if (places < -1).any():
            raise ValueError("with allow_fill, positions are 0 or more, or -1 for the fill value")
        absent = places == -1
        if not len(self) and not absent.all():
            raise IndexError("cannot do a non-empty take from an empty axes.")
        source = self if len(self) else type(self)(Deals(_missing(1), check=False), copy=False)
        taken = type(self)(source._deals[np.where(absent, 0, places)], copy=False)
        if absent.any():
            taken[absent] = fill_value
        return taken

    def copy(self) -> DealArray:
        """A column with memory of its own."""
        return type(self)(self._deals, copy=True)

    # ------------------------------------------------------------ comparing, sorting, grouping
    def _keys(self) -> np.ndarray:
        """The hands as byte strings in the order of the numbers, S32 [n]."""
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
        """The same cards in the same order, missing where the other is missing?"""
        return isinstance(other, DealArray) and np.array_equal(self._deals.hands, other._deals.hands)

    def _values_for_argsort(self) -> np.ndarray:
        return self._keys()

    def _values_for_factorize(self) -> tuple[np.ndarray, Any]:
        keys = self._keys().astype(object)
        keys[self.isna()] = np.nan
        return keys, np.nan

    def factorize(self, use_na_sentinel: bool = True) -> tuple[np.ndarray, DealArray]:
        """Numbers of the distinct deals in order of appearance, and those deals, first of each kept."""
        codes, distinct = pd.factorize(self._values_for_factorize()[0], use_na_sentinel=use_na_sentinel)
        first = np.zeros(len(distinct), dtype=np.intp)
        rows = np.flatnonzero(codes >= 0)[::-1]
        first[codes[rows]] = rows  # the last assignment, of the first row, stays
        return codes, self.take(first)

    def unique(self) -> DealArray:
        """The distinct deals in order of appearance."""
        return self.factorize(use_na_sentinel=False)[1]

    def duplicated(self, keep: Any = "first") -> np.ndarray:
        """Which deals have the cards of another one, bool [n]."""
        return pd.Series(self.factorize(use_na_sentinel=False)[0]).duplicated(keep=keep).to_numpy()

    def value_counts(self, dropna: bool = True) -> pd.Series:
        """How often each of the distinct deals comes, in order of appearance."""
        codes, distinct = self.factorize(use_na_sentinel=dropna)
        counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
        return pd.Series(counts, index=pd.Index(distinct), name="count", dtype="Int64")

    def isin(self, values: Any) -> np.ndarray:
        """Which deals have the cards of one of these, bool [n]."""
        return np.isin(self._keys(), self._from_sequence(values)._keys())

    def searchsorted(self, value: Any, side: Any = "left", sorter: Any = None) -> Any:
        """Where deals would have to stand to keep the order."""
        one = isinstance(value, Deal | str)
        keys = self._from_sequence([value] if one else value)._keys()
        return np.searchsorted(self._keys(), keys[0] if one else keys, side=side, sorter=sorter)

    # ------------------------------------------------------------ turning into something else
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("a column of deals becomes an array of objects only by a copy")
        objects = np.empty(len(self), dtype=object)
        objects[:] = list(self)
        return objects if dtype is None else objects.astype(dtype, copy=False)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """The column with another dtype; a text dtype gives PBN."""
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
        missing = self.isna()
        texts = np.full(len(self), pd.NA, dtype=object)
        texts[~missing] = self._deals[~missing].to_pbn()
        return texts

    def _values_for_json(self) -> np.ndarray:
        return self._texts()

    def _formatter(self, boxed: bool = False) -> Callable[[Any], str]:
        return lambda deal: deal.pbn if isinstance(deal, Deal) else str(deal)

    def __arrow_array__(self, type: Any = None) -> Any:
        array = to_arrow(self._deals.hands)
        return array if type is None or type == array.type else array.storage.cast(type)


def _missing(count: int) -> np.ndarray:
    return np.full((count, 4), MISSING, dtype=np.uint64)


def _deals_of(values: Iterable[Any]) -> Deals:
    """Deals of Deal objects, texts and missing values, in any mixture."""
    values = list(values)
    absent = np.array([not isinstance(v, Deal | str) and bool(pd.isna(v)) for v in values], dtype=bool)
    for value, is_absent in zip(values, absent, strict=True):
        if not is_absent and not isinstance(value, Deal | str):
            kind = type(value).__name__
            raise TypeError(f"a column of deals holds deals and texts in PBN, not {kind} ({value!r})")
    filled = [_ANY_DEAL if is_absent else value for value, is_absent in zip(values, absent, strict=True)]
    if any(isinstance(value, Deal) for value in filled):
        deals = Deals.from_deals([value if isinstance(value, Deal) else Deal(value) for value in filled])
    else:
        deals = Deals.from_pbn(filled)
    deals.hands[absent] = MISSING
    for name, column in deals.attached.items():
        column[absent] = default_column(name, 1)[0]
    return deals


def _without_ellipsis(key: Any) -> Any:
    """``[..., k]`` and ``[k, ...]`` mean ``[k]`` in one dimension."""
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
