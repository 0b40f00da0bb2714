"""`Deal`: a single deal."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from dealerkit.arguments import check_truth
from dealerkit.cards import text
from dealerkit.cards.names import SEATS, VULNERABILITIES, seat_number
from dealerkit.errors import ArgumentError, DealError, quote


def _is_number(value: Any, numbers: range | None = None) -> bool:
    """Return whether a value is None or an integer, if `numbers` is given one of them."""
    try:
        number = None if value is None else operator.index(value)
    except (TypeError, ValueError):
        return False
    return number is None or numbers is None or number in numbers


class Deal:
    """A deal: four hands of 13 cards, with vulnerability, dealer and board number if they are known.

    A deal is frozen and hashable. Two deals are equal if their hands, vulnerability, dealer and board are
    equal. The repr is a constructor call. ``str(deal)`` is the PBN text, which is also the form of a deal in
    CSV files, databases and ``.astype("deal")``. `diagram` and the HTML show a diagram.

    Parameters
    ----------
    hands : str or sequence of four ints
        PBN text, ``N:AKQJ.T98.5432.32 ...`` (any first seat, any case, T or 10), or the hands of north, east,
        south and west as uint64 in the layout of `Deals.hands`.
    vulnerable : {0, 1, 2, 3} or None
        0 none, 1 north-south, 2 east-west, 3 both; None: unknown.
    dealer : {0, 1, 2, 3} or None
        Seat of the dealer, N E S W; None: unknown.
    board : int or None
        Number of the board; None: unknown.

    Attributes
    ----------
    hands : tuple of four ints
    vulnerable, dealer, board : int or None

    Raises
    ------
    DealError
        The hands are not 52 different cards, 13 in each hand, or the text cannot be read.
    ArgumentError
        `hands` is neither a text nor four integers, or `vulnerable` or `dealer` is out of range.

    Examples
    --------
    >>> deal = Deal("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654", board=7)
    >>> deal
    Deal('N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654', board=7)
    >>> deal.hand("west")
    '432.432.76.87654'
    >>> str(deal)
    'N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654'
    >>> print(deal.diagram())
    Board 7     ♠ AKQJ
                ♥ T98
                ♦ 5432
                ♣ 32
    ♠ 432                   ♠ T98
    ♥ 432                   ♥ AKQ
    ♦ 76                    ♦ JT98
    ♣ 87654                 ♣ JT9
                ♠ 765
                ♥ J765
                ♦ AKQ
                ♣ AKQ
    """

    # Not a dataclass: pandas would split a list of dataclasses into columns.
    __slots__ = ("hands", "vulnerable", "dealer", "board")
    hands: tuple[int, int, int, int]
    vulnerable: int | None
    dealer: int | None
    board: int | None

    def __init__(
        self,
        hands: str | Sequence[int],
        vulnerable: int | None = None,
        dealer: int | None = None,
        board: int | None = None,
    ) -> None:
        if isinstance(hands, str):
            four = text.parse_deal(hands)
        else:
            try:
                four = [operator.index(word) for word in hands]
            except (TypeError, ValueError, OverflowError):
                raise ArgumentError(
                    f"no deal in {quote(hands)}; give its text in PBN, or four hands as integers"
                ) from None
            if len(four) != 4:
                raise DealError(f"a deal has four hands, not {len(four)}")
        if reason := text.describe_fault(four):
            raise DealError(reason)
        if not _is_number(vulnerable, range(4)):
            meaning = ", ".join(VULNERABILITIES)
            raise ArgumentError(f"vulnerable is 0 to 3 ({meaning}) or None, not {vulnerable!r}")
        if not _is_number(dealer, range(4)):
            raise ArgumentError(f"dealer is 0 to 3 ({', '.join(SEATS)}) or None, not {dealer!r}")
        if not _is_number(board):
            raise ArgumentError(f"board is a whole number or None, not {quote(board)}")
        self._set_attributes(four, vulnerable, dealer, board)

    def _set_attributes(self, hands: Sequence[int], *details: int | None) -> None:
        object.__setattr__(self, "hands", tuple(hands))
        for name, value in zip(self.__slots__[1:], details, strict=True):
            object.__setattr__(self, name, None if value is None else int(value))

    @classmethod
    def _unchecked(
        cls, hands: Sequence[int], vulnerable: int | None, dealer: int | None, board: int | None
    ) -> Deal:
        """Return a deal from values that need no check."""
        deal = cls.__new__(cls)
        deal._set_attributes(hands, vulnerable, dealer, board)
        return deal

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Deal is frozen: {name} cannot be replaced")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def _key(self) -> tuple[tuple[int, ...], int | None, int | None, int | None]:
        return self.hands, self.vulnerable, self.dealer, self.board

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Deal) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Deal._unchecked, self._key()

    @property
    def pbn(self) -> str:
        """The hands as PBN text, north first."""
        return "N:" + " ".join(text.format_hand(hand) for hand in self.hands)

    def hand(self, seat: int | str) -> str:
        """Return the cards of one seat as a text like ``AKQJ.T98.5432.32``.

        Parameters
        ----------
        seat : {0, 1, 2, 3} or str
            Number, name or letter of the seat.

        Raises
        ------
        ArgumentError
            `seat` is not a seat.
        """
        return text.format_hand(self.hands[seat_number(seat)])

    def diagram(self, *, symbols: bool = True) -> str:
        """Return the diagram of the deal, with suit symbols or (``symbols=False``) the letters S H D C.

        Parameters
        ----------
        symbols : bool
            Suit symbols; False: the letters S H D C.

        Returns
        -------
        str, of several lines
        """
        return text.format_diagram(
            self.hands, self.vulnerable, self.dealer, self.board, symbols=check_truth("symbols", symbols)
        )

    def __str__(self) -> str:
        return self.pbn

    def __format__(self, spec: str) -> str:
        return format(self.pbn, spec)

    def __conform__(self, protocol: object) -> str:
        """Return the PBN text, which sqlite3 stores."""
        return self.pbn

    def plot(
        self, ax: Any = None, *, figsize: tuple[float, float] | None = None, title: str | None = None
    ) -> Any:
        """Draw the diagram with points, board, dealer and vulnerability.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        figsize : (float, float), optional
            Width and height of a new figure in inches.
        title : str, optional
            Title above the diagram.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.appearance.content import Place
        from dealerkit.cards.html import count_points
        from dealerkit.charts.deal import plot_deal

        hands = [(text.format_hand(hand).split("."), count_points(hand)) for hand in self.hands]
        return plot_deal(self, hands, Place(ax, figsize, title))

    def __repr__(self) -> str:
        details = [
            f", {name}={value}" for name in self.__slots__[1:] if (value := getattr(self, name)) is not None
        ]
        return f"Deal({self.pbn!r}{''.join(details)})"

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment
        from dealerkit.cards.html import render_copies, render_deal  # only notebooks and pages need it

        diagram = render_deal(self.hands, self.vulnerable, self.dealer, self.board)
        return render_fragment(diagram + render_copies([self]), self.diagram())
