"""The base class of writers of text, with the texts of printing actions that all dialects share.

A writer returns a text for each deal of a printing action, a text for each report, and the block at the end
of a run. `renders` registers its methods by the class of the action or report; the writers of the dialects
override them.
"""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from dealerkit.actions import printing
from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.actions.printing import find_seats
from dealerkit.appearance.screen import Screen
from dealerkit.cards.names import SEAT_LETTERS, SUIT_LETTERS, board_dealer, board_vulnerability
from dealerkit.cards.text import format_hand, format_lines, format_pbn
from dealerkit.language import nodes

DEALER_TAGS = ("N", "E", "S", "W")
VULNERABLE_TAGS = ("None", "NS", "EW", "All")
SEEDS = 1 << 64  # a negative seed is printed modulo this, as an unsigned integer of 64 bits

Method = TypeVar("Method", bound=Callable)
_RENDERERS: dict[type, str] = {}  # the name of the writers' method for each class


def renders(item_class: type) -> Callable[[Method], Method]:
    """Register a method of the writers for a class of actions or reports."""

    def register(method: Method) -> Method:
        _RENDERERS[item_class] = method.__name__
        return method

    return register


def find_renderer(item: Action | Report) -> str:
    """Return the name of the method for an action or report, by its class or the nearest base class.

    Raises
    ------
    TypeError
        No method is registered.
    """
    for base in type(item).__mro__:
        if base in _RENDERERS:
            return _RENDERERS[base]
    name = type(item).__name__
    raise TypeError(f"{name} has no text: its writer needs a method with @renders({name})")


class TextSettings(NamedTuple):
    """Facts about a run that appear in its text."""

    file: str | None = None
    seed: int = 0
    dealer: int | None = None
    vulnerable: int | None = None
    title: str = ""
    first_board: int = 1
    quote_formulas: bool = False  # whether csvrpt quotes cells that a spreadsheet would read as formulas
    screen: Screen = Screen()  # where reports of modern scripts are shown


class RunTotals(NamedTuple):
    """Figures of a run for the block at its end."""

    generated: int | None  # None if a conditional plan ended before its limit
    produced: int
    seed: int
    elapsed: float
    probability: object = None
    source: str = ""
    is_next_to_last: bool = False  # whether the limit of `produce` was reached one deal before `generate`
    library: tuple[int, int, int] | None = None  # records read, times the file's end was passed, first block
    equivalent: float = float("nan")  # estimate of how many deals a plain run would have dealt
    further_seeds: tuple[int, ...] = ()  # seeds of the other runs that the deals are from

    @property
    def seeds(self) -> str:
        """The seed of each run, as an unsigned number."""
        return ", ".join(str(seed % SEEDS) for seed in (self.seed, *self.further_seeds))


def zip_hands(action: printing.PrintAll, produced: ProducedDeals) -> Iterator[tuple[int, list[int]]]:
    """Yield the number of each deal with the hands that an action prints."""
    for board, hands in zip(produced.boards.tolist(), produced.deals.hands.tolist(), strict=True):
        yield board, [hands[seat] for seat in action.seats]


class Writer(ABC):
    """A writer of the text of a run."""

    def __init__(self, settings: TextSettings) -> None:
        self.settings = settings

    def format_deals(self, action: Action, produced: ProducedDeals) -> list[str]:
        """Return the texts of a printing action, one for each deal."""
        return getattr(self, find_renderer(action))(action, produced)

    @renders(printing.Export)
    def _format_export(self, action: Action, produced: ProducedDeals) -> list[str]:
        seats = find_seats(action.node.arguments[0])
        return [
            " ".join(f"-{SEAT_LETTERS[seat]} {_format_predeal(four[seat])} " for seat in seats) + "\n"
            for four in produced.deals.hands.tolist()
        ]

    @renders(printing.PrintCompact)
    def _format_compact(self, action: Action, produced: ProducedDeals) -> list[str]:
        cells = [line.split(" ") for line in format_lines(produced.deals.hands)]
        texts = ["".join(f"{row[k]} {row[k + 1]}\n" for k in (0, 2, 4, 6)) for row in cells]
        if not action.slots:
            return texts
        values = produced.format_values(action.slots[0])
        return [f"{text}{value}\n" for text, value in zip(texts, values, strict=True)]

    @renders(printing.PrintOneLine)
    def _format_one_line(self, action: Action, produced: ProducedDeals) -> list[str]:
        texts = format_lines(produced.deals.hands)
        values = produced.format_values(action.slots[0]) if action.slots else [""] * len(texts)
        return [f"{text}{value}\n" for text, value in zip(texts, values, strict=True)]

    @renders(printing.PrintValues)
    def _format_values(self, action: Action, produced: ProducedDeals) -> list[str]:
        slots = iter(action.slots)
        parts = [
            [part.text] * len(produced)
            if isinstance(part, nodes.String)
            else produced.format_values(next(slots))
            for part in action.node.arguments
        ]
        return ["".join(row) for row in zip(*parts, strict=True)]

    @renders(printing.PrintPbn)
    def _format_pbn(self, action: Action, produced: ProducedDeals) -> list[str]:
        event, date = self._name_event(), datetime.date.today().strftime("%Y.%m.%d")
        texts = []
        rows = zip(self._number_boards(produced), format_pbn(produced.deals.hands), strict=True)
        for (board, dealer, vulnerable), deal in rows:
            tags = [
                ("Event", event), ("Site", "-"), *self._more_tags(), ("Date", date), ("Board", board),
                ("West", "-"), ("North", "-"), ("East", "-"), ("South", "-"),
                ("Dealer", DEALER_TAGS[dealer]), ("Vulnerable", VULNERABLE_TAGS[vulnerable]), ("Deal", deal),
                ("Declarer", "?"), ("Contract", "?"), ("Result", "?"),
            ]  # fmt: skip
            texts.append("".join(f'[{tag} "{value}"]\n' for tag, value in tags) + "\n")
        return texts

    @abstractmethod
    def _name_event(self) -> str:
        """Return the text of the Event tag: which program dealt a board, from which file and seed."""

    def _number_boards(self, produced: ProducedDeals) -> Iterator[tuple[int, int, int]]:
        """Yield number, dealer and vulnerability of each board; the last two follow from it unless set."""
        dealer, vulnerable = self.settings.dealer, self.settings.vulnerable
        for board in produced.boards.tolist():
            yield (
                board,
                board_dealer(board) if dealer is None else dealer,
                board_vulnerability(board) if vulnerable is None else vulnerable,
            )

    def _more_tags(self) -> list[tuple[str, str]]:
        return []

    @abstractmethod
    def format_report(self, report: Report) -> str:
        """Return the text of a report."""

    def stream_report(self, report: Report) -> Iterator[str]:
        """Yield the text of a report in pieces, which for a long one are made only when needed."""
        yield self.format_report(report)

    @abstractmethod
    def format_ending(self, totals: RunTotals) -> str:
        """Return the block at the end of a run."""


def _format_predeal(hand: int) -> str:
    """Return a hand as predeal options take it, such as ``SAKQ,H5``, without voids."""
    holdings = zip(SUIT_LETTERS, format_hand(hand).split("."), strict=True)
    return ",".join(letter + holding for letter, holding in holdings if holding)
