"""`Deals`: many deals as arrays, with what is known about each beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.cards import html, parsing, text
from dealerkit.cards.names import seat_number
from dealerkit.cards.sequence import DealSequence
from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 4  # diagrams in a notebook


def _several(texts: Any) -> list:
    """Texts as a list."""
    if not isinstance(texts, Iterable):
        raise ArgumentError(f"{texts!r:.60} holds no texts; give a str or several in a list")
    return list(texts)


class Deals(DealSequence):
    """Deals as one array of hands with aligned attached columns.

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
        If an array does not fit the others or an attached column is out of range.

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

    # ------------------------------------------------------------ turning the table
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
        turned = self.attached
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
        return cls(parsing.parse_pbn([texts] if isinstance(texts, str) else _several(texts)))

    def to_pbn(self) -> list[str]:
        """Each deal in the notation of PBN's Deal tag, north first."""
        return text.format_pbn(self.hands)

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
        return cls(parsing.parse_lines(lines if isinstance(lines, list) else _several(lines)))

    def to_lines(self) -> list[str]:
        """Each deal as dealer's printoneline prints it, with the blank at the end, without newline."""
        return text.format_lines(self.hands)

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
        """The value of an expression of the dealer language for each deal.

        Parameters
        ----------
        text : str
            One expression, after variables of its own if it likes.
        dialect : {"modern", "v1", "v2"}
            Whose words they are.
        opener : str or None
            Seat that opens, for measures that depend on it (`opc`); None: south and west, as DealerV2.

        Returns
        -------
        ndarray [n]
            bool for comparisons and what is made of them, an integer type or float64 else, in the
            units of the function (`dealerkit.functions`); hundredths only in the old dialects.

        Raises
        ------
        ScriptError
            With the place of the mistake in the text.
        EvaluationError
            A value that does not exist, such as a division by zero, with the index of the first such deal.

        Examples
        --------
        >>> deals = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
        >>> deals.eval("hcp(north) + hcp(south)").tolist(), deals.eval("spades(north) == 4").tolist()
        ([29], [True])
        """
        from dealerkit.compiler.frames import evaluate_text

        return evaluate_text(self, text, dialect, opener)

    def where(self, text: str, dialect: Any = "modern") -> Deals:
        """The deals that meet a condition of the dealer language, with their attached columns.

        Parameters
        ----------
        text : str
            An expression as in `eval`; any value but 0 is true.
        dialect : {"modern", "v1", "v2"}

        Returns
        -------
        Deals
            A copy, in the same order.

        Raises
        ------
        ScriptError, EvaluationError
            As `eval`.

        Examples
        --------
        >>> deals = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
        >>> deals.where("hcp(south) >= 20")
        <Deals: 0 deals>
        """
        from dealerkit.compiler.frames import select_deals

        return select_deals(self, text, dialect)

    def to_frame(self, *names: str, **expressions: str) -> pd.DataFrame:
        """Measures of the deals as a table, one row for each deal.

        Parameters
        ----------
        *names : str
            Functions of a hand, with a column for each seat, or of a side, with a column for both:
            ``hcp`` gives ``hcp_north hcp_east hcp_south hcp_west``, ``fit`` gives ``fit_ns fit_ew``,
            ``shape`` each hand's pattern as a category; ``hcp_north`` is that column alone.
        **expressions : str
            Expressions of the dealer language; a column for each, named by its keyword.

        Returns
        -------
        DataFrame
            Column `deal` (dtype ``deal``) first; integers in the smallest type that holds what the
            function can give (comparisons: 0 or 1), hundredths as float32, other reals as float64.

        Raises
        ------
        UnknownNameError
            No such function, with the nearest known name.
        ArgumentError
            A function that takes more than a seat or a side: give an expression.
        ScriptError
            With the place of the mistake in an expression.

        Examples
        --------
        >>> deals = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
        >>> frame = deals.to_frame("fit", "shape_north", slam="hcp(north) + hcp(south) >= 33")
        >>> frame.drop(columns="deal").iloc[0].to_dict()
        {'fit_ns': 7, 'fit_ew': 8, 'shape_north': '4342', 'slam': 0}
        """
        from dealerkit.compiler.frames import evaluate_frame

        return evaluate_frame(self, names, expressions)

    def sides(
        self,
        *names: str,
        strain: str = "best major",
        declarer: str = "longer",
        tricks: bool = False,
        **expressions: str,
    ) -> pd.DataFrame:
        """Measures of partnerships as a table, one row for each deal and side.

        Parameters
        ----------
        *names : str
            Evaluators, in the strain of the side where they take one. Those of a hand are combined as
            they say: most are added, but ``losers`` is 24 less the losing tricks of both hands (so is
            ``ltc``; ``newltc`` is 25 less): the tricks that the Losing Trick Count promises, more is better.
        strain : str
            ``best major``, ``longest fit``, ``notrump``, a suit, or ``best suit`` (most tricks).
        declarer : {"longer", "better"}
            The hand with more trumps, or the one that takes more tricks.
        tricks : bool
            With double-dummy tricks, known or solved.
        **expressions : str
            Expressions of the dealer language for north-south; a column for each, named by its keyword.

        See Also
        --------
        dealerkit.studies.sides_frame.tabulate_sides : columns and rules in full.

        Examples
        --------
        >>> deal = "N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"
        >>> frame = Deals.from_pbn(deal).sides("losers", lost="losers(north) + losers(south)")
        >>> frame[["side", "losers", "lost"]].to_dict("list")
        {'side': ['NS', 'EW'], 'losers': [9, 10], 'lost': [15, 14]}
        """
        from dealerkit.studies.sides_frame import tabulate_sides

        return tabulate_sides(self, names, expressions, strain=strain, declarer=declarer, tricks=tricks)

    # ------------------------------------------------------------ showing
    def _summary(self) -> str:
        beside = f", with {', '.join(self.attached)}" if self.attached else ""
        return f"{len(self):,} deal{'' if len(self) == 1 else 's'}{beside}"

    def __repr__(self) -> str:
        return f"<Deals: {self._summary()}>"

    def _repr_html_(self) -> str:
        shown = [html.render_deal(d.hands, d.vulnerable, d.dealer, d.board) for d in self[:SHOWN]]
        more = len(self) - len(shown)
        caption = self._summary() + (f"; {more:,} more" if more else "")
        return html.render_fragment(html.render_row(shown, caption), repr(self))
