"""`breaks`: how the missing cards of a suit divide, who has the honours, and when they drop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Note, format_note
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import check_integer
from dealerkit.cards.names import RANKS
from dealerkit.errors import ArgumentError, DealError, quote
from dealerkit.singledummy import (
    TEN,
    Combination,
    check_vacant,
    restrict_layouts,
    split_blocks,
    weigh_layouts,
)
from dealerkit.singledummy.combination import MOST_MISSING, read_holding
from dealerkit.studies.provenance import RepeatableResult, repeatable
from dealerkit.studies.suit_play.trees import RANK_NAMES

if TYPE_CHECKING:
    import pandas as pd

ROUNDS = (1, 2, 3)  # rounds of the suit in which an honour may drop


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class Breaks(RepeatableResult):
    """How the missing cards of a suit are divided, as `breaks` returns it.

    Attributes
    ----------
    combination : Combination
        The combination with the missing cards.
    weights : tuple of Fraction [2 ** missing cards]
        Probabilities of the layouts. Bit i of a layout's number says that west has the i-th highest missing
        card.
    facts : tuple of str
        The assumptions, in words.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> {division: round(share, 4) for division, share in dk.breaks(5).divisions.items()}
    {'3-2': 0.6783, '4-1': 0.2826, '5-0': 0.0391}
    """

    combination: Combination
    weights: tuple[Fraction, ...]
    facts: tuple[str, ...] = ()

    @property
    def n_missing(self) -> int:
        """Number of missing cards."""
        return len(self.combination.missing)

    @property
    def lengths(self) -> dict[int, float]:
        """The probability of each length of west's holding, 0 to 1."""
        return {length: float(self._sum_length(length)) for length in range(self.n_missing + 1)}

    @property
    def divisions(self) -> dict[str, float]:
        """The probability of each division, either way: ``{"3-2": ...}``, the most even one first."""
        return {name: west + east for name, west, east in self._list_divisions()}

    def chance(self, west: str = "", east: str = "") -> float:
        """Return the probability of facts about the defenders' holdings, 0 to 1.

        Parameters
        ----------
        west, east : str
            Cards, a length, or both: ``"K"``, ``"2-4"``, ``"K 1-2"``. All of them must be true.

        Raises
        ------
        ArgumentError
            The text cannot be read, or a card is not missing.

        Examples
        --------
        >>> import dealerkit as dk
        >>> round(dk.breaks("Kxxxx").chance(east="K 1-2"), 4)  # the king onside, falling by the second round
        0.1639
        """
        allowed = restrict_layouts(self.combination, west, east)
        return float(sum(weight for weight, is_so in zip(self.weights, allowed, strict=True) if is_so))

    def _sum_length(self, length: int) -> Fraction:
        """Return the probability of a length in west's hand."""
        total = Fraction(0)
        for layout, weight in enumerate(self.weights):
            if layout.bit_count() == length:
                total += weight
        return total

    def _list_divisions(self) -> Iterator[tuple[str, float, float]]:
        """Yield each division with its probabilities: west longer, and east longer; an even one at west."""
        for shorter in range(self.n_missing // 2, -1, -1):
            longer = self.n_missing - shorter
            west, east = (float(self._sum_length(length)) for length in (longer, shorter))
            yield f"{longer}-{shorter}", west, east if longer > shorter else 0.0

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each division, the most even one first.

        - division (index): ``"3-2"``
        - probability: of both ways together, 0 to 1
        - west_longer, east_longer: of each way; missing if both have the same number
        """
        return self._tabulate_divisions().to_frame().set_index("division")

    @property
    def honours(self) -> pd.DataFrame:
        """A row for each missing honour.

        - card (index): ``"K"``
        - west, east: the probability that this defender has it
        - falls_1, falls_2, falls_3: probability that its holder has at most this many cards of the suit
        """
        return self._tabulate_honours().to_frame().set_index("card")

    def _tabulate_divisions(self) -> Table:
        columns = [
            Column("division", kind="name"),
            Column("probability", kind="share", decimals=2),
            Column("west_longer", "west longer", "share", decimals=2),
            Column("east_longer", "east longer", "share", decimals=2),
        ]
        rows = []
        for name, west, east in self._list_divisions():
            longer, shorter = name.split("-")
            is_even = longer == shorter
            rows.append([name, west + east, None if is_even else west, None if is_even else east])
        return Table(columns, rows, "Breaks")

    def _tabulate_honours(self) -> Table:
        columns = [
            Column("card", kind="name"),
            Column("west", "with west", "share", decimals=2),
            Column("east", "with east", "share", decimals=2),
            *(
                Column(f"falls_{rounds}", f"falls in {rounds}", "share", decimals=2)
                for rounds in ROUNDS
            ),
        ]  # fmt: skip
        rows: list[list[str | float]] = []
        for rank in self.combination.missing:
            if rank >= TEN:
                card = RANKS[rank]
                falls = [
                    self.chance(west=f"{card} 1-{rounds}") + self.chance(east=f"{card} 1-{rounds}")
                    for rounds in ROUNDS
                ]
                rows.append([card, self.chance(west=card), self.chance(east=card), *falls])
        return Table(columns, rows, "Honours")

    @property
    def title(self) -> str:
        """The missing cards."""
        return f"Missing {self.combination.format_ranks(self.combination.missing)}"

    def card(self) -> Card:
        """The card: the divisions, then the missing honours."""
        tables, notes = [self._tabulate_divisions()], []
        honours = self._tabulate_honours()
        if honours.rows:
            tables.append(honours)
            notes.append(
                "Falls in 2: the defender who has it has at most two cards of the suit, so it drops "
                "when the suit is led twice."
            )
        return Card(
            self.title, self._summarize(), about=self.facts, tables=tables, notes=notes,
            provenance=self._list_facts(),
        )  # fmt: skip

    def _summarize(self) -> Note:
        """Return the probability of the most even break."""
        name, west, east = next(self._list_divisions())
        return f"{name}: ", Quantity(west + east, "share", decimals=2), "."

    def __repr__(self) -> str:
        return f"<Breaks: {self.title}; {format_note(self._summarize())}>"


@repeatable
def breaks(
    missing: int | str,
    *,
    vacant: Sequence[int] = (13, 13),
    west: str | None = None,
    east: str | None = None,
    west_played: str = "",
    east_played: str = "",
) -> Breaks:
    """Return how the missing cards of a suit divide, and who has the honours, exactly.

    If west has w of the n missing cards, a layout has the weight C(VW + VE - n, VW - w), where VW and VE are
    the vacant places. Cards that were played multiply this weight, according to the rule of restricted
    choice: a defender plays a card of the lowest rank it has, and chooses between equal cards with equal
    probability. So a defender with both queen and jack would have played the other one half of the time.

    Parameters
    ----------
    missing : int or str
        The missing cards, ``"QJxx"``, with x for small ones; or only their number.
    vacant : (int, int)
        Vacant places of west and east, including this suit: 13 minus the cards known to be in other suits.
    west, east : str, optional
        What is known about a defender: cards, a length, or both, as in ``"K"``, ``"2-4"``, ``"K 3+"``.
    west_played, east_played : str
        Cards of this suit that a defender chose to play, in their order, ``"xJ"``; x is any card below the
        ten, or one that is an x among the missing cards.

    Returns
    -------
    Breaks
        Frozen, with `divisions`, `lengths`, `chance`, `frame`, `honours`, `text` and HTML.

    Raises
    ------
    DealError
        Cards cannot be read; ten or more cards are missing; a card played is not missing.
    ArgumentError
        Facts contradict each other.

    Examples
    --------
    >>> import dealerkit as dk
    >>> round(dk.breaks(6).divisions["3-3"], 4)
    0.3553
    >>> after = dk.breaks("QJxx", west_played="xx", east_played="J")
    >>> round(after.chance(west="Q"), 3)  # the finesse against the queen, by restricted choice
    0.647
    """
    # The missing cards are those that the declaring side does not have
    if isinstance(missing, str):
        ranks, n_small = read_holding("missing", missing)
    else:
        ranks, n_small = [], check_integer("missing", missing, 1, MOST_MISSING)
    n_missing = len(ranks) + n_small
    if not 0 < n_missing <= MOST_MISSING:
        raise DealError(f"{n_missing} cards are missing; give 1 to {MOST_MISSING} of them")
    plain = [rank for rank in range(13) if rank not in ranks][:n_small]
    small = {*range(TEN), *plain}
    ranks = ranks + plain
    combination = Combination("".join(RANKS[rank] for rank in range(13) if rank not in ranks), "")
    # The probability of each layout
    places = check_vacant(vacant)
    facts = [] if places == (13, 13) else [f"Vacant places: west {places[0]}, east {places[1]}."]
    weights = [Fraction(int(weight)) for weight in weigh_layouts(combination, places)]
    allowed = restrict_layouts(combination, west, east)
    weights = [weight * int(is_so) for weight, is_so in zip(weights, allowed, strict=True)]
    facts += [f"{seat} has {text}." for seat, text in (("West", west), ("East", east)) if text is not None]
    for seat, text in (("west", west_played), ("east", east_played)):
        if text:
            played = _read_played(combination, seat, text)
            likelihoods = _weigh_plays(combination, seat, played, small)
            weights = [weight * part for weight, part in zip(weights, likelihoods, strict=True)]
            facts.append(f"{seat.capitalize()} has played {text}, each of equal cards as often.")
    total = sum(weights, Fraction(0))
    if not total:
        raise ArgumentError(
            f"no layout of {combination.format_ranks(combination.missing)} agrees with all that is known: "
            f"{' '.join(facts)}"
        )
    return Breaks(combination, tuple(weight / total for weight in weights), tuple(facts))


def _read_played(combination: Combination, seat: str, text: str) -> list[int | None]:
    """Return the ranks of the cards that were played; None for x."""
    played: list[int | None] = []
    for letter in str(text).upper().replace("10", "T").replace(" ", ""):
        rank = RANKS.find(letter)
        if letter == "X":
            played.append(None)
        elif rank not in combination.missing:
            missing = combination.format_ranks(combination.missing)
            raise DealError(
                f"{letter!r} in {seat}_played {quote(text, 40)} is not one of the missing cards {missing}"
            )
        elif rank in played:
            raise DealError(f"{seat}_played {quote(text, 40)} has the {RANK_NAMES[rank]} twice")
        else:
            played.append(rank)
    return played


def _weigh_plays(
    combination: Combination, seat: str, played: Sequence[int | None], small: Set[int]
) -> list[Fraction]:
    """Return, for each layout, the probability that a defender plays these cards; None is a small card.

    It plays from its lowest group of equal cards, each with the same probability.
    """
    groups = split_blocks(combination).groups
    full = 2 ** len(combination.missing) - 1
    likelihoods = []
    for layout in range(full + 1):
        held = layout if seat == "west" else full - layout
        ranks = {rank for place, rank in enumerate(combination.missing) if held >> place & 1}
        likelihoods.append(_weigh_holding(groups, ranks, played, small))
    return likelihoods


def _weigh_holding(
    groups: Sequence[Sequence[int]], ranks: set[int], played: Sequence[int | None], small: Set[int]
) -> Fraction:
    """Return the probability that a defender with this holding plays these cards in this order."""
    named = {card for card in played if card is not None}
    likelihood = Fraction(1)
    for card in played:
        held = next(
            ([rank for rank in group if rank in ranks] for group in reversed(groups) if ranks & {*group}), []
        )
        if card is None:  # any of the lowest cards except honours and named cards
            free = [rank for rank in held if rank in small and rank not in named]
            if not free:
                return Fraction(0)
            likelihood *= Fraction(len(free), len(held))
            ranks = ranks - {free[-1]}
        elif card in held:
            likelihood *= Fraction(1, len(held))
            ranks = ranks - {card}
        else:
            return Fraction(0)
    return likelihood
