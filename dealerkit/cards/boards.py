"""Deals as boards: their numbers, dealers and vulnerabilities, and the seats of their hands."""

from __future__ import annotations

from typing import Self

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.names import board_dealer, board_vulnerability, seat_number, vulnerability_number
from dealerkit.cards.sequence import DealSequence
from dealerkit.errors import ArgumentError

MAX_BOARD = 2**31 - 1  # of the attached column


class BoardSequence(DealSequence):
    """A sequence of deals whose boards can be numbered and rotated: the base class of `Deals`."""

    __slots__ = ()

    def number_boards(
        self,
        first: int = 1,
        *,
        dealer: int | str | None = None,
        vulnerable: int | str | bool | None = None,
        rotate: bool = False,
    ) -> Self:
        """Return the same deals with consecutive numbers of boards, and dealer and vulnerability.

        Parameters
        ----------
        first : int
            Number of the first board, 1 or more.
        dealer : {0, 1, 2, 3} or str, optional
            Dealer of all boards; None: that of the number, north for board 1.
        vulnerable : {"none", "ns", "ew", "both", "all"}, int 0 to 3 or bool, optional
            Vulnerability of all boards; None: that of the number, as on duplicate boards.
        rotate : bool
            Move the hands of each deal around the table, so that those of `dealer`, or of the dealer that
            the deal has, come to the dealer of the number. Then the boards are like printed ones.

        Returns
        -------
        Deals
            With the attached columns `board`, `dealer` and `vulnerable` in place of earlier ones.

        Raises
        ------
        ArgumentError
            If a number, `dealer` or `vulnerable` is out of range, or a dealer is unknown with `rotate`.

        Examples
        --------
        >>> from dealerkit.cards.deals import Deals
        >>> deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
        >>> boards = Deals.from_pbn([deal] * 2).number_boards(16)
        >>> boards.board.tolist(), boards.dealer.tolist(), boards.vulnerable.tolist()  # west, north
        ([16, 17], [3, 0], [2, 0])
        """
        first, n_deals = check_integer("first", first, 1), len(self)
        if first + n_deals - 1 > MAX_BOARD:
            raise ArgumentError(f"first is {first:,}; numbers of boards end at {MAX_BOARD:,}")
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

    def _rotate_to(self, seats: np.ndarray, dealer: int | str | None) -> Self:
        """Return the same deals with the hands of the dealer, of all deals or of each, at a seat of each."""
        dealers = self.dealer if dealer is None else np.full(len(self), seat_number(dealer))
        if dealers is None or (dealers < 0).any():
            raise ArgumentError(
                "rotate moves the hands of the dealer to the dealer of the number; name this dealer in the "
                "script, as in `dealer south`, or as an argument"
            )
        origins = (np.arange(4) - (seats - dealers)[:, None]) % 4  # from which the hand of each seat comes
        columns = self.attached
        if self.tables is not None:
            columns["tables"] = np.take_along_axis(self.tables, origins[:, None, :], axis=2)
        return type(self)(np.take_along_axis(self.hands, origins, axis=1), check=False, **columns)

    def rotate(self, opener: int | str = "south", hand: int | str = "north") -> Self:
        """Return the same deals with the hands moved around the table, `hand` to the seat `opener`.

        All hands move by the same number of seats, so that partners and neighbours remain the same. A script
        may describe the opener as north, while the deals are practised with the opener in the south.

        Parameters
        ----------
        opener : {0, 1, 2, 3} or str
            Seat to which the hand moves.
        hand : {0, 1, 2, 3} or str
            Seat from which it moves.

        Returns
        -------
        Deals
            Declarers of `tables`, `vulnerable` and `dealer` move with the hands; unknown values remain
            unknown. `board`, `weight` and `cluster` are unchanged.

        Raises
        ------
        ArgumentError
            If `opener` or `hand` is not a seat.

        Examples
        --------
        >>> from dealerkit.cards.deals import Deals
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
        seats = (np.arange(4) - places) % 4  # from which the hand of each seat comes
        return type(self)(self.hands.T[seats].T, check=False, **columns)
