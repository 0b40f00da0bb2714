"""Predealt cards, suit lengths and small cards.

A small card, written x, is a card below the ten that no seat has by name. A holding
with an x is the complete holding of its suit, as bridge players read ``AKxx``: the seat
gets its named cards, as many small ones as there are x, and no other card of the suit.
A holding without an x may be incomplete: after ``SAK``, more spades may be dealt.
``SAK+`` means the same and makes it visible.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import factorial, perm, prod

from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import is_listing
from dealerkit.cards.names import RANKS, SEATS, SUIT_LETTERS, SUITS, card_bit, seat_number, suit_number
from dealerkit.cards.text import VOIDS, replace_symbols, split_suits
from dealerkit.dealing.card_splits import Fixed, Lengths, count_divisions, list_side_lengths
from dealerkit.errors import ArgumentError, PredealError, quote
from dealerkit.runtime.process import cached_property

Card = tuple[int, int, int]
Holding = str | Mapping[str, int]
TEN = 8  # the rank of the ten; small cards have lower ranks
_LETTER = re.compile(r"(?<![^\s,])([SHDC]):?\s+(?![SHDC])", re.IGNORECASE)  # a suit apart from its ranks


@limit_repr
@dataclass(frozen=True)
class Predeal:
    """Cards, suit lengths and small cards that seats get in every deal.

    Parameters
    ----------
    cards : tuple of (seat, suit, rank)
        In the order in which they were written (the classic stream of dealer v1 depends
        on it). Seats N E S W = 0..3, suits S H D C = 0..3, ranks 0 (deuce) to 12 (ace).
    lengths : tuple of (seat, suit, length)
        Exact number of cards, 0..13, that the seat holds in the suit, predealt ones included.
    small : tuple of (seat, suit, count)
        The seat's complete holding is its cards of the suit in `cards` and `count` other cards, 0..8,
        below the ten, that no seat has by name.

    Notes
    -----
    `masks`, `needs`, `free` and `fixed` take only `cards` and `lengths` into account. With small cards, use
    those of `representative`.

    Examples
    --------
    >>> predeal = Predeal.from_mapping({"north": "SAKQ,H5", "west": {"spades": 7}})
    >>> predeal.check()
    >>> predeal.lengths
    ((3, 0, 7),)
    >>> hex(predeal.masks[0])
    '0x1c00000800000000'
    >>> predeal.n_deals
    243280026830240658720000
    >>> Predeal.from_mapping({"east": "SAKxx"}).small  # two of the eight spades below the ten
    ((1, 0, 2),)
    """

    cards: tuple[Card, ...] = ()
    lengths: tuple[tuple[int, int, int], ...] = ()
    small: tuple[tuple[int, int, int], ...] = ()

    @classmethod
    def from_mapping(cls, given: Mapping[str, Holding | Iterable[Holding]]) -> Predeal:
        """Return the predeal that a mapping describes.

        Parameters
        ----------
        given : mapping
            Seat name or letter to a text of cards (``"SAKQ,H5"``: suit letter, then
            ranks; or the hand notation of PBN, ``"AKQ.5.."``, which may have fewer than
            13 cards), to a mapping from suit name or letter to a length, or to a list of both.
            An x in a text is a small card: ``"SAKxx,H5"`` is exactly four spades, ace, king and
            two of the deuce to the nine, and the five of hearts; ``"QTxx.J8x.9x.Q9xx"``, with dots, is a
            complete hand. ``"SAK+"`` is another spelling of ``"SAK"``: at least these cards of the suit.
            ``"SAK,H-"`` has no hearts. As in all hands that you type, suits may be separated by blanks, a
            void may be a dash or the word void, and symbols of suits and 10 are understood.

        Raises
        ------
        PredealError
            A name or text cannot be read, or no deal can comply (see `check`).
        """
        cards: list[Card] = []
        lengths: list[tuple[int, int, int]] = []
        small: list[tuple[int, int, int]] = []
        if not isinstance(given, Mapping):
            raise PredealError(
                f"predeal is {quote(given)}; it must be a mapping such as {{'north': 'SAKQ,H5'}}"
            )
        for name, value in given.items():
            seat = _read_name(seat_number, name)
            single = isinstance(value, str | Mapping) or not is_listing(value)
            for part in [value] if single else value:
                if isinstance(part, str):
                    for suit, ranks, count, is_void in _parse_holdings(part):
                        cards += [(seat, suit, rank) for rank in ranks]
                        if count:
                            small.append((seat, suit, count))
                        if count or is_void:
                            # With its length, a second description of the suit is an error.
                            lengths.append((seat, suit, len(ranks) + count))
                elif isinstance(part, Mapping):
                    lengths += [
                        (seat, _read_name(suit_number, suit), _read_length(n)) for suit, n in part.items()
                    ]
                else:
                    raise PredealError(
                        f"predeal of {name}: {quote(part)}; it must be a text such as 'SAKQ,H5' or a mapping "
                        "such as {'spades': 5}"
                    )
        predeal = cls(tuple(cards), tuple(lengths), tuple(small))
        predeal.check()
        return predeal

    def __bool__(self) -> bool:
        return bool(self.cards or self.lengths or self.small)

    def __add__(self, other: Predeal) -> Predeal:
        """Return the cards and lengths of both, unchecked."""
        return Predeal(self.cards + other.cards, self.lengths + other.lengths, self.small + other.small)

    @cached_property
    def masks(self) -> tuple[int, int, int, int]:
        """The predealt cards of each seat, in the layout of a hand."""
        hands = [0, 0, 0, 0]
        for seat, suit, rank in self.cards:
            hands[seat] |= card_bit(suit, rank)
        return tuple(hands)  # type: ignore[return-value]

    @cached_property
    def counts(self) -> tuple[Lengths, ...]:
        """Number of cards of each suit that are predealt to each seat, [seat][suit]."""
        places = Counter(card[:2] for card in self.cards)
        return tuple(tuple(places[seat, suit] for suit in range(4)) for seat in range(4))  # type: ignore[misc]

    @property
    def needs(self) -> Lengths:
        """Number of cards that each seat still lacks."""
        return tuple(13 - hand.bit_count() for hand in self.masks)  # type: ignore[return-value]

    @property
    def free(self) -> Lengths:
        """Number of cards of each suit that are not predealt."""
        return tuple(13 - sum(column) for column in zip(*self.counts, strict=True))

    @property
    def fixed(self) -> Fixed:
        """Number of free cards that each seat gets, [seat][suit]; None if the length is not predealt."""
        fixed: list[list[int | None]] = [[None] * 4 for _ in range(4)]
        for seat, suit, length in self.lengths:
            fixed[seat][suit] = length - self.counts[seat][suit]
        return tuple(tuple(row) for row in fixed)

    @cached_property
    def spot_ranks(self) -> tuple[tuple[int, ...], ...]:
        """The ranks below the ten of each suit that no seat has by name, rising."""
        named = {card[1:] for card in self.cards}
        return tuple(
            tuple(rank for rank in range(TEN) if (suit, rank) not in named) for suit in range(len(SUITS))
        )

    @cached_property
    def representative(self) -> Predeal:
        """The predeal with a named card instead of each x: the lowest for north, then for east, south, west.

        The deals that comply with this predeal are those that comply with its representative, with the
        spot cards of each suit (those of `spot_ranks`) exchanged in any way.
        """
        cards, lengths = list(self.cards), list(self.lengths)
        spots = [iter(ranks) for ranks in self.spot_ranks]
        for seat, suit, count in sorted(self.small):
            cards += [(seat, suit, rank) for rank in islice(spots[suit], count)]
            lengths.append((seat, suit, count + self.counts[seat][suit]))
        return Predeal(tuple(cards), tuple(lengths)) if self.small else self

    @property
    def n_deals(self) -> int:
        """Exact number of deals that comply; raises a PredealError if there are none."""
        self.check()
        return _count(self)

    def check(self) -> None:
        """Raise a PredealError if no deal can comply.

        Raises
        ------
        PredealError
            The message gives the card, seat or suit that makes it impossible.
        """
        _check_cards(self)
        if self.small:
            _check_small(self)
            _check_cards(self.representative)
        _check_lengths(self.representative, self)
        if not _count(self):
            raise PredealError(
                "no deal complies with the predeal: each card and length is possible, but not all of them "
                "together; leave out one of them"
            )


@lru_cache(maxsize=256)
def _count(predeal: Predeal) -> int:
    """Return the number of deals that comply with a checked predeal."""
    if predeal.small:  # each choice of small cards is in as many deals as the representative's
        ways = 1
        for suit, spots in enumerate(predeal.spot_ranks):
            counts = [count for _, own, count in predeal.small if own == suit]
            ways *= perm(len(spots), sum(counts)) // prod(map(factorial, counts))
        return ways * _count(predeal.representative)
    if predeal.lengths:
        return sum(weight for weight, _ in list_side_lengths(predeal.free, predeal.needs, predeal.fixed))
    return count_divisions(predeal.needs)


def _check_cards(predeal: Predeal) -> None:
    """Raise a PredealError if a card does not exist or is predealt twice, or a seat gets too many cards."""
    owner: dict[tuple[int, int], int] = {}
    for seat, suit, rank in predeal.cards:
        if not (0 <= seat < 4 and 0 <= suit < 4 and 0 <= rank < 13):
            raise PredealError(
                f"there is no card {(seat, suit, rank)}: seats and suits are 0..3, ranks 0..12"
            )
        if (suit, rank) in owner:
            first = owner[suit, rank]
            to = f"twice to {SEATS[seat]}" if first == seat else f"to {SEATS[first]} and to {SEATS[seat]}"
            raise PredealError(f"card {SUIT_LETTERS[suit]}{RANKS[rank]} is predealt {to}")
        owner[suit, rank] = seat
    for seat, name in enumerate(SEATS):
        if (count := sum(predeal.counts[seat])) > 13:
            raise PredealError(f"{count} cards are predealt to {name}; a hand has 13")


def _check_small(predeal: Predeal) -> None:
    """Raise a PredealError if a holding is described twice, or there are not enough small cards."""
    n_small: Counter[int] = Counter()
    places = set()
    # Each place is described once.
    for seat, suit, count in predeal.small:
        if not (0 <= seat < 4 and 0 <= suit < 4 and 0 <= count <= TEN):
            raise PredealError(
                f"there are no small cards {(seat, suit, count)}: seats and suits are 0..3, counts 0 to {TEN}"
            )
        if (seat, suit) in places:
            hint = _explain_small(predeal, seat, suit)
            raise PredealError(
                f"the {SUITS[suit]} of {SEATS[seat]} are described twice; write them once{hint}"
            )
        places.add((seat, suit))
        n_small[suit] += count
    # Each suit has enough cards below the ten.
    for suit, name in enumerate(SUITS):
        if n_small[suit] > len(predeal.spot_ranks[suit]):
            raise PredealError(
                f"{n_small[suit]} small {name} (x) are predealt, "
                f"but only {len(predeal.spot_ranks[suit])} {name} below the ten have no seat by name"
            )


def _check_lengths(predeal: Predeal, written: Predeal) -> None:
    """Raise a PredealError if a length contradicts another one, the cards, or the sum of 13.

    `predeal` is the representative of the predeal as it was `written`, with small cards.
    """
    # Each length by itself, and against the cards.
    given: dict[tuple[int, int], int] = {}
    for seat, suit, length in predeal.lengths:
        if not (0 <= seat < 4 and 0 <= suit < 4):
            raise PredealError(f"there is no seat and suit {(seat, suit)}: both are from 0 to 3")
        text = f"{SUITS[suit]}({SEATS[seat]})"
        if not 0 <= length <= 13:
            raise PredealError(f"{text} == {length}: a length must be from 0 to 13")
        if given.setdefault((seat, suit), length) != length:
            hint = _explain_small(written, seat, suit)
            raise PredealError(f"{text} is predealt as {given[seat, suit]} and as {length}{hint}")
        held = predeal.counts[seat][suit]
        if held > length:
            hint = _explain_small(written, seat, suit)
            raise PredealError(
                f"{text} == {length}, but {held} {SUITS[suit]} are predealt to {SEATS[seat]}{hint}"
            )
    # Suits and hands have thirteen cards each.
    for axis, names, whole in ((1, SUITS, "suit"), (0, SEATS, "hand")):
        for index, name in enumerate(names):
            lengths = [length for place, length in given.items() if place[axis] == index]
            total = sum(lengths)
            if total > 13 or (len(lengths) == 4 and total != 13):
                raise PredealError(
                    f"the predealt lengths of {name} add up to {total}; a {whole} has 13 cards"
                )


def _explain_small(predeal: Predeal, seat: int, suit: int) -> str:
    """Return a hint that an x makes a holding complete, or an empty text if the holding has no x."""
    if not any(entry[:2] == (seat, suit) for entry in predeal.small):
        return ""
    ranks = sorted((card[2] for card in predeal.cards if card[:2] == (seat, suit)), reverse=True)
    named = SUIT_LETTERS[suit] + "".join(RANKS[rank] for rank in ranks)
    open_suit = f"; {named}+ means at least these cards" if ranks else ""
    return f"; an x means that a hand has no other {SUITS[suit]}{open_suit}"


def _read_name(number: Callable[[str], int], name: str) -> int:
    """Return the number of a seat or suit (`seat_number`, `suit_number`)."""
    try:
        return number(name)
    except ArgumentError as error:
        raise PredealError(f"predeal: {error}") from None


def _read_length(value: object) -> int:
    """Return a length as an int."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise PredealError(f"predeal: a length must be a whole number, not {quote(value, 40)}") from None


