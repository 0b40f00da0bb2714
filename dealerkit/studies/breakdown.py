"""The parts of the optimal points of a side, by suit and hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import check_name
from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, STRAINS, SUITS, seat_number, side_number, strain_number
from dealerkit.cards.text import format_hand
from dealerkit.errors import ArgumentError
from dealerkit.evaluators.opc.losers import promised_tricks, suit_quick_losers
from dealerkit.evaluators.opc.optimal_points import OptimalPoints
from dealerkit.evaluators.pairs.pair import NOTRUMP
from dealerkit.runtime.progress import long_work

if TYPE_CHECKING:
    import pandas as pd


@long_work
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
        The hand of the side that opened; by default south for NS and west for EW.
    strain : str, optional
        ``spades`` ... ``notrump``; by default the longest suit of each deal.
    variant : {"intended", "coded"}
        The rules as their author intended them, or as DOP and DealerV2 compute them, with four faults: a bare
        ace opposite a singleton gains a point; five trumps opposite five count half points; in notrump,
        points are subtracted for only one shortest suit of a hand; and a hand below 0 reduces the side's
        points.

    Returns
    -------
    DataFrame
        A row for each part that is not 0 (and for adjustments that cancel out), in the order of the count.
        The columns are `deal` (index), `part`, `seat`, `suit`, `cards`, `points` and `why`. The last row is
        ``total``: its `points` are the sum of the others, unless a total below 0 was raised to 0, and `why`
        gives the promised tricks and the quick losers.

    Raises
    ------
    ArgumentError
        The side, strain or variant is unknown, or the opener belongs to the other side.

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
        raise ArgumentError(f"a {type(deals).__name__} contains no deals; give a Deal or Deals")
    if isinstance(deals, Deal):
        deals = Deals.from_deals([deals])
    check_name("variant", variant, ("intended", "coded"))
    # The hands of the side, and the one that opens
    first = side_number(side)
    seats = (first, first + 2)
    opening = seats[1] if opener is None else seat_number(opener)
    if opening not in seats:
        raise ArgumentError(
            f"{SEATS[opening]} is not on the side {side}; give one of its two hands as opener"
        )
    hands = deals.hands[:, seats]
    pair = OptimalPoints(hands[:, 0], hands[:, 1], seats.index(opening), variant=variant)
    strains = pair.longest if strain is None else np.full(len(deals), strain_number(strain))
    # A table for each deal
    names = [SEATS[seat] for seat in seats]
    rows: list[dict[str, Any]] = []
    for number in range(len(deals)):
        texts = [format_hand(int(hand)).split(".") for hand in hands[number]]
        parts = _PartRows(pair.select(slice(number, number + 1)), names, texts, int(strains[number]))
        rows += [{"deal": number, **part} for part in parts.rows()]
    return pd.DataFrame(rows, columns=["deal", "part", "seat", "suit", "cards", "points", "why"])


class _PartRows:
    """Rows of the optimal points of one deal, from the names of the seats and the cards of each suit."""

    def __init__(self, pair: OptimalPoints, names: list[str], texts: list[list[str]], strain: int) -> None:
        self.pair, self.names, self.texts, self.strain = pair, names, texts, strain

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each part, and the total."""
        pair = self.pair
        partner = pair.lengths[::-1, :, 0]

        def describe_length(hand: int, suit: int) -> str:
            return f"{pair.lengths[hand, suit, 0]} cards"

        def describe_partner(hand: int, suit: int) -> str:
            return f"opposite {partner[hand, suit]} cards"

        def describe_shortness(hand: int, suit: int) -> str:
            return f"opposite {('a void', 'a singleton')[partner[hand, suit]]}"

        # What the parts leave out: limits of a hand's length and sum, and suits of equal length
        limit = pair.hand_length_points - pair.length_points.sum(axis=1)
        raised = (pair.hand_hl - pair.unclipped_hl) * pair.intended
        equal = int((pair.lengths[0] == pair.lengths[1]).sum())
        # Shortness counts depend on the strain
        notrump = self.strain == NOTRUMP
        if notrump:
            strain_part = self._by_hand("shortness", pair.notrump_shortness, "short suits in notrump")
        else:
            why = f"short suits with {SUITS[self.strain]} as trumps"
            strain_part = self._by_hand("distribution", pair.fit_distribution(self.strain), why)
        # In the order in which the points are counted
        rows = [
            *self._by_suit("honours", pair.honour_points, lambda hand, suit: ""),
            *self._by_suit("length", pair.length_points, describe_length),
            *self._by_hand("length", limit, "at most 2 for the hand that did not open"),
            *self._by_suit("synergy", pair.synergy, lambda hand, suit: "honours together in a long suit"),
            *self._adjustments(),
            *self._by_hand("floor", raised, "a hand counts at least 0"),
            *self._by_suit("fit honours", pair.fit_honours, describe_partner),
            *self._fits(),
            *self._by_suit("misfit", pair.misfit, describe_partner),
            _row("mirror", pair.mirror[0], f"{equal} suits of equal length"),
            *self._by_suit("waste", np.minimum(pair.waste, 0) if notrump else pair.waste, describe_shortness),
            *strain_part,
        ]
        kept = [row for row in rows if row["points"] or row["part"] == "adjustment" and row["why"]]
        return [*kept, self._total()]

    def _total(self) -> dict[str, Any]:
        """Return the row of the total, with the promised tricks and the quick losers."""
        points = self.pair.points(self.strain)
        losers = suit_quick_losers(self.pair, self.strain == NOTRUMP).sum(axis=0)
        tricks = int(promised_tricks(points, self.strain, losers)[0])
        promise = f"{format_count(tricks, 'trick')} promised, {format_count(int(losers[0]), 'quick loser')}"
        return _row("total", points[0], f"in {STRAINS[self.strain]}: {promise}")

    def _adjustments(self) -> Iterator[dict[str, Any]]:
        """Yield the row of the adjustment of each hand, with its reasons."""
        pair = self.pair
        for hand, seat in enumerate(self.names):
            kings, queens = pair.kings[hand, 0], pair.queens[hand, 0]
            reasons = (
                (pair.is_4333[hand, 0], "4333"),
                (kings == 0, "no king"),
                (queens == 0, "no queen"),
                (hand == pair.opener and pair.aces[hand, 0] == 0, "no ace as opener"),
                (kings > 2, f"{kings} kings"),
                (queens == 4, "4 queens"),
            )
            why = ", ".join(reason for applies, reason in reasons if applies)
            yield _row("adjustment", pair.adjustment[hand, 0], why, seat)

    def _fits(self) -> Iterator[dict[str, Any]]:
        """Yield a row for the fit in each suit."""
        for suit in range(4):
            why = f"fit of {self.pair.combined[suit, 0]} cards"
            cards = "+".join(text[suit] for text in self.texts)
            yield _row("fit", self.pair.fit_lengths[suit, 0], why, suit=SUITS[suit], cards=cards)

    def _by_suit(
        self, part: str, points: np.ndarray, why: Callable[[int, int], str]
    ) -> Iterator[dict[str, Any]]:
        """Yield a row for each suit and hand with points."""
        for suit in range(4):
            for hand, seat in enumerate(self.names):
                if value := points[hand, suit, 0]:
                    yield _row(part, value, why(hand, suit), seat, SUITS[suit], self.texts[hand][suit])

    def _by_hand(self, part: str, points: np.ndarray, why: str) -> list[dict[str, Any]]:
        """Return a row for each hand."""
        return [_row(part, points[hand, 0], why, seat) for hand, seat in enumerate(self.names)]


def _row(part: str, points: int, why: str, seat: str = "", suit: str = "", cards: str = "") -> dict[str, Any]:
    """Return a row; points are in hundredths."""
    value = float(points) / 100
    return {"part": part, "seat": seat, "suit": suit, "cards": cards, "points": value, "why": why}
