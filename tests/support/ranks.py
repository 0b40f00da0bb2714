"""Deals by their rank among all deals."""

from __future__ import annotations

from math import comb

from dealerkit.cards import RANKS, card_bit

_BITS = [card_bit(suit, rank) for suit in range(4) for rank in range(len(RANKS) - 1, -1, -1)]
DEALS = comb(52, 13) * comb(39, 13) * comb(26, 13)  # 53,644,737,765,488,792,839,237,440,000


def unrank_deal(number: int) -> tuple[int, int, int, int]:
    """Return the four hands, uint64, of the deal with a number from 0 to DEALS - 1.

    This is the rank of a permutation of a multiset: deals are ordered by the holder (N E S W) of the ace of
    spades, then of the king, and so on to the deuce of clubs. It is not the numbering of any book.

    >>> [f"{hand:016x}" for hand in unrank_deal(0)]
    ['1fff000000000000', '00001fff00000000', '000000001fff0000', '0000000000001fff']
    """
    free, n_deals = [13, 13, 13, 13], DEALS
    hands = [0, 0, 0, 0]
    for n_cards, bit in zip(range(52, 0, -1), _BITS, strict=True):
        for seat in range(4):
            n_with_seat = n_deals * free[seat] // n_cards  # deals in which the seat holds this card
            if number < n_with_seat:
                break
            number -= n_with_seat
        hands[seat] |= bit
        free[seat] -= 1
        n_deals = n_with_seat
    return hands[0], hands[1], hands[2], hands[3]