def _parse_holdings(text: str) -> list[tuple[int, list[int], int, bool]]:
    """Return suit, ranks, number of small cards of each holding, and whether it is a void.

    ``SAKQ,H5xx``, ``SAKQ,H-`` and ``AKQ.5..`` are such texts. A whole hand needs no voids.
    """
    # The text of each suit, in either notation. Four words without suit letters are a hand with dots.
    words = _LETTER.sub(r"\1", replace_symbols(text)).replace(",", " ").split()
    has_letters = any(word[0].upper() in SUIT_LETTERS for word in words)
    is_hand = "." in text or (len(words) == 4 and not has_letters)
    if is_hand:
        written = list(enumerate(split_suits(text)))
        if len(written) != 4:
            raise PredealError(f"{text!r}: a hand with dots must have four suits, spades first: AKQ.5..")
    else:
        written = []
        for word in words:
            if word[0].upper() not in SUIT_LETTERS:
                raise PredealError(
                    f"{word!r} in {text!r}: a holding must be a suit letter and ranks, such as SAKQ; "
                    "a whole hand has dots, spades first: AKQ.5.J932.KT874"
                )
            written.append((SUIT_LETTERS.index(word[0].upper()), word[1:]))
    # The ranks and the number of small cards of each suit.
    holdings: list[tuple[int, list[int], int, bool]] = []
    for suit, letters in written:
        letters = letters.upper().replace("10", "T")
        if letters in VOIDS:
            holdings.append((suit, [], 0, True))
            continue
        # A + means at least these cards, which is so without it unless there is an x.
        if letters.endswith("+"):
            letters = letters[:-1]
            if "X" in letters:
                raise PredealError(
                    f"{text!r}: an x makes the holding complete, but + means at least these cards; "
                    "write one of them, and put the length in the condition"
                )
            if not letters:
                raise PredealError(f"{text!r}: a + must follow the cards of a suit, as in SAK+")
        for letter in letters:
            if letter not in RANKS + "X":
                raise PredealError(
                    f"{letter!r} in {text!r} is not a rank; ranks are {RANKS[::-1]}, and x is a small card"
                )
        ranks = [RANKS.index(letter) for letter in letters if letter != "X"]
        holdings.append((suit, ranks, letters.count("X"), False))
    # A hand with dots describes all four suits, so with an x it must be complete.
    size = sum(len(ranks) + count for _, ranks, count, _ in holdings)
    if is_hand and size != 13 and any(count for _, _, count, _ in holdings):
        raise PredealError(
            f"{text!r} has {size} cards; a hand with dots and an x must have 13. "
            "To predeal only some of its suits, write them with letters, as in SQTxx,HJ8x"
        )
    return [(suit, ranks, count, is_void and size < 13) for suit, ranks, count, is_void in holdings]
