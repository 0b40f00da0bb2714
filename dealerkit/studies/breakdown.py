"""The parts of a pair's optimal points, suit by suit and hand by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, STRAINS, SUITS, seat_number, side_number, strain_number
from dealerkit.cards.text import format_hand
from dealerkit.errors import ArgumentError
from dealerkit.evaluators.opc.losers import promised_tricks, suit_quick_losers
from dealerkit.evaluators.opc.optimal_points import OptimalPoints

if TYPE_CHECKING:
    import pandas as pd

_NOTRUMP = 4


def opc_breakdown(
    deals: Deal | Deals,
    side: str = "NS",
    opener: str | int | None = None,
    strain: str | None = None,
    variant: str = "intended",
) -> pd.DataFrame:
    """Return the parts of the optimal points of a side.

    Parameters
    ----------
    deals : Deal or Deals
    side : {"NS", "EW"}
    opener : seat, optional
        The hand of the side that opened; by default south or west.
    strain : str, optional
        ``spades`` ... ``notrump``; by default the longest suit of each deal.
    variant : {"intended", "coded"}
        As for `dealerkit.evaluators.opc.evaluator.opc`.

    Returns
    -------
    DataFrame
        A row for each part that is not 0 (and for adjustments that cancel), in the order of the count, with
        columns `deal` (index), `part`, `seat`, `suit`, `cards`, `points` and `why`. Then a row ``total``:
        its `points` are the sum of the others unless a total below 0 was raised to 0; `why` holds the
        promised tricks and the quick losers.

    Raises
    ------
    ArgumentError
        An unknown side, strain or variant, or an opener of the other side.

    Examples
    --------
    >>> deals = Deals.from_pbn("N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8")
    >>> parts = opc_breakdown(deals, "NS", opener="north")
    >>> print(parts[parts.suit == "spades"][["part", "seat", "cards", "points"]].to_string(index=False))
            part  seat  cards  points
         honours north AKJT32     9.5
         honours south    Q54     1.5
          length north AKJT32     2.0
         synergy north AKJT32     3.0
     fit honours south    Q54     1.0
             fit       AKJT32+Q54     2.0
    >>> float(parts.iloc[-1].points), parts.iloc[-1].why
    (30.5, 'in spades: 11 tricks promised, 3 quick losers')
    """
    import pandas as pd

    if not isinstance(deals, Deal | Deals):
        raise ArgumentError(f"a {type(deals).__name__} holds no deals; give a Deal or Deals")
    many = Deals.from_deals([deals]) if isinstance(deals, Deal) else deals
    first = side_number(side)
    seats = (first, first + 2)
    opening = seats[1] if opener is None else seat_number(opener)
    if opening not in seats:
        raise ArgumentError(f"{SEATS[opening]} is not of the side {side}; the opener is one of its two hands")
    pair = OptimalPoints(
        many.hands[:, seats[0]], many.hands[:, seats[1]], seats.index(opening), variant=variant
    )
    strains = pair.longest if strain is None else np.full(len(many), strain_number(strain))
    names = [SEATS[seat] for seat in seats]
    rows: list[dict] = []
    for row in range(len(many)):
        pair_of_row = pair.select(slice(row, row + 1))
        texts = [format_hand(int(many.hands[row, seat])).split(".") for seat in seats]
        parts = _Parts(pair_of_row, names, texts, int(strains[row])).rows()
        rows += [{"deal": row, **part} for part in parts]
    return pd.DataFrame(rows, columns=["deal", "part", "seat", "suit", "cards", "points", "why"])


class _Parts:
    """The rows of one deal."""

    def __init__(self, pair: OptimalPoints, names: list[str], texts: list[list[str]], strain: int) -> None:
        self.pair, self.names, self.texts, self.strain = pair, names, texts, strain

    def rows(self) -> list[dict]:
        """Return a row for each part, and the total."""
        pair, rows = self.pair, []
        partner = pair.lengths[::-1, :, 0]
        rows += self._by_suit("honours", pair.honour_points, lambda hand, suit: "")
        rows += self._by_suit(
            "length", pair.length_points, lambda hand, suit: f"{pair.lengths[hand, suit, 0]} cards"
        )
        limit = pair.hand_length_points - pair.length_points.sum(axis=1)
        rows += self._by_hand("length", limit, "at most 2 for the hand that did not open")
        rows += self._by_suit("synergy", pair.synergy, lambda hand, suit: "honours together in a long suit")
        rows += self._adjustments()
        low = (
            np.minimum(pair.unclipped_hl, 0)
            if pair.variant == "intended"
            else np.zeros_like(pair.unclipped_hl)
        )
        rows += self._by_hand("floor", -low, "a hand counts at least 0")
        rows += self._by_suit(
            "fit honours", pair.fit_honours, lambda hand, suit: f"opposite {partner[hand, suit]} cards"
        )
        for suit in range(4):
            cards = "+".join(text[suit] for text in self.texts)
            why = f"fit of {pair.combined[suit, 0]} cards"
            rows += self._row("fit", "", SUITS[suit], cards, pair.fit_lengths[suit, 0], why)
        rows += self._by_suit(
            "misfit", pair.misfit, lambda hand, suit: f"opposite {partner[hand, suit]} cards"
        )
        equal = int((pair.lengths[0] == pair.lengths[1]).sum())
        rows += self._row("mirror", "", "", "", pair.mirror[0], f"{equal} suits of equal length")
        notrump = self.strain == _NOTRUMP
        waste = np.minimum(pair.waste, 0) if notrump else pair.waste
        short = ("a void", "a singleton")
        rows += self._by_suit("waste", waste, lambda hand, suit: f"opposite {short[partner[hand, suit]]}")
        if notrump:
            rows += self._by_hand("shortness", pair.notrump_shortness, "short suits in notrump")
            losers = suit_quick_losers(pair, notrump=True)
        else:
            why = f"short suits with {SUITS[self.strain]} as trumps"
            rows += self._by_hand("distribution", pair.fit_distribution(self.strain), why)
            losers = suit_quick_losers(pair)
        total, quick = pair.points(self.strain), losers.sum(axis=0)
        tricks = int(promised_tricks(total, self.strain, quick)[0])
        promise = f"{_count_text(tricks, 'trick')} promised, {_count_text(int(quick[0]), 'quick loser')}"
        why = f"in {STRAINS[self.strain]}: {promise}"
        return [*rows, *self._row("total", "", "", "", total[0], why, keep_zero=True)]

    def _adjustments(self) -> list[dict]:
        pair, rows = self.pair, []
        for hand, seat in enumerate(self.names):
            opened = hand == pair.opener
            reasons = [
                reason
                for applies, reason in (
                    (pair.is_4333[hand, 0], "4333"),
                    (pair.kings[hand, 0] == 0, "no king"),
                    (pair.queens[hand, 0] == 0, "no queen"),
                    (opened and pair.aces[hand, 0] == 0, "no ace as opener"),
                    (pair.kings[hand, 0] > 2, f"{pair.kings[hand, 0]} kings"),
                    (pair.queens[hand, 0] == 4, "4 queens"),
                )
                if applies
            ]
            why = ", ".join(reasons)
            rows += self._row(
                "adjustment", seat, "", "", pair.adjustment[hand, 0], why, keep_zero=bool(reasons)
            )
        return rows

    def _by_suit(self, part: str, points: np.ndarray, why: Callable[[int, int], str]) -> list[dict]:
        rows: list[dict] = []
        for suit in range(4):
            for hand, seat in enumerate(self.names):
                if points[hand, suit, 0]:
                    cards = self.texts[hand][suit]
                    rows += self._row(part, seat, SUITS[suit], cards, points[hand, suit, 0], why(hand, suit))
        return rows

    def _by_hand(self, part: str, points: np.ndarray, why: str) -> list[dict]:
        rows: list[dict] = []
        for hand, seat in enumerate(self.names):
            rows += self._row(part, seat, "", "", points[hand, 0], why)
        return rows

    def _row(
        self, part: str, seat: str, suit: str, cards: str, points: int, why: str, keep_zero: bool = False
    ) -> list[dict]:
        if not points and not keep_zero:
            return []
        value = float(points) / 100
        return [{"part": part, "seat": seat, "suit": suit, "cards": cards, "points": value, "why": why}]


def _count_text(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
