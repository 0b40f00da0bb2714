"""Deals as arrays of single cards, for machine learning."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from dealerkit.cards.sequence import DealSequence
from dealerkit.errors import ArgumentError


class CardArrays(DealSequence):
    """Conversion of deals to arrays of single cards, and back."""

    __slots__ = ()

    def to_cards(self) -> np.ndarray:
        """Return which seat holds which card.

        Returns
        -------
        ndarray of bool [n, 4, 52]
            By deal, seat (north, east, south, west) and card: spades from the ace down to the deuce, then
            hearts, diamonds and clubs, as a hand is written. So card ``13 * suit + rank`` has the suits
            S H D C and the ranks A K Q J T 9 ... 2 as numbers from 0.

        Examples
        --------
        >>> from dealerkit.cards.deals import Deals
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
        return bits[..., 3:].reshape(len(self), 4, 52).view(bool)  # without the three unused bits of a suit

    @classmethod
    def from_cards(cls, cards: Any) -> Self:
        """Return the deals of an array of cards, in the order of `to_cards`.

        Parameters
        ----------
        cards : array [n, 4, 52] of bool, or of the numbers 0 and 1

        Raises
        ------
        ArgumentError
            If the array has another shape or other values.
        DealError
            If a deal has not 52 different cards, 13 in each hand; the message has the index of the first.

        Examples
        --------
        >>> from dealerkit.cards.deals import Deals
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
