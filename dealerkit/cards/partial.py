"""`PartialDeal`: a deal of which only some cards are known, as in lessons and bidding problems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dealerkit.cards.deal import Deal
from dealerkit.cards.names import (
    FULL_DECK,
    RANKS,
    SEAT_LETTERS,
    SEATS,
    SUIT_LETTERS,
    card_bit,
    seat_number,
)
from dealerkit.cards.text import arrange_diagram, describe_holders, format_hand, replace_symbols
from dealerkit.errors import ArgumentError, DealError

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals

_SEAT = re.compile(r"\s*([NESW])\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_UNKNOWN = ("-", "...", "?")
_DETAILS = ("vulnerable", "dealer", "board")


class PartialDeal(Mapping[str, str]):
    """A deal of which only some cards are known.

    It is a mapping from seats to their known cards, so it is accepted wherever a predeal is. If a hand in the
    text has fewer than 13 cards, its other cards are unknown. An ``x`` is an unnamed card below the ten; a
    suit with an x has no other cards. If three hands are complete, the fourth is known too.

    Parameters
    ----------
    hands : str or sequence of four ints
        PBN text, ``N:AKQJ.T98.5432.32 - 765.AKxx.xx.xxxx -`` with ``-`` or ``...`` for an unknown hand, or
        the known cards of north, east, south and west as uint64 in the layout of `Deals.hands`.
    vulnerable : {0, 1, 2, 3} or None
    dealer : {0, 1, 2, 3} or None
    board : int or None

    Attributes
    ----------
    hands : tuple of four ints
        The cards whose names are known.
    small : tuple of four tuples of four ints
        Numbers of unnamed cards below the ten, by seat and suit.
    vulnerable, dealer, board : int or None

    Raises
    ------
    DealError
        The text cannot be read, two seats have a card, or a seat has more than 13.

    Examples
    --------
    >>> problem = PartialDeal("N:AKQJ.T98.5432.32 - 765.AKxx.xx.xxxx -", dealer=0)
    >>> problem
    PartialDeal('N:AKQJ.T98.5432.32 - 765.AKxx.xx.xxxx -', dealer=0)
    >>> dict(problem)
    {'north': 'SAKQJ,HT98,D5432,C32', 'south': 'S765,HAKxx,Dxx,Cxxxx'}
    >>> print(problem.diagram())
    Dealer north  ♠ AKQJ
                  ♥ T98
                  ♦ 5432
                  ♣ 32
    ♠ ?                       ♠ ?
    ♥ ?                       ♥ ?
    ♦ ?                       ♦ ?
    ♣ ?                       ♣ ?
                  ♠ 765
                  ♥ AKxx
                  ♦ xx
                  ♣ xxxx
    """

    __slots__ = ("hands", "small", *_DETAILS)
    hands: tuple[int, int, int, int]
    small: tuple[tuple[int, int, int, int], ...]
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
        # A whole deal checks the details, which follow the same rules.
        details = Deal(_ANY_DEAL, vulnerable, dealer, board)
        if isinstance(hands, str):
            known, small = _parse(hands)
        else:
            known, small = [int(hand) for hand in hands], [[0] * 4 for _ in SEATS]
            if len(known) != 4 or any(hand & ~FULL_DECK for hand in known):
                raise DealError("the known cards are four hands as integers, in the layout of Deals.hands")
        if reason := describe_holders(known):
            raise DealError(reason)
        for seat, (hand, counts) in enumerate(zip(known, small, strict=True)):
            if (size := hand.bit_count() + sum(counts)) > 13:
                raise DealError(f"{SEATS[seat]} has {size} cards")
        # A single unknown hand has the cards that the three whole hands do not have.
        unknown = [seat for seat in range(4) if not known[seat] and not sum(small[seat])]
        if len(unknown) == 1 and sum(hand.bit_count() for hand in known) == 39:
            known[unknown[0]] = FULL_DECK & ~(known[0] | known[1] | known[2] | known[3])
        values = (tuple(known), tuple(map(tuple, small)), details.vulnerable, details.dealer, details.board)
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a PartialDeal is frozen: {name} cannot be replaced")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.pbn, self.vulnerable, self.dealer, self.board)

    # ------------------------------------------------------------ the known cards, as a predeal
    def __getitem__(self, seat: str) -> str:
        number = seat_number(seat)
        holdings = _format_holdings(self.hands[number], self.small[number])
        cards = ",".join(
            letter + holding for letter, holding in zip(SUIT_LETTERS, holdings, strict=True) if holding
        )
        if not cards:
            raise KeyError(seat)
        return cards

    def __iter__(self) -> Iterator[str]:
        return (name for seat, name in enumerate(SEATS) if self.count_known(seat))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, PartialDeal) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.hands, self.small, self.vulnerable, self.dealer, self.board

    def count_known(self, seat: int | str) -> int:
        """Return the number of known cards of a seat, 0 to 13, with and without names.

        >>> PartialDeal("N:AKQJ.T98.5432.32 - .AKxx.. -").count_known("south")
        4
        """
        number = seat_number(seat) if isinstance(seat, str) else seat
        return self.hands[number].bit_count() + sum(self.small[number])

    @property
    def is_whole(self) -> bool:
        """Whether all 52 cards are known by name."""
        return all(hand.bit_count() == 13 for hand in self.hands)

    @property
    def is_ending(self) -> bool:
        """Whether all hands have the same number of cards, fewer than 13: the others were played."""
        sizes = {self.count_known(seat) for seat in range(4)}
        return len(sizes) == 1 and 0 < max(sizes) < 13

    @property
    def played(self) -> int:
        """The cards played before an ending, in the layout of a hand; 0 for other deals."""
        union = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]
        return FULL_DECK & ~union if self.is_ending else 0

    # ------------------------------------------------------------ completion
    def complete(
        self, n: int = 1, *, given: str | None = None, seed: int | None = None, **options: Any
    ) -> Deals:
        """Deal the unknown cards.

        All deals that contain the known cards and meet the condition are equally likely.

        Parameters
        ----------
        n : int >= 0
            Number of deals.
        given : str or None
            A condition of the dealer language that every deal meets.
        seed : int or None
            Seed of the random numbers; None: a new one.
        **options
            Other arguments of `dealerkit.deal`.

        Returns
        -------
        Deals
            With dealer, vulnerability and board of this deal, as far as they are known.

        Raises
        ------
        ArgumentError
            This deal is an ending, whose other cards were played.
        PredealError
            No deal contains these cards.

        Examples
        --------
        >>> problem = PartialDeal("N:AKQJ.T98.5432.32 - 765.AKxx.xx.xxxx -", dealer=0)
        >>> deals = problem.complete(100, given="hcp(east) >= 12", seed=1)
        >>> len(deals), bool((deals.eval("hearts(south)") == 4).all()), set(deals.dealer.tolist())
        (100, True, {0})
        """
        from dealerkit.simulation.run import deal

        if self.is_ending:
            raise ArgumentError("this is an ending, whose other cards were played; there is nothing to deal")
        deals = deal(n, predeal=self, given=given, seed=seed, **options)
        columns = {
            name: [value] * len(deals) for name in _DETAILS if (value := getattr(self, name)) is not None
        }
        return deals.replace(**columns)

    # ------------------------------------------------------------ text
    @property
    def pbn(self) -> str:
        """The deal as PBN text, north first; a hand without known cards is ``-``.

        If a hand has fewer than 13 cards, its other cards are unknown.
        """
        texts = [
            ".".join(_format_holdings(hand, small)) if self.count_known(seat) else "-"
            for seat, (hand, small) in enumerate(zip(self.hands, self.small, strict=True))
        ]
        return f"N:{' '.join(texts)}"

    def diagram(self, *, symbols: bool = True) -> str:
        """Return the diagram of the known cards: ``?`` for unknown ones, ``-`` for a void.

        Parameters
        ----------
        symbols : bool
            Show suits as symbols; False: as letters.
        """
        return arrange_diagram(
            self.list_holdings(), self.vulnerable, self.dealer, self.board, symbols=symbols
        )

    def list_holdings(self) -> list[list[str]]:
        """Return the texts of the four suits of each seat in a diagram, north first.

        ``?`` means unknown cards, ``-`` a void.

        >>> PartialDeal("N:AK.Q.. - QJxx.Jxx.xx.xxxx -").list_holdings()[::2]
        [['AK?', 'Q?', '?', '?'], ['QJxx', 'Jxx', 'xx', 'xxxx']]
        """
        texts = []
        for seat, (hand, small) in enumerate(zip(self.hands, self.small, strict=True)):
            holdings = _format_holdings(hand, small)
            # A suit with an x is known as a whole, and so is a hand of 13 cards or of an ending.
            is_known = self.count_known(seat) == 13 or self.is_ending
            texts.append(
                [
                    holding or "-" if is_known or count else f"{holding}?"
                    for holding, count in zip(holdings, small, strict=True)
                ]
            )
        return texts

    def plot(
        self, ax: Any = None, *, figsize: tuple[float, float] | None = None, title: str | None = None
    ) -> Any:
        """Draw the diagram with board, dealer and vulnerability, ``?`` for unknown cards.

        Points are shown for a hand whose 13 cards are all known.

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

        hands = [
            (holdings, count_points(hand) if self.count_known(seat) == 13 else None)
            for seat, (hand, holdings) in enumerate(zip(self.hands, self.list_holdings(), strict=True))
        ]
        return plot_deal(self, hands, Place(ax, figsize, title))

    def __str__(self) -> str:
        return self.pbn

    def __repr__(self) -> str:
        details = [f"{name}={value}" for name in _DETAILS if (value := getattr(self, name)) is not None]
        return f"PartialDeal({', '.join([repr(self.pbn), *details])})"

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment
        from dealerkit.cards.html import render_partial  # only notebooks need it

        return render_fragment(render_partial(self), self.diagram())


