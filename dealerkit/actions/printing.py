"""Actions that print a text for each produced deal, or pages of hands at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.appearance.card import Card
from dealerkit.appearance.screen import Screen
from dealerkit.appearance.table import Column, Table
from dealerkit.cards.names import SEATS
from dealerkit.cards.text import SUIT_SYMBOLS, find_fault, format_hand, format_hands
from dealerkit.compiler.function_bodies import format_item
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes
from dealerkit.registry import get_function
from dealerkit.statistics import Coverage

if TYPE_CHECKING:
    import pandas as pd

MAX_HANDS = 20  # number of rows of hands that a notebook shows


class PrintAll(Action):
    """All four hands side by side; the actions derived from it print two hands."""

    name, prints, needs_cards = "printall", True, True
    seats: tuple[int, ...] = (0, 1, 2, 3)  # from left to right


class PrintEastWest(PrintAll):
    """West and east side by side."""

    name, seats = "printew", (3, 1)


class PrintNorthSouth(PrintAll):
    """South and north side by side."""

    name, seats = "printns", (2, 0)


class PrintSide(PrintAll):
    """The two hands of a side, side by side."""

    name = "printside"

    def __init__(self, node: nodes.Action, graph: OperationGraph) -> None:
        super().__init__(node, graph)
        self.seats = PrintEastWest.seats if node.arguments[0] == nodes.Side(1) else PrintNorthSouth.seats


class PrintPbn(Action):
    """A game in portable bridge notation (PBN) for each deal."""

    name, prints, prints_boards, needs_cards = "printpbn", True, True, True


class PrintLin(Action):
    """A line of LIN for each deal."""

    name, prints, prints_boards, needs_cards = "printlin", True, True, True


class PrintCompact(Action):
    """The four hands on four lines, then the value of an expression."""

    name, prints, prints_boards, needs_cards = "printcompact", True, True, True


class PrintOneLine(Action):
    """The four hands on one line, then the value of an expression."""

    name, prints, prints_boards, needs_cards = "printoneline", True, True, True


class PrintValues(Action):
    """Strings and values of expressions, without separators."""

    name, prints = "printes", True


class Export(Action):
    """The hands of a seat or a side as predeal options of the command line."""

    name, prints, needs_cards = "export", True, True


class PrintReport(Action):
    """A line of values, strings and hands."""

    name, prints, needs_cards = "printrpt", True, True

    @property
    def cost_ns(self) -> float:
        """The cost of a double-dummy table if tricks or par contracts are printed, otherwise 0."""
        calls = (get_function(part.function) for part in self.node.arguments if isinstance(part, nodes.Call))
        return max((function.cost for function in calls if function.kind == "item"), default=0.0)


class CsvReport(PrintReport):
    """A line of values, strings and hands for a file."""

    name = "csvrpt"


def find_seats(part: object) -> tuple[int, ...]:
    """Return the seat of a seat, the two seats of a side, and all four for `deal`, in the order N E S W."""
    if isinstance(part, nodes.Seat):
        return (part.index,)
    return (part.index, part.index + 2) if isinstance(part, nodes.Side) else (0, 1, 2, 3)


def format_items(action: Action, produced: ProducedDeals) -> Iterator[tuple[str, list[str]]]:
    """Yield the kind of each item of a report line (string, hands, value), and its text for each deal."""
    slots = iter(action.slots)
    for part in action.node.arguments:
        if isinstance(part, nodes.String):
            yield "string", [part.text] * len(produced)
        elif isinstance(part, nodes.Seat | nodes.Side | nodes.WholeDeal):
            texts = [
                [f"{'nesw'[seat]} {hand} " for hand in format_hands(produced.deals.hands[:, seat])]
                for seat in find_seats(part)
            ]
            yield "hands", ["".join(hands) for hands in zip(*texts, strict=True)]
        elif isinstance(part, nodes.Call) and (entry := get_function(part.function)).kind == "item":
            items = format_item(entry, part, produced.deals, action.graph.program)
            yield "value" if entry.unit else "string", items
        else:
            yield "value", produced.format_values(next(slots))


class HandsReport(Report):
    """The hands of some seats, printed as pages at the end.

    Parameters
    ----------
    seats : tuple of int
        The seats, N E S W = 0..3, in this order.
    hands : ndarray of uint64 [shape=(n, 4)]
        The hands of the deals, as in `Deals.hands`.
    boards : ndarray of int64 [shape=(n,)]
        The numbers of the deals.
    """

    def __init__(self, seats: tuple[int, ...], hands: np.ndarray, boards: np.ndarray) -> None:
        self.label, self.seats, self.hands, self.boards, self.n = None, seats, hands, boards, len(hands)

    @property
    def title(self) -> str:
        """A title that names the seats."""
        return "hands of " + ", ".join(SEATS[seat] for seat in self.seats)

    @property
    def frame(self) -> pd.DataFrame:
        """The hands as texts, with a row for each deal and a column for each seat."""
        import pandas as pd

        columns = {SEATS[seat]: format_hands(self.hands[:, seat]) for seat in self.seats}
        return pd.DataFrame(columns, index=pd.Index(self.boards, name="board"))

    def to_text(self, width: int | Screen | None = None) -> str:
        """Return the hands of each seat under its name, four side by side; `width` has no effect."""
        return "".join(self.stream_text())

    def stream_text(self) -> Iterator[str]:
        """Yield the text in pieces, each of which is made only when it is needed."""
        for seat in self.seats:
            yield f"{SEATS[seat].capitalize()}'s hands\n\n"
            for first in range(0, self.n, 4):
                row = slice(first, first + 4)
                numbers = [f"{board}." for board in self.boards[row].tolist()]
                yield format_named_hands(self.hands[row, seat].tolist(), numbers) + "\n"

    def card(self) -> Card:
        columns = [Column("board", "", "label"), *(Column(SEATS[seat], kind="cards") for seat in self.seats)]
        hands = [format_hands(self.hands[:, seat]) for seat in self.seats]
        rows = list(zip(self.boards.tolist(), *hands, strict=True))
        return Card("Hands", tables=[Table(columns, rows, most_rows=MAX_HANDS)], is_part=True)


def format_named_hands(hands: list[int], names: list[str]) -> str:
    """Return hands side by side under their names, each at least 12 characters wide."""
    columns = []
    for hand, name in zip(hands, names, strict=True):
        holdings = zip(SUIT_SYMBOLS, format_hand(hand).split("."), strict=True)
        suits = [f"{symbol} {holding or '-'}" for symbol, holding in holdings]
        width = max(12, *(len(suit) for suit in suits))
        columns.append([f"{text:<{width}}" for text in (name, *suits)])
    return "".join("   ".join(row).rstrip() + "\n" for row in zip(*columns, strict=True))


class PrintHands(Action):
    """Pages with the hands of some seats, printed at the end."""

    name, needs_cards, accumulated = "print", True, ("_hands", "_boards")
    least_text = 13  # characters for the cards of one hand

    def reset(self) -> None:
        self._hands: list[np.ndarray] = []
        self._boards: list[np.ndarray] = []

    def update(self, produced: ProducedDeals) -> None:
        self._hands.append(np.asarray(produced.deals.hands))
        self._boards.append(produced.boards)

    def merge(self, other: Action) -> None:
        assert isinstance(other, PrintHands)
        self._hands += other._hands
        self._boards += other._boards

    def check_restored(self) -> None:
        for hands, boards in zip(self._hands, self._boards, strict=True):
            if hands.dtype != np.uint64 or hands.shape[1:] != (4,) or boards.shape != (len(hands),):
                raise ValueError("its printed hands are not a table with four columns")
            if fault := find_fault(hands):
                raise ValueError(f"its printed deal {fault[0]}: {fault[1]}")

    def report(self, confidence: float, coverage: Coverage = "sample") -> HandsReport:
        seats = tuple(sorted({part.index for part in self.node.arguments if isinstance(part, nodes.Seat)}))
        hands = np.concatenate([np.empty((0, 4), np.uint64), *self._hands])
        return HandsReport(seats, hands, np.concatenate([np.empty(0, np.int64), *self._boards]))
