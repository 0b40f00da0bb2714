"""Random endings, and their tricks by plain minimax, which shares nothing with a solver.

An ending is hands (four sets of cards as bits, without those on the table), the cards on the table in order, the
leader of the trick and the strain.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

DECK = np.array([16 * lane + rank for lane in range(4) for rank in range(13)])
STRAINS = "SHDCN"


class Ending(NamedTuple):
    """Hands (N E S W) and table as bits; leader N E S W = 0..3; strain S H D C N = 0..4."""

    hands: tuple[int, ...]
    table: tuple[int, ...]
    leader: int
    strain: int

    @property
    def dealt(self) -> list[int]:
        """The hands with the cards on the table."""
        hands = list(self.hands)
        for place, card in enumerate(self.table):
            hands[(self.leader + place) & 3] |= card
        return hands

    @property
    def n_tricks(self) -> int:
        """Number of tricks, the present one included."""
        return sum(hand.bit_count() for hand in self.dealt) // 4

    def __str__(self) -> str:
        texts = [
            ".".join(
                "".join("23456789TJQKA"[r] for r in range(12, -1, -1) if hand >> 16 * lane + r & 1)
                for lane in (3, 2, 1, 0)
            )
            for hand in self.hands
        ]
        table = " ".join(
            "CDHS"[(c.bit_length() - 1) >> 4] + "23456789TJQKA"[(c.bit_length() - 1) & 15] for c in self.table
        )
        return f"N:{' '.join(texts)}, {STRAINS[self.strain]}, {'NESW'[self.leader]} led {table or 'nothing'}"


def draw_ending(rng: np.random.Generator, size: int, n_played: int = 0) -> Ending:
    """Return a random ending of `size` cards a hand; of the kinds one has few suits, one long suits."""
    kind = rng.integers(4)
    deck = DECK
    if kind == 0 and size <= 9:
        n_suits = 2 if size <= 6 else 3
        deck = DECK[np.isin(DECK >> 4, rng.permutation(4)[:n_suits])]
    cards = rng.permutation(deck)[: 4 * size]
    if kind == 1:  # suits go together more often: long suits and voids
        order = np.argsort((cards >> 4) * 5 + rng.integers(0, 12, len(cards)), kind="stable")
        cards = cards[order]
        shift = int(rng.integers(4))
        cards = np.roll(cards, shift * size)
    hands = [sum(1 << int(c) for c in cards[k * size : (k + 1) * size]) for k in range(4)]
    leader, table = int(rng.integers(4)), []
    for place in range(n_played):
        seat = (leader + place) & 3
        legal = hands[seat]
        if table:
            suit = 0x1FFF << (table[0].bit_length() - 1 & ~15)
            legal = legal & suit or legal
        choices = [1 << b for b in range(61) if legal >> b & 1]
        card = choices[int(rng.integers(len(choices)))]
        hands[seat] ^= card
        table.append(card)
    return Ending(tuple(hands), tuple(table), leader, int(rng.integers(5)))


@numba.njit("i8(i8[:], i8, i8, i8, i8, i8, i8, i8)", cache=True)
def _minimax(hands, trump, seat, place, led, best, best_seat, need):  # pragma: no cover
    """Whether north and south take `need` more tricks, by trying all cards."""
    if place == 4:
        need -= 1 - (best_seat & 1)
        seat, place = best_seat, 0
    if need <= 0:
        return 1
    if place == 0:
        n = 0
        cards = hands[seat]
        while cards:
            cards &= cards - 1
            n += 1
        if need > n:
            return 0
    legal = hands[seat]
    if place > 0 and legal & (8191 << (16 * led)):
        legal &= 8191 << (16 * led)
    wanted = 1 - (seat & 1)
    while legal:
        card = legal & -legal
        legal ^= card
        lane = 0
        while card >> (16 * lane) >= 65536:
            lane += 1
        new_best, winner, new_led = best, best_seat, led
        if place == 0:
            new_best, winner, new_led = card, seat, lane
        else:
            best_lane = 0
            while best >> (16 * best_lane) >= 65536:
                best_lane += 1
            if (lane == best_lane and card > best) or (lane != best_lane and lane == trump):
                new_best, winner = card, seat
        hands[seat] ^= card
        value = _minimax(hands, trump, (seat + 1) & 3, place + 1, new_led, new_best, winner, need)
        hands[seat] ^= card
        if value == wanted:
            return wanted
    return 1 - wanted


def count_by_minimax(ending: Ending) -> int:
    """Return the tricks of north and south."""
    trump = 4 if ending.strain == 4 else 3 - ending.strain
    best = best_seat = led = 0
    for place, card in enumerate(ending.table):
        lane = (card.bit_length() - 1) >> 4
        best_lane = (best.bit_length() - 1) >> 4
        if place == 0:
            led = lane
        if place == 0 or (card > best if lane == best_lane else lane == trump):
            best, best_seat = card, (ending.leader + place) & 3
    n, low, hands = ending.n_tricks, 0, np.array(ending.hands, np.int64)
    place = len(ending.table)
    while low < n and _minimax(
        hands, trump, (ending.leader + place) & 3, place, led, best, best_seat, low + 1
    ):
        low += 1
    return low
