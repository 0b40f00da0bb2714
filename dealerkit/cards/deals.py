"""`Deals`: many deals as arrays with attached columns."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import Given, Params, check_integer, read_given
from dealerkit.cards import text
from dealerkit.cards.names import board_dealer, board_vulnerability, seat_number, vulnerability_number
from dealerkit.cards.pages import DealPages
from dealerkit.cards.sequence import DealSequence
from dealerkit.errors import ArgumentError, quote
from dealerkit.runtime.progress import long_work

if TYPE_CHECKING:
    import pandas as pd

MAX_BOARD = 2**31 - 1  # largest number of a board


def _list_texts(texts: Any) -> list[Any]:
    """Return the elements of an iterable, or raise ArgumentError."""
    if not isinstance(texts, Iterable) or not getattr(texts, "shape", True):
        raise ArgumentError(f"{quote(texts)} holds no texts; give a str or several in a list")
    return list(texts)


class Deals(DealPages, DealSequence):
    """Deals as one array of hands with attached columns: row i of each belongs to deal i.

    Attributes cannot be assigned after construction; use `replace`. Arrays of the right dtype are not copied
    and may be in row or column order. A `Deals` works as a sequence: ``len``, iteration, indexing. An int
    selects a `Deal`; a slice, a mask or an array of ints selects `Deals` with their attached columns.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Hands of north, east, south and west. A hand has 16 bits for each suit, spades highest and clubs
        lowest; within a suit, bit 12 is the ace and bit 0 the deuce.
    tables : ndarray of int8 [n, 5, 4] or None
        Double-dummy tricks, 0 to 13, by strain (S H D C N) and declarer (N E S W); -1: unknown.
    vulnerable : ndarray of int8 [n] or None
        0 none, 1 north-south, 2 east-west, 3 both; -1: unknown.
    dealer : ndarray of int8 [n] or None
        Seat 0 to 3; -1: unknown.
    board : ndarray of int32 [n] or None
        Number of the board; -1: unknown.
    weight : ndarray of float64 [n] or None
        Weight in statistics, 0 or more; None: every deal has weight 1.
    cluster : ndarray of int64 [n] or None
        Number of the shuffle from which the deal comes, when hands are exchanged; None: each deal comes from
        its own shuffle.
    check : bool
        Check all deals and columns (see `DealSequence.check`). Use False only for arrays known to be valid.

    Raises
    ------
    DealError
        A deal does not have 52 different cards, 13 in each hand; the message gives the index of the first
        such deal.
    ArgumentError
        An array has a wrong shape or a value out of range.

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
        """Return the deals of PBN texts, in the notation of the Deal tag.

        Parameters
        ----------
        texts : str or iterable of str
            ``N:AKQJ.T98.5432.32 T98... 765... 432...``: any first seat, the others
            clockwise; any case; T or 10.

        Raises
        ------
        DealError
            A text is not a deal; the message gives the index of the first such text and the reason.
        ArgumentError
            `texts` is neither a str nor an iterable.
        """
        return cls(text.parse_pbn([texts] if isinstance(texts, str) else _list_texts(texts)))

    def to_pbn(self) -> list[str]:
        """Return the PBN text of each deal, in the notation of the Deal tag, north first."""
        return text.format_pbn(self.hands)

    @classmethod
    def from_lines(cls, lines: str | Iterable[str]) -> Deals:
        """Return the deals of lines of dealer's printoneline.

        Parameters
        ----------
        lines : str or iterable of str
            ``n AKQJ.T98.5432.32 e ... s ... w ...``; a single str may contain many lines. A value after the
            deal is ignored, and so are empty lines of a single str.

        Raises
        ------
        DealError
            A line is not a deal; the message gives the index of the first such line and the reason.
        ArgumentError
            `lines` is neither a str nor an iterable.
        """
        if isinstance(lines, str):
            lines = [line for line in lines.splitlines() if line.strip()]
        return cls(text.parse_lines(lines if isinstance(lines, list) else _list_texts(lines)))

    def to_lines(self) -> list[str]:
        """Return each deal as dealer's printoneline prints it: a blank at the end, no newline."""
        return text.format_lines(self.hands)

    def to_cards(self) -> np.ndarray:
        """Return an array that says which seat holds which card.

        Returns
        -------
        ndarray of bool [n, 4, 52]
            By deal, seat (north, east, south, west) and card: spades from the ace down to the deuce, then
            hearts, diamonds and clubs, as a hand is written. Card ``13 * suit + rank`` has its suit as a
            number from 0 in the order S H D C, and its rank in the order A K Q J T 9 ... 2.

        Examples
        --------
        >>> deals = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
        >>> cards = deals.to_cards()
        >>> cards.shape
        (1, 4, 52)
        >>> cards[0, 0].nonzero()[0].tolist()  # north: A K Q J of spades, T 9 8 of hearts ...
        [0, 1, 2, 3, 17, 18, 19, 35, 36, 37, 38, 50, 51]
        >>> cards.reshape(1, 4, 4, 13).sum(axis=3)[0].tolist()  # lengths of suits
        [[4, 3, 4, 2], [3, 3, 4, 3], [3, 4, 3, 3], [3, 3, 2, 5]]
        """
        octets = np.ascontiguousarray(self.hands, dtype=">u8").view(np.uint8)  # spades first
        bits = np.unpackbits(octets, axis=1).reshape(len(self), 4, 4, 16)
        return bits[..., 3:].reshape(len(self), 4, 52).view(bool)  # without the unused bits of suits

    @classmethod
    def from_cards(cls, cards: Any) -> Deals:
        """Return the deals of an array of cards, in the order of `to_cards`.

        Parameters
        ----------
        cards : array [n, 4, 52] of bool, or of the numbers 0 and 1

        Raises
        ------
        ArgumentError
            The array has another shape or other values.
        DealError
            A deal does not have 52 different cards, 13 in each hand; the message gives the index of the first
            such deal.

        Examples
        --------
        >>> deals = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
        >>> Deals.from_cards(deals.to_cards()).equals(deals)
        True
        """
        array = np.asarray(cards)
        if array.ndim != 3 or array.shape[1:] != (4, 52):
            raise ArgumentError(f"cards has shape {array.shape}, not (n, 4, 52): deal, seat, card")
        is_held = array == 1
        if array.dtype.kind not in "biuf" or not (is_held | (array == 0)).all():
            raise ArgumentError("cards has other values than true and false, or 1 and 0")
        bits = np.zeros((len(array), 4, 4, 16), bool)
        bits[..., 3:] = is_held.reshape(-1, 4, 4, 13)
        octets = np.packbits(bits.reshape(len(array), 4, 64), axis=2)
        return cls(octets.reshape(len(array), 32).view(">u8").astype(np.uint64))

    def number_boards(
        self,
        first: int = 1,
        *,
        dealer: int | str | None = None,
        vulnerable: int | str | bool | None = None,
        rotate: bool = False,
    ) -> Deals:
        """Return the same deals as boards: with consecutive numbers, dealer and vulnerability.

        Parameters
        ----------
        first : int
            Number of the first board, 1 or more.
        dealer : {0, 1, 2, 3} or str, optional
            Dealer of all boards; None: the dealer that follows from the number, north for board 1.
        vulnerable : {"none", "ns", "ew", "both", "all"}, int 0 to 3 or bool, optional
            Vulnerability of all boards; None: the one that follows from the number, as on duplicate boards.
        rotate : bool
            Rotate the hands of each deal, so that the hand of `dealer`, or of the dealer that the deal has,
            goes to the seat that deals the board. The boards are then like printed ones.

        Returns
        -------
        Deals
            With the attached columns `board`, `dealer` and `vulnerable`, which replace earlier ones.

        Raises
        ------
        ArgumentError
            A number, `dealer` or `vulnerable` is out of range, or a dealer is unknown and `rotate` is true.

        Examples
        --------
        >>> deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
        >>> boards = Deals.from_pbn([deal] * 2).number_boards(16)
        >>> boards.board.tolist(), boards.dealer.tolist(), boards.vulnerable.tolist()  # west, north
        ([16, 17], [3, 0], [2, 0])
        """
        first, n_deals = check_integer("first", first, 1), len(self)
        if first + n_deals - 1 > MAX_BOARD:
            raise ArgumentError(f"first is {first:,}; the largest board number is {MAX_BOARD:,}")
        boards = np.arange(first, first + n_deals)
        if rotate:
            return self._rotate_to(board_dealer(boards), dealer).number_boards(first, vulnerable=vulnerable)
        dealers = board_dealer(boards) if dealer is None else np.full(n_deals, seat_number(dealer))
        if vulnerable is None:
            vulnerabilities = board_vulnerability(boards)
        else:
            vulnerabilities = np.full(n_deals, vulnerability_number(vulnerable))
        return self.replace(
            board=boards.astype(np.int32),
            dealer=dealers.astype(np.int8),
            vulnerable=vulnerabilities.astype(np.int8),
        )

    def _rotate_to(self, seats: np.ndarray, dealer: int | str | None) -> Deals:
        """Return the same deals, each rotated so that the hand of the dealer goes to a seat."""
        dealers = self.dealer if dealer is None else np.full(len(self), seat_number(dealer))
        if dealers is None or (dealers < 0).any():
            raise ArgumentError(
                "rotate moves the dealer's hand to the seat that deals the board; set the dealer in the "
                "script, as in `dealer south`, or as an argument"
            )
        origins = (np.arange(4) - (seats - dealers)[:, None]) % 4  # seat from which each hand comes
        columns = self.attached
        if self.tables is not None:
            columns["tables"] = np.take_along_axis(self.tables, origins[:, None, :], axis=2)
        return Deals(np.take_along_axis(self.hands, origins, axis=1), check=False, **columns)

    def rotate(self, opener: int | str = "south", hand: int | str = "north") -> Deals:
        """Return the same deals, rotated so that the hand of the seat `hand` goes to the seat `opener`.

        All hands move by the same number of seats, so partners and neighbours stay the same. For example, a
        script may describe the opener as north, while the opener should sit south when the deals are
        practised.

        Parameters
        ----------
        opener : {0, 1, 2, 3} or str
            Seat to which the hand moves.
        hand : {0, 1, 2, 3} or str
            Seat from which the hand comes.

        Returns
        -------
        Deals
            Declarers of `tables`, `vulnerable` and `dealer` move with the hands, and unknown values stay
            unknown. `board`, `weight` and `cluster` do not change.

        Raises
        ------
        ArgumentError
            `opener` or `hand` is not a seat.

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
        columns = self.attached
        if self.tables is not None:
            columns["tables"] = np.roll(self.tables, places, axis=2)
        if self.dealer is not None:
            columns["dealer"] = np.where(self.dealer < 0, self.dealer, (self.dealer + places) % 4)
        if self.vulnerable is not None and places % 2:
            columns["vulnerable"] = np.array([0, 2, 1, 3, -1], dtype=np.int8)[self.vulnerable]
        seats = (np.arange(4) - places) % 4  # seat from which each hand comes
        return Deals(self.hands.T[seats].T, check=False, **columns)

    @long_work
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
            Seat that opens, for measures that depend on it (`opc`); None: south or west, as in DealerV2.
        params : mapping or sequence
            Values of script variables: ``{"low": 15}`` sets ``$low``; see `dealerkit.run`.
        vulnerable : {"none", "ns", "ew", "both", "all"}, int 0 to 3 or bool, optional
            Vulnerability for calls of `par` that do not give one.

        Returns
        -------
        ndarray [n]
            bool for comparisons and logical operations, otherwise integers or float64, in the unit of the
            function (`dealerkit.functions`); only dialects v1 and v2 give integers in hundredths.

        Raises
        ------
        ScriptError
            The expression cannot be read; the message gives the position of the mistake.
        EvaluationError
            The expression has no value for some deal, as in a division by zero; the message gives the index
            of the first.
        ArgumentError
            `text` is not a text or path, `dialect` or `opener` is unknown, or a value of `params` is not
            used.

        Examples
        --------
        >>> deals = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654")
        >>> deals.eval("hcp(north) + hcp(south)").tolist(), deals.eval("spades(north) == 4").tolist()
        ([29], [True])
        """
        from dealerkit.compiler.frames import evaluate_text

        return evaluate_text(self, text, dialect=dialect, opener=opener, params=params, vulnerable=vulnerable)

    @long_work
    def where(
        self,
        text: Given,
        dialect: str = "modern",
        opener: int | str | None = None,
        params: Params = (),
        vulnerable: int | str | bool | None = None,
    ) -> Deals:
        """Return the deals that meet a condition of the dealer language, with their attached columns.

        Parameters
        ----------
        text : str, os.PathLike or Auction
            An expression as in `eval`; any value except 0 is true. For an auction, the condition that it
            implies.
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

        return select_deals(
            self, read_given(text), dialect=dialect, opener=opener, params=params, vulnerable=vulnerable
        )

    @long_work
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
            Functions of a hand give a column for each seat, functions of a side a column for each side:
            ``hcp`` gives ``hcp_north hcp_east hcp_south hcp_west``, ``fit`` gives ``fit_ns fit_ew``, and
            ``shape`` gives the pattern of each hand as a category. ``hcp_north`` gives only that column.
        layout : {"wide", "long"}
            Long: a row for each deal and seat, in which ``hcp`` is one column with the points of the seat,
            and ``fit`` one with the fit of the seat's side. Everything else is repeated for each seat of the
            deal.
        dialect, params
            For the expressions, as in `eval`; each value of `params` must be used by at least one of them.
        opener, vulnerable
            For functions and expressions, as in `eval`.
        **expressions : str
            Expressions of the dealer language; each gives a column named by its keyword.

        Returns
        -------
        DataFrame
            The first column is `deal` (dtype ``deal``). The long layout begins with `number` of the deal
            (from 0), `seat` and `deal`, and has `board`, `weight` and `cluster` if the deals have them.
            Integers have the smallest dtype for all values of the function (comparisons: 0 or 1); values in
            hundredths are float32, other reals float64.

        Raises
        ------
        UnknownNameError
            There is no such function; the message suggests the most similar name.
        ArgumentError
            A function takes more than a seat or a side, so an expression is needed; two columns have the same
            name; or an option has no such value.
        ScriptError
            An expression cannot be read; the message gives the position of the mistake.
        EvaluationError
            An expression has no value for some deal; the message gives the index of the first.

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

    @long_work
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
            Evaluators, in the strain of the side if they take one. The values of the two hands are combined
            as the evaluator defines. Most are added; ``losers`` and ``ltc`` give 24 minus the losers of both
            hands (``newltc`` 25 minus), the number of tricks that the Losing Trick Count predicts.
        strain : str
            ``best major``, ``longest fit``, ``notrump``, a suit, or ``best suit`` (the one with most tricks).
        declarer : {"longer", "better"}
            The hand with more trumps (longer), or the hand that takes more tricks (better).
        tricks : bool
            Add double-dummy tricks, from `tables` or from the solver.
        **expressions : str
            Expressions of the dealer language about north-south, evaluated for both sides; each gives a
            column named by its keyword.

        Returns
        -------
        DataFrame
            Two rows for each deal, north-south first; the index is the number of the deal. Columns: `deal`,
            `side`, `strain`, `declarer`, `fit` (in notrump, that of the longest suit), `tricks`, the names
            and expressions, and `weight` and `cluster` if the deals have them.

        Raises
        ------
        UnknownNameError, ScriptError, ArgumentError
            As for `to_frame`; also if `strain` or `declarer` is unknown.

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
        return f"{format_count(len(self), 'deal')}{columns}"

    def __repr__(self) -> str:
        return f"<Deals: {self._summary()}>"

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment, render_head
        from dealerkit.cards.html import render_deals  # only notebooks and pages need it

        head, _, rest = self._summary().partition(", ")
        return render_fragment(render_head(head, *([rest] if rest else [])) + render_deals(self), repr(self))
