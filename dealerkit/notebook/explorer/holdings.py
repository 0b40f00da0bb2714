"""Holdings in a suit as bridge players write them, converted to clauses of the dealer language and back.

``AKxx`` means exactly these cards, where each x is a card below the ten. ``AQxxx+`` and ``AQxxx or better``
mean all holdings of at least this length whose highest card is the ace and whose second highest is at least
the queen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dealerkit.cards.names import RANKS, SUIT_LETTERS, SUITS
from dealerkit.errors import ArgumentError, DealError, quote
from dealerkit.singledummy.combination import read_holding

HONOURS = "AKQJT"
N_LOW = len(RANKS) - len(HONOURS)  # number of cards in a suit that x can be
_BETTER = re.compile(r"\s*(\+|\bor\s+better)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Holding:
    """A pattern of cards in a suit.

    Attributes
    ----------
    cards : str
        Ranks, the highest first.
    n_low : int
        Number of x, which are cards below the ten, or any cards if `is_least`.
    is_least : bool
        Whether better holdings are included.

    Examples
    --------
    >>> parse_holding("AQxxx or better").list_clauses("south", "spades")
    ['aces(south, spades) >= 1', 'top3(south, spades) >= 2', 'spades(south) >= 5']
    >>> parse_holding("AKxx").list_clauses("south", "spades")
    ['hascard(south, AS)', 'hascard(south, KS)', 'top5(south, spades) == 2', 'spades(south) == 4']
    """

    cards: str
    n_low: int
    is_least: bool

    def __str__(self) -> str:
        return f"{self.cards}{'x' * self.n_low}{'+' * self.is_least}"

    def list_clauses(self, seat: str, suit: str) -> list[str]:
        """Return clauses that are all true exactly if a seat's hand has this holding in a suit."""
        length = len(self.cards) + self.n_low
        if self.is_least:
            # The k-th highest card is at least a certain honour if the hand has k cards from this honour
            # up. For touching honours, such as KQ, the clause of the last one is enough.
            places = [HONOURS.index(card) for card in self.cards]
            ends = [
                count
                for count, place in enumerate(places, start=1)
                if count == len(places) or places[count] > place + 1
            ]
            clauses = [f"{_name_top(places[count - 1])}({seat}, {suit}) >= {count}" for count in ends]
            return clauses + [f"{suit}({seat}) >= {length}"] * (self.n_low > 0)
        letter = SUIT_LETTERS[SUITS.index(suit)]
        clauses = [f"hascard({seat}, {card}{letter})" for card in self.cards]
        n_honours = sum(card in HONOURS for card in self.cards)
        return [*clauses, f"top5({seat}, {suit}) == {n_honours}", f"{suit}({seat}) == {length}"]


def parse_holding(text: str, owner: str = "the holding") -> Holding:
    """Read a holding such as ``AKxx``, ``KQ+`` or ``AQxxx or better``.

    Parameters
    ----------
    text : str
        The holding; 10 or T is the ten, and case does not matter.
    owner : str
        Whose cards they are, for messages.

    Returns
    -------
    Holding

    Raises
    ------
    ArgumentError
        The text is not a holding; the message starts with `owner`.

    Examples
    --------
    >>> str(parse_holding("q10xx OR better")), str(parse_holding("Kx"))
    ('QTxx+', 'Kx')
    """
    pattern, is_least = re.subn(_BETTER, "", text)
    try:
        ranks, n_low = read_holding(owner, pattern)
    except DealError as error:
        raise ArgumentError(f"{error}; write a holding such as AKxx, or AQxxx+ for AQxxx or better") from None
    cards = "".join(RANKS[rank] for rank in sorted(ranks, reverse=True))
    if not cards and not n_low:
        raise ArgumentError(
            f"{owner}: {quote(text, 20)} has no cards; for a void, enter the length from 0 to 0"
        )
    low = [card for card in cards if card not in HONOURS]
    if is_least and low:
        raise ArgumentError(
            f"{owner}: {quote(text, 20)} includes better holdings; write x for the {low[0]} and all cards "
            "below "
            "the ten"
        )
    if is_least and not cards:
        raise ArgumentError(f"{owner}: {quote(text, 20)} has no honour; enter the length instead")
    if len(low) + n_low > N_LOW and not is_least:
        raise ArgumentError(
            f"{owner}: {quote(text, 20)}; a suit has {N_LOW} cards below the ten, so write at most {N_LOW} "
            "of them"
        )
    if len(cards) + n_low > len(RANKS):
        raise ArgumentError(
            f"{owner}: {quote(text, 20)} has {len(cards) + n_low} cards; a suit has only {len(RANKS)}"
        )
    return Holding(cards, n_low, bool(is_least))


def find_holding(clauses: Sequence[str], seat: str, suit: str) -> tuple[Holding, list[str]] | None:
    """Find the holding that some clauses describe.

    Parameters
    ----------
    clauses : sequence of str
        Clauses of the dealer language.
    seat, suit : str
        The hand and its suit.

    Returns
    -------
    (Holding, list of str) or None
        The holding and the clauses that describe it; None if there is none. A holding that includes better
        ones has no x, because its least length has a field of its own.

    Examples
    --------
    >>> found = find_holding(["hcp(south) >= 5", "top3(south, spades) >= 2"], "south", "spades")
    >>> str(found[0]), found[1]
    ('KQ+', ['top3(south, spades) >= 2'])
    """
    # Exactly these cards
    letter = SUIT_LETTERS[SUITS.index(suit)]
    cards = [c for c in RANKS[::-1] if f"hascard({seat}, {c}{letter})" in clauses]
    length = _find_number(clauses, f"{suit}({seat}) == ")
    if length is not None and len(cards) <= length:
        exact = Holding("".join(cards), length - len(cards), False)
        needed = exact.list_clauses(seat, suit)
        if set(needed) <= set(clauses):
            return exact, needed
    # These honours or better
    needed = []
    places: list[int] = []
    for place in range(len(HONOURS)):
        start = f"{_name_top(place)}({seat}, {suit}) >= "
        number = _find_number(clauses, start)
        if number:
            needed.append(f"{start}{number}")
            places += range(place + 1 - (number - len(places)), place + 1)
    if not needed or places != sorted(set(places)) or places[0] < 0:
        return None
    least = Holding("".join(HONOURS[place] for place in places), 0, True)
    return (least, needed) if least.list_clauses(seat, suit) == needed else None


def _find_number(clauses: Sequence[str], start: str) -> int | None:
    """Return the number after `start` in the first clause that starts so, or None."""
    ends = (clause.removeprefix(start) for clause in clauses if clause.startswith(start))
    return next((int(end) for end in ends if end.isdecimal()), None)


def _name_top(place: int) -> str:
    """Return the name of the function that counts the honours down to a place in `HONOURS`."""
    return f"top{place + 1}" if place else "aces"