_ANY_DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def _format_holdings(hand: int, small: Sequence[int]) -> list[str]:
    """Return the four suits of a hand as text, with an x for each small card."""
    return [holding + "x" * count for holding, count in zip(format_hand(hand).split("."), small, strict=True)]


def _parse(text: str) -> tuple[list[int], list[list[int]]]:
    """Return the known cards of a text and the numbers of small cards, north first."""
    found = _SEAT.fullmatch(replace_symbols(text).upper())
    first, rest = (SEAT_LETTERS.index(found[1]), found[2]) if found else (0, replace_symbols(text).upper())
    parts = rest.split()
    if len(parts) != 4:
        raise DealError(f"{text.strip()[:60]!r} is not four hands; an unknown hand is a dash")
    known, small = [0] * 4, [[0] * 4 for _ in SEATS]
    for place, part in enumerate(parts):
        seat = (first + place) % 4
        if part in _UNKNOWN:
            continue
        suits = part.replace("10", "T").split(".")
        if len(suits) != 4:
            raise DealError(f"{part!r} has {len(suits)} suits, not 4 joined by dots")
        for suit, letters in enumerate(suits):
            for letter in letters.replace("-", ""):
                if letter == "X":
                    small[seat][suit] += 1
                    continue
                rank = RANKS.find(letter)
                if rank < 0:
                    raise DealError(
                        f"{letter!r} in {part!r} is not a card; the cards are {RANKS[::-1]}, and x"
                    )
                if known[seat] & card_bit(suit, rank):
                    raise DealError(f"{part!r} has {SUIT_LETTERS[suit]}{letter} twice")
                known[seat] |= card_bit(suit, rank)
    return known, small
