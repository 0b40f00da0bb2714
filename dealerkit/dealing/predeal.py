"""Cards and suit lengths that are settled before the deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial, prod
from typing import Any

from dealerkit.cards.names import RANKS, SEATS, SUIT_LETTERS, SUITS, card_bit
from dealerkit.dealing.splits import Fixed, Lengths, side_classes
from dealerkit.errors import NotYetError, PredealError, nearest

Card = tuple[int, int, int]
Holding = str | Mapping[str, int]


@dataclass(frozen=True)
class Predeal:
    """Cards given to seats, and lengths of suits demanded of them.

    Parameters
    ----------
    cards : tuple of (seat, suit, rank)
        In the order in which they were named (the classic stream of dealer v1 depends
        on it). Seats N E S W = 0..3, suits S H D C = 0..3, ranks 0 (deuce) to 12 (ace).
    lengths : tuple of (seat, suit, length)
        Exact number of cards, 0..13, that the seat holds in the suit, predealt ones included.

    Examples
    --------
    >>> predeal = Predeal.from_mapping({"north": "SAKQ,H5", "west": {"spades": 7}})
    >>> predeal.check()
    >>> predeal.lengths
    ((3, 0, 7),)
    >>> hex(predeal.masks[0])
    '0x1c00000800000000'
    >>> predeal.deals
    243280026830240658720000
    """

    cards: tuple[Card, ...] = ()
    lengths: tuple[tuple[int, int, int], ...] = ()

    @classmethod
    def from_mapping(cls, given: Mapping[str, Holding | Iterable[Holding]]) -> Predeal:
        """Read what Python users write.

        Parameters
        ----------
        given : mapping
            Seat name or letter to a text of cards (``"SAKQ,H5"``: suit letter, then
            ranks; or the hand notation of PBN, ``"AKQ.5.."``, which may be short of 13
            cards), to a mapping from suit name or letter to a length, or to a list of such.

        Raises
        ------
        PredealError
            For a name or text that cannot be read, and for all that `check` refuses.
        """
        cards: list[Card] = []
        lengths: list[tuple[int, int, int]] = []
        for name, value in given.items():
            seat = _index(name, SEATS, "seat")
            for part in [value] if isinstance(value, str | Mapping) else value:
                if isinstance(part, str):
                    cards += [(seat, suit, rank) for suit, rank in _cards(part)]
                else:
                    lengths += [(seat, _index(suit, SUITS, "suit"), length) for suit, length in part.items()]
        predeal = cls(tuple(cards), tuple(lengths))
        predeal.check()
        return predeal

    def __bool__(self) -> bool:
        return bool(self.cards or self.lengths)

    @cached_property
    def masks(self) -> tuple[int, int, int, int]:
        """The predealt cards of each seat, in the layout of a hand."""
        hands = [0, 0, 0, 0]
        for seat, suit, rank in self.cards:
            hands[seat] |= card_bit(suit, rank)
        return tuple(hands)  # type: ignore[return-value]

    @property
    def needs(self) -> Lengths:
        """How many cards each seat still lacks."""
        return tuple(13 - hand.bit_count() for hand in self.masks)  # type: ignore[return-value]

    @property
    def free(self) -> Lengths:
        """How many cards of each suit are not predealt."""
        return tuple(13 - sum(card[1] == suit for card in self.cards) for suit in range(4))  # type: ignore[return-value]

    @property
    def fixed(self) -> Fixed:
        """[seat][suit]: how many of the free cards the seat must get; None where nothing is demanded."""
        fixed: list[list[int | None]] = [[None] * 4 for _ in range(4)]
        for seat, suit, length in self.lengths:
            fixed[seat][suit] = length - sum(card[:2] == (seat, suit) for card in self.cards)
        return tuple(tuple(row) for row in fixed)

    @property
    def deals(self) -> int:
        """Number of deals that comply, exactly."""
        self.check()
        return _count(self)

    def check(self) -> None:
        """Refuse at once what no deal can satisfy.

        Raises
        ------
        PredealError
            Naming the card, seat or suit that is at fault.
        """
        _check_cards(self)
        _check_lengths(self)
        if not _count(self):
            raise PredealError(
                "no deal satisfies the predeal: its cards and lengths are possible one by one, not together"
            )


@lru_cache(maxsize=256)
def _count(predeal: Predeal) -> int:
    if predeal.lengths:
        return sum(weight for weight, _ in side_classes(predeal.free, predeal.needs, predeal.fixed))
    return factorial(sum(predeal.needs)) // prod(map(factorial, predeal.needs))


def _check_cards(predeal: Predeal) -> None:
    owner: dict[tuple[int, int], int] = {}
    for seat, suit, rank in predeal.cards:
        if not (0 <= seat < 4 and 0 <= suit < 4 and 0 <= rank < 13):
            raise PredealError(f"there is no card {(seat, suit, rank)}: seats, suits 0..3, ranks 0..12")
        if (suit, rank) in owner:
            first = owner[suit, rank]
            to = f"twice to {SEATS[seat]}" if first == seat else f"to {SEATS[first]} and to {SEATS[seat]}"
            raise PredealError(f"card {SUIT_LETTERS[suit]}{RANKS[rank]} is predealt {to}")
        owner[suit, rank] = seat
    for seat, name in enumerate(SEATS):
        if (count := sum(card[0] == seat for card in predeal.cards)) > 13:
            raise PredealError(f"{count} cards are predealt to {name}; a hand has 13")


def _check_lengths(predeal: Predeal) -> None:
    demanded: dict[tuple[int, int], int] = {}
    for seat, suit, length in predeal.lengths:
        if not (0 <= seat < 4 and 0 <= suit < 4):
            raise PredealError(f"there is no seat and suit {(seat, suit)}: both are 0..3")
        where = f"{SUITS[suit]}({SEATS[seat]})"
        if not 0 <= length <= 13:
            raise PredealError(f"{where} == {length}: a length lies between 0 and 13")
        if demanded.setdefault((seat, suit), length) != length:
            raise PredealError(f"{where} is predealt as {demanded[seat, suit]} and as {length}")
        held = sum(card[:2] == (seat, suit) for card in predeal.cards)
        if held > length:
            raise PredealError(f"{where} == {length}, but {held} {SUITS[suit]} are predealt to {SEATS[seat]}")
    for axis, names, whole in ((1, SUITS, "suit"), (0, SEATS, "hand")):
        for index, name in enumerate(names):
            lengths = [length for place, length in demanded.items() if place[axis] == index]
            total = sum(lengths)
            if total > 13 or (len(lengths) == 4 and total != 13):
                raise PredealError(
                    f"the predealt lengths of {name} add up to {total}; a {whole} has 13 cards"
                )


def _index(name: str, names: tuple[str, ...], what: str) -> int:
    word = str(name).lower()
    for index, known in enumerate(names):
        if word in (known, known[0], known.removesuffix("s")):
            return index
    raise PredealError(f"unknown {what} {name!r} in a predeal{nearest(word, names)}")


def _cards(text: str) -> list[tuple[int, int]]:
    """Suits and ranks of ``SAKQ,H5`` or ``AKQ.5..``, in the order in which they stand."""
    if "." in text:
        holdings = list(enumerate(text.strip().split(".")))
        if len(holdings) != 4:
            raise PredealError(f"{text!r}: a hand with dots has four suits, spades first")
    else:
        holdings = []
        for word in text.replace(",", " ").split():
            if word[0].upper() not in SUIT_LETTERS:
                raise PredealError(f"{word!r} in {text!r}: a holding is suit letter, then ranks: SAKQ")
            holdings.append((SUIT_LETTERS.index(word[0].upper()), word[1:]))
    found: list[tuple[int, int]] = []
    for suit, ranks in holdings:
        for letter in ranks.upper().replace("10", "T"):
            if letter == "X":
                raise NotYetError(f"{text!r}: small cards (x) are not dealt yet; predeal a length")
            if letter not in RANKS:
                raise PredealError(f"{letter!r} in {text!r} is no rank; ranks are {RANKS[::-1]}")
            found.append((suit, RANKS.index(letter)))
    return found


def as_predeal(given: Any) -> Predeal | None:
    """A checked `Predeal` from one, from a mapping or from None; None where nothing is predealt."""
    predeal = given if isinstance(given, Predeal) or given is None else Predeal.from_mapping(given)
    if not predeal:
        return None
    predeal.check()
    return predeal
