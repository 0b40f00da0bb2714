"""`Deals`: many deals as arrays, with what is known about each beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from dealerkit.cards import html, parsing, text
from dealerkit.cards.companions import COMPANIONS, check_companions, neutral
from dealerkit.cards.deal import Deal
from dealerkit.cards.names import MISSING, seat_number
from dealerkit.errors import ArgumentError, DealError

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 4  # diagrams in a notebook
STEP = 8192  # deals turned into Python objects at once


class Deals:
    """Deals as one array of hands with aligned companions.

    Nothing of it can be replaced after construction. Arrays are taken as they are,
    without a copy where their type fits, in row or column order.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Hands of north, east, south, west; layout in `dealerkit.cards.names`.
    tables : ndarray of int8 [n, 5, 4] or None
        Double-dummy tricks 0 to 13 by strain (S H D C N) and declarer (N E S W); -1: unknown.
    vulnerable : ndarray of int8 [n] or None
        0 none, 1 north-south, 2 east-west, 3 both; -1: unknown.
    dealer : ndarray of int8 [n] or None
        Seat 0 to 3; -1: unknown.
    board : ndarray of int32 [n] or None
        Number of the board; -1: unknown.
    weight : ndarray of float64 [n] or None
        Weight >= 0 in statistics; absent: 1.
    cluster : ndarray of int64 [n] or None
        Number of the shuffle the deal came from when dealing by swapping; absent: every
        deal its own.
    check : bool
        Look at every deal (`check`); False only for hands that are known to be deals.

    Raises
    ------
    DealError
        With the index of the first deal that has not 52 cards, 13 in each hand.
    ArgumentError
        If an array does not fit the others or a companion is out of range.

    Examples
    --------
    >>> deals = Deals.from_pbn(["N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"] * 3)
    >>> deals
    <Deals: 3 deals>
    >>> deals[1:].to_lines()[0]
    'n AKQJ.T98.5432.32 e T98.AKQ.JT98.JT9 s 765.J765.AKQ.AKQ w 432.432.76.87654 '
    >>> hex(deals.hand("north")[0])
    '0x1e0001c0000f0003'
    """

    __slots__ = ("hands", *COMPANIONS)
    hands: np.ndarray
    tables: np.ndarray | None
    vulnerable: np.ndarray | None
    dealer: np.ndarray | None
    board: np.ndarray | None
    weight: np.ndarray | None
    cluster: np.ndarray | None

    def __init__(
        self,
        hands: Any,
        *,
        tables: Any = None,
        vulnerable: Any = None,
        dealer: Any = None,
        board: Any = None,
        weight: Any = None,
        cluster: Any = None,
        check: bool = True,
    ) -> None:
        words = np.asarray(hands, dtype=np.uint64)
        if words.size == 0 and words.ndim == 1:
            words = words.reshape(0, 4)
        if words.ndim != 2 or words.shape[1] != 4:
            raise ArgumentError(f"hands has shape {words.shape}, not (n, 4): north east south west")
        object.__setattr__(self, "hands", words)
        given = (tables, vulnerable, dealer, board, weight, cluster)
        for (name, (kind, shape, *_)), values in zip(COMPANIONS.items(), given, strict=True):
            array: np.ndarray | None = None if values is None else np.asarray(values, dtype=kind)
            wanted = (len(words), *shape)
            if array is not None and array.shape != wanted:
                raise ArgumentError(f"{name} has shape {array.shape}, not {wanted} for {len(words)} deals")
            object.__setattr__(self, name, array)
        if check:
            self.check()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Deals are frozen: {name} cannot be replaced; see Deals.replace")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __reduce__(self) -> tuple:
        return _rebuild, (self.hands, self.companions)

    # ------------------------------------------------------------ as a sequence
    @property
    def companions(self) -> dict[str, np.ndarray]:
        """The companions that are there, by name."""
        return {name: values for name in COMPANIONS if (values := getattr(self, name)) is not None}

    def __len__(self) -> int:
        return len(self.hands)

    @overload
    def __getitem__(self, key: int) -> Deal: ...
    @overload
    def __getitem__(self, key: slice | Sequence | np.ndarray) -> Deals: ...
    def __getitem__(self, key: Any) -> Deal | Deals:
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise IndexError(f"deal {key} of {len(self)}")
            row = int(key) % len(self)
            return next(self._objects(row, row + 1))
        if not isinstance(key, slice):
            key = np.asarray(key)
            if key.size == 0 and key.dtype != bool:
                key = key.astype(np.intp)
            if key.ndim != 1 or key.dtype.kind not in "biu":
                raise IndexError("deals are chosen by an int, a slice, a mask or an array of ints")
            if key.dtype == bool and len(key) != len(self):
                raise IndexError(f"a mask of {len(key)} for {len(self)} deals")
        return Deals(
            _rows(self.hands, key),
            check=False,
            **{name: values[key] for name, values in self.companions.items()},
        )

    def __iter__(self) -> Iterator[Deal]:
        for start in range(0, len(self), STEP):
            yield from self._objects(start, min(start + STEP, len(self)))

    def _objects(self, start: int, stop: int) -> Iterator[Deal]:
        known = []
        for name in ("vulnerable", "dealer", "board"):
            values = getattr(self, name)
            if values is None:
                known.append([None] * (stop - start))
            else:
                known.append([None if value < 0 else value for value in values[start:stop].tolist()])
        rows = zip(self.hands[start:stop].tolist(), *known, strict=True)
        for row, (hands, vulnerable, dealer, board) in enumerate(rows, start):
            if hands[0] == MISSING:
                raise DealError(f"deal {row} is missing")
            yield Deal._of(hands, vulnerable, dealer, board)

    def equals(self, other: object) -> bool:
        """Are these the same cards in the same order, with the same companions?

        A companion that is absent differs from one that is there.
        """
        if not isinstance(other, Deals) or self.companions.keys() != other.companions.keys():
            return False
        return np.array_equal(self.hands, other.hands) and all(
            np.array_equal(values, getattr(other, name)) for name, values in self.companions.items()
        )

    def check(self) -> None:
        """Look at every deal and companion.

        Raises
        ------
        DealError
            With the index of the first deal that has not 52 cards, 13 in each hand, and
            which cards are missing or held twice.
        ArgumentError
            With the first value of a companion that is out of range.
        """
        if found := text.fault(self.hands):
            raise DealError(f"deal {found[0]}: {found[1]}")
        check_companions(self.companions)

    # ------------------------------------------------------------ putting together
    def replace(self, **companions: Any) -> Deals:
        """The same deals with other companions; None takes one away.

        Parameters
        ----------
        **companions
            Any of tables, vulnerable, dealer, board, weight, cluster, as in the constructor.

        Examples
        --------
        >>> deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
        >>> Deals.from_pbn(deal).replace(board=[7])[0].board
        7
        """
        if unknown := companions.keys() - COMPANIONS.keys():
            known = ", ".join(COMPANIONS)
            raise ArgumentError(f"unknown companion {sorted(unknown)[0]!r}; there are {known}")
        changed = Deals(self.hands, check=False, **{**self.companions, **companions})
        check_companions(changed.companions)
        return changed

    @classmethod
    def concatenate(cls, parts: Iterable[Deals]) -> Deals:
        """Deals one after another.

        A companion that only some parts have is filled with its neutral value in the
        others: unknown (-1), weight 1, for clusters a new number for each deal. Numbers of
        clusters are kept: equal numbers in two parts mean the same shuffle.
        """
        parts = list(parts)
        if not parts:
            return cls(np.empty((0, 4), dtype=np.uint64))
        if len(parts) == 1:
            return parts[0]
        joined: dict[str, np.ndarray] = {}
        for name in COMPANIONS:
            arrays = [getattr(part, name) for part in parts]
            if all(array is None for array in arrays):
                continue
            free = 1 + max((int(a.max()) for a in arrays if a is not None and a.size), default=-1)
            for i, part in enumerate(parts):
                if arrays[i] is None:
                    arrays[i] = neutral(name, len(part), free)
                    free += len(part)
            joined[name] = np.concatenate(arrays)
        return cls(np.concatenate([part.hands for part in parts]), check=False, **joined)

    @classmethod
    def from_deals(cls, deals: Iterable[Deal]) -> Deals:
        """Deals from single `Deal` objects, with what is known around any of them."""
        rows = list(deals)
        known: dict[str, np.ndarray] = {}
        for name in ("vulnerable", "dealer", "board"):
            values = [getattr(deal, name) for deal in rows]
            if any(value is not None for value in values):
                known[name] = np.array([-1 if v is None else v for v in values], dtype=COMPANIONS[name][0])
        hands = np.array([deal.hands for deal in rows], dtype=np.uint64).reshape(-1, 4)
        return cls(hands, check=False, **known)

    def rotate(self, opener: int | str = "south", hand: int | str = "north") -> Deals:
        """The same deals, the table turned so that one seat's hand sits at another seat.

        All seats turn by the same number of places, so partners stay partners and everybody
        keeps the same neighbours. A script may describe the opener as north, and the deals be
        practised with the opener in the south.

        Parameters
        ----------
        opener : {0, 1, 2, 3} or str
            Seat that the hand comes to.
        hand : {0, 1, 2, 3} or str
            Seat whose hand it is.

        Returns
        -------
        Deals
            Declarers of `tables`, `vulnerable` (sides change on odd turns) and `dealer` turn
            along; what is unknown stays unknown. `board`, `weight` and `cluster` stay.

        Raises
        ------
        ArgumentError
            For a name that is no seat.

        Examples
        --------
        >>> deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
        >>> turned = Deals.from_pbn(deal).replace(dealer=[0], vulnerable=[1]).rotate(opener="east")
        >>> turned.to_pbn()
        ['N:432.432.76.87654 AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ']
        >>> turned.dealer.tolist(), turned.vulnerable.tolist()  # east, east-west
        ([1], [2])
        """
        places = (seat_number(opener) - seat_number(hand)) % 4
        turned = self.companions
        if self.tables is not None:
            turned["tables"] = np.roll(self.tables, places, axis=2)
        if self.dealer is not None:
            turned["dealer"] = np.where(self.dealer < 0, self.dealer, (self.dealer + places) % 4)
        if self.vulnerable is not None and places % 2:
            turned["vulnerable"] = np.array([0, 2, 1, 3, -1], dtype=np.int8)[self.vulnerable]
        seats = (np.arange(4) - places) % 4  # whose hand each seat gets
        return Deals(self.hands.T[seats].T, check=False, **turned)

    # ------------------------------------------------------------ text
    @classmethod
    def from_pbn(cls, texts: str | Iterable[str]) -> Deals:
        """Deals from texts in the notation of PBN's Deal tag.

        Parameters
        ----------
        texts : str or iterable of str
            ``N:AKQJ.T98.5432.32 T98... 765... 432...``: any first seat, the others
            clockwise; any case; T or 10.

        Raises
        ------
        DealError
            With the index of the first text that is no deal, and why.
        """
        return cls(parsing.parse_pbn([texts] if isinstance(texts, str) else list(texts)))

    def to_pbn(self) -> list[str]:
        """Each deal in the notation of PBN's Deal tag, north first."""
        return text.pbn_texts(self.hands)

    @classmethod
    def from_lines(cls, lines: str | Iterable[str]) -> Deals:
        """Deals from what dealer's printoneline prints.

        Parameters
        ----------
        lines : str or iterable of str
            ``n AKQJ.T98.5432.32 e ... s ... w ...``; a single str may hold many lines.
            A value printed behind a deal is left out, empty lines in a single str too.

        Raises
        ------
        DealError
            With the index of the first line that is no deal, and why.
        """
        if isinstance(lines, str):
            lines = [line for line in lines.splitlines() if line.strip()]
        return cls(parsing.parse_lines(list(lines)))

    def to_lines(self) -> list[str]:
        """Each deal as dealer's printoneline prints it, with the blank at the end, without newline."""
        return text.line_texts(self.hands)

    # ------------------------------------------------------------ asking
    def hand(self, seat: int | str) -> np.ndarray:
        """The hands of one seat, contiguous.

        Parameters
        ----------
        seat : {0, 1, 2, 3} or str
            Number, word or letter of the seat.

        Returns
        -------
        ndarray of uint64 [n]
            A view where hands are in column order, else a copy.
        """
        return np.ascontiguousarray(self.hands[:, seat_number(seat)])

    def eval(self, text: str, dialect: Any = "modern", opener: str | None = None) -> np.ndarray:
        """The value of an expression of the dealer language for each deal, ndarray [n]."""
        from dealerkit.language.frames import evaluate_text

        return evaluate_text(self, text, dialect, opener)

    def where(self, text: str, dialect: Any = "modern") -> Deals:
        """The deals that fulfil a condition of the dealer language, with their companions."""
        from dealerkit.language.frames import select

        return select(self, text, dialect)

    def to_frame(self, *names: str, **expressions: str) -> pd.DataFrame:
        """Measures of the deals as a table, one row for each deal.

        Parameters
        ----------
        *names : str
            Functions of a hand; a column for each seat, such as ``hcp_north``.
        **expressions : str
            Expressions of the dealer language; a column for each, named by its keyword.
        """
        from dealerkit.language.frames import frame_of

        return frame_of(self, names, expressions)

    # ------------------------------------------------------------ showing
    def _summary(self) -> str:
        beside = f", with {', '.join(self.companions)}" if self.companions else ""
        return f"{len(self):,} deal{'' if len(self) == 1 else 's'}{beside}"

    def __repr__(self) -> str:
        return f"<Deals: {self._summary()}>"

    def _repr_html_(self) -> str:
        shown = [html.deal(d.hands, d.vulnerable, d.dealer, d.board) for d in self[:SHOWN]]
        more = len(self) - len(shown)
        caption = self._summary() + (f"; {more:,} more" if more else "")
        return html.fragment(html.side_by_side(shown, caption), repr(self))


def _rows(hands: np.ndarray, key: Any) -> np.ndarray:
    """Rows of hands in the order in memory that the hands have."""
    if isinstance(key, slice) or hands.strides[0] > hands.strides[1]:
        return hands[key]
    return np.take(hands.T, np.flatnonzero(key) if key.dtype == bool else key, axis=1).T


def _rebuild(hands: np.ndarray, companions: dict[str, np.ndarray]) -> Deals:
    return Deals(hands, check=False, **companions)
