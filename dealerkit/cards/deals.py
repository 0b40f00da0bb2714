"""`Deals`: many deals as arrays with attached columns."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.arguments import Params
from dealerkit.cards import parsing, text
from dealerkit.cards.boards import BoardSequence
from dealerkit.cards.card_arrays import CardArrays
from dealerkit.cards.pages import DealPages
from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    import pandas as pd


def _list_texts(texts: Any) -> list[Any]:
    """Return the elements of an iterable, or raise ArgumentError."""
    if not isinstance(texts, Iterable) or not getattr(texts, "shape", True):
        raise ArgumentError(f"{texts!r:.60} holds no texts; give a str or several in a list")
    return list(texts)


class Deals(DealPages, BoardSequence, CardArrays):
    """Deals as one array of hands with attached columns, in which each row belongs to one deal.

    Attributes cannot be replaced after construction; see `replace`. Arrays of the right dtype are not
    copied and may be in row or column order. ``len``, iteration and indexing work as for a sequence: an int
    gives a `Deal`; a slice, a mask or an array of ints gives `Deals` with their attached columns.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Hands of north, east, south and west: 16 bits for each suit, spades highest, clubs lowest; of these
        bit 12 is the ace, bit 0 the deuce.
    tables : ndarray of int8 [n, 5, 4] or None
        Double-dummy tricks 0 to 13 by strain (S H D C N) and declarer (N E S W); -1: unknown.
    vulnerable : ndarray of int8 [n] or None
        0 none, 1 north-south, 2 east-west, 3 both; -1: unknown.
    dealer : ndarray of int8 [n] or None
        Seat 0 to 3; -1: unknown.
    board : ndarray of int32 [n] or None
        Number of the board; -1: unknown.
    weight : ndarray of float64 [n] or None
        Weight in statistics, 0 or more; None: 1 for each deal.
    cluster : ndarray of int64 [n] or None
        Number of the shuffle that the deal is from, when hands are swapped; None: each deal is from a shuffle
        of its own.
    check : bool
        Check all deals and columns (see `DealSequence.check`). False is for arrays that are valid.

    Raises
    ------
    DealError
        If a deal has not 52 different cards, 13 in each hand; the message has the index of the first.
    ArgumentError
        If an array has a wrong shape or a value out of range.

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

    __slots__ = ()

    @classmethod
    def from_pbn(cls, texts: str | Iterable[str]) -> Deals:
        """Return the deals of texts in the notation of PBN's Deal tag.

        Parameters
        ----------
        texts : str or iterable of str
            ``N:AKQJ.T98.5432.32 T98... 765... 432...``: any first seat, the others
            clockwise; any case; T or 10.

        Raises
        ------
        DealError
            If a text is not a deal; the message has the index of the first one and the reason.
        ArgumentError
            If `texts` is neither a str nor an iterable.
        """
        return cls(parsing.parse_pbn([texts] if isinstance(texts, str) else _list_texts(texts)))

    def to_pbn(self) -> list[str]:
        """Return each deal in the notation of PBN's Deal tag, north first."""
        return text.format_pbn(self.hands)

    @classmethod
    def from_lines(cls, lines: str | Iterable[str]) -> Deals:
        """Return the deals of lines of dealer's printoneline.

        Parameters
        ----------
        lines : str or iterable of str
            ``n AKQJ.T98.5432.32 e ... s ... w ...``; a single str may have many lines. Ignored are a value
            after the deal, and empty lines of a single str.

        Raises
        ------
        DealError
            If a line is not a deal; the message has the index of the first one and the reason.
        ArgumentError
            If `lines` is neither a str nor an iterable.
        """
        if isinstance(lines, str):
            lines = [line for line in lines.splitlines() if line.strip()]
        return cls(parsing.parse_lines(lines if isinstance(lines, list) else _list_texts(lines)))

    def to_lines(self) -> list[str]:
        """Return each deal as dealer's printoneline prints it, with the blank at the end, without newline."""
        return text.format_lines(self.hands)

    def eval(
        self,
        text: str | os.PathLike[str],
        dialect: str = "modern",
        opener: int | str | None = None,
        params: Params = (),
        vulnerable: int | str | bool | None = None,
    ) -> np.ndarray:
        """Return the value of an expression of the dealer language for each deal.

        Parameters
        ----------
        text : str or os.PathLike
            One expression, which may follow definitions of variables, or the path of its file.
        dialect : {"modern", "v1", "v2"}
            Dialect of the expression.
        opener : int or str, optional
            Seat that opens, for measures that depend on it (`opc`); None: south and west, as in DealerV2.
        params : mapping or sequence
            Values of script variables: ``{"low": 15}`` is the value of ``$low``; see `dealerkit.run`.
        vulnerable : {"none", "ns", "ew", "both", "all"}, int 0 to 3 or bool, optional
            Vulnerability of calls of `par` that name none.

        Returns
        -------
        ndarray [n]
            bool for comparisons and logical operations, otherwise integers or float64, in the unit of the
            function (`dealerkit.functions`); integers in hundredths only in dialects v1 and v2.

        Raises
        ------
        ScriptError
            If the expression cannot be read; the message has the position of the mistake.
        EvaluationError
            If a deal has no value, as in a division by zero; the message has the index of the first one.
        ArgumentError
            If `text` is no text or path, `dialect` or `opener` unknown, or a value of `params` not used.

        Examples
        --------
        >>> deals = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
        >>> deals.eval("hcp(north) + hcp(south)").tolist(), deals.eval("spades(north) == 4").tolist()
        ([29], [True])
        """
        from dealerkit.compiler.frames import evaluate_text

        return evaluate_text(self, text, dialect=dialect, opener=opener, params=params, vulnerable=vulnerable)

    def where(
        self,
        text: str | os.PathLike[str],
        dialect: str = "modern",
        opener: int | str | None = None,
        params: Params = (),
        vulnerable: int | str | bool | None = None,
    ) -> Deals:
        """Return the deals that meet a condition of the dealer language, with their attached columns.

        Parameters
        ----------
        text : str or os.PathLike
            An expression as in `eval`; any value except 0 is true.
        dialect, opener, params, vulnerable
            As in `eval`.

        Returns
        -------
        Deals
            A copy, in the same order.

        Raises
        ------
        ScriptError, EvaluationError, ArgumentError
            As `eval`.

        Examples
        --------
        >>> deals = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
        >>> deals.where("hcp(south) >= 20")
        <Deals: 0 deals>
        >>> deals.where("hcp(south) >= $low", params={"low": 19})
        <Deals: 1 deal>
        """
        from dealerkit.compiler.frames import select_deals

        return select_deals(self, text, dialect=dialect, opener=opener, params=params, vulnerable=vulnerable)

    def to_frame(
        self,
        *names: str,
        layout: str = "wide",
        dialect: str = "modern",
        opener: int | str | None = None,
        params: Params = (),
        vulnerable: int | str | bool | None = None,
        **expressions: str,
    ) -> pd.DataFrame:
        """Return measures of the deals as a table with one row for each deal, or for each deal and seat.

        Parameters
        ----------
        *names : str
            Functions of a hand, with a column for each seat, or of a side, with a column for each side:
            ``hcp`` gives ``hcp_north hcp_east hcp_south hcp_west``, ``fit`` gives ``fit_ns fit_ew``,
            ``shape`` the pattern of each hand as a category. ``hcp_north`` gives only that column.
        layout : {"wide", "long"}
            Long: a row for each deal and seat, in which ``hcp`` is one column, with the points of the seat,
            and ``fit`` one with the fit of the seat's side. All else is repeated for each seat of the deal.
        dialect, params
            Of the expressions, as in `eval`; each value of `params` is used by one of them at least.
        opener, vulnerable
            Of functions and expressions, as in `eval`.
        **expressions : str
            Expressions of the dealer language; each gives a column with the name of its keyword.

        Returns
        -------
        DataFrame
            The first column is `deal` (dtype ``deal``); in the long layout `number` of the deal (from 0),
            `seat`, `deal`, and `board`, `weight` and `cluster` if the deals have them. Integers have the
            smallest dtype for all values of the function (comparisons: 0 or 1); values in hundredths are
            float32, other reals float64.

        Raises
        ------
        UnknownNameError
            If there is no such function; the message suggests the most similar name.
        ArgumentError
            If a function takes more than a seat or a side; an expression is needed instead. If two columns
            have the same name, or an option has no such value.
        ScriptError
            If an expression cannot be read; the message has the position of the mistake.
        EvaluationError
            If a deal has no value; the message has the index of the first one.

        Examples
        --------
        >>> deals = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
        >>> frame = deals.to_frame("fit", "shape_north", slam="hcp(north) + hcp(south) >= 33")
        >>> frame.drop(columns="deal").iloc[0].to_dict()
        {'fit_ns': 7, 'fit_ew': 8, 'shape_north': '4342', 'slam': 0}
        >>> deals.to_frame("hcp", "shape", "fit", layout="long").drop(columns="deal")
           number   seat  hcp shape  fit
        0       0  north   10  4342    7
        1       0   east   11  3343    8
        2       0  south   19  3433    7
        3       0   west    0  3325    8
        """
        from dealerkit.compiler.frames import build_frame

        return build_frame(
            self,
            names,
            expressions,
            layout,
            dialect=dialect,
            opener=opener,
            params=params,
            vulnerable=vulnerable,
        )

    def sides(
        self,
        *names: str,
        strain: str = "best major",
        declarer: str = "longer",
        tricks: bool = False,
        **expressions: str,
    ) -> pd.DataFrame:
        """Return measures of partnerships as a table with one row for each deal and side.

        Parameters
        ----------
        *names : str
            Evaluators, in the strain of the side if they take one. Values of the two hands are combined as
            the evaluator defines: most are added, but ``losers`` and ``ltc`` are 24 less the losers of both
            hands (``newltc`` is 25 less), which are the tricks predicted by the Losing Trick Count.
        strain : str
            ``best major``, ``longest fit``, ``notrump``, a suit, or ``best suit`` (most tricks).
        declarer : {"longer", "better"}
            The hand with more trumps, or the hand that takes more tricks.
        tricks : bool
            Add double-dummy tricks, from `tables` or solved.
        **expressions : str
            Expressions of the dealer language about north-south, evaluated for both sides; each gives a
            column with the name of its keyword.

        Returns
        -------
        DataFrame
            Two rows for each deal, north-south first; the index is the number of the deal. Columns: `deal`,
            `side`, `strain`, `declarer`, `fit` (in notrump of the longest suit), `tricks`, the names and
            expressions, and `weight` and `cluster` if the deals have them.

        Raises
        ------
        UnknownNameError, ScriptError, ArgumentError
            As `to_frame`; also if `strain` or `declarer` is unknown.

        Examples
        --------
        >>> deal = "N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"
        >>> frame = Deals.from_pbn(deal).sides("losers", lost="losers(north) + losers(south)")
        >>> frame[["side", "losers", "lost"]].to_dict("list")
        {'side': ['NS', 'EW'], 'losers': [9, 10], 'lost': [15, 14]}
        """
        from dealerkit.studies.sides import tabulate_sides

        return tabulate_sides(self, names, expressions, strain=strain, declarer=declarer, tricks=tricks)

    def _summary(self) -> str:
        columns = f", with {', '.join(self.attached)}" if self.attached else ""
        return f"{len(self):,} deal{'' if len(self) == 1 else 's'}{columns}"

    def __repr__(self) -> str:
        return f"<Deals: {self._summary()}>"

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment, render_head
        from dealerkit.cards.html import render_deals  # only notebooks and pages need it

        head, _, rest = self._summary().partition(", ")
        return render_fragment(render_head(head, *([rest] if rest else [])) + render_deals(self), repr(self))
