"""The text of Debian dealer, equal character by character, and the base class of all writers.

A writer returns one string for each deal of a printing action, a paragraph for a report, and
the block at the end of a run. `renders` registers its methods by the class of the action or
report; the writers of the other dialects override them.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from dealerkit.actions import printing
from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.items import find_seats, format_items
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.cards.names import (
    LANE_MASK,
    LANE_SHIFTS,
    SEAT_LETTERS,
    SEATS,
    SIDES,
    STRAIN_LETTERS,
    SUIT_LETTERS,
    board_dealer,
    board_vulnerability,
)
from dealerkit.cards.text import format_hand, format_lines, format_pbn, holding_texts
from dealerkit.language import nodes

DEALER_TAGS = ("N", "E", "S", "W")
VULNERABLE_TAGS = ("None", "NS", "EW", "All")
SEEDS = 1 << 64  # a seed below 0 is printed as an unsigned integer of 64 bits

Method = TypeVar("Method", bound=Callable)
_RENDERERS: dict[type, str] = {}  # name of the writers' method for a class


def renders(item_class: type) -> Callable[[Method], Method]:
    """Register a method of the writers for a class of actions or reports."""

    def register(method: Method) -> Method:
        _RENDERERS[item_class] = method.__name__
        return method

    return register


def _find_renderer(item: Action | Report) -> str:
    """Return the name of the method for the class of an action or report, or for its nearest base class."""
    for base in type(item).__mro__:
        if base in _RENDERERS:
            return _RENDERERS[base]
    name = type(item).__name__
    raise TypeError(f"{name} has no text: actions/text_modern.py needs a method with @renders({name})")


@dataclass(frozen=True, eq=False, repr=False)
class TextSettings:
    """Facts about a run that its text contains."""

    file: str | None = None
    seed: int = 0
    dealer: int | None = None
    vulnerable: int | None = None
    title: str = ""
    first_board: int = 1
    quote_formulas: bool = False  # in cells of csvrpt


@dataclass(frozen=True, eq=False, repr=False)
class RunTotals:
    """Figures of a run for the block at its end."""

    generated: int | None  # None where a conditional plan ended before its limit
    produced: int
    seed: int
    elapsed: float
    probability: object = None
    source: str = ""
    is_next_to_last: bool = False  # whether the limit of `produce` was reached one deal before `generate`
    library: tuple[int, int, int] | None = None  # records read, ends of the file passed, first block
    equivalent: float = float("nan")  # about how many deals a plain run would have dealt
    further_seeds: tuple[int, ...] = ()  # of the other runs that the deals are from

    @property
    def seeds(self) -> str:
        """The seed of each run, as an unsigned number."""
        return ", ".join(str(seed % SEEDS) for seed in (self.seed, *self.further_seeds))


@cache
def spaced_holdings() -> list[str]:
    """Return the text of every holding: each card followed by a blank, ``- `` for a void."""
    return ["".join(f"{card} " for card in text) or "- " for text in holding_texts().tolist()]


def format_suits(hand: int) -> list[str]:
    """Return a hand as four lines, spades first."""
    table = spaced_holdings()
    return [table[hand >> shift & LANE_MASK] for shift in LANE_SHIFTS]


def format_side_by_side(hands: list[int], indent: str = "") -> str:
    """Return hands side by side in four lines; all columns but the last have twenty characters."""
    columns = [format_suits(hand) for hand in hands]
    return "".join(
        indent + "".join(f"{cell:<20}" for cell in row[:-1]) + row[-1] + "\n"
        for row in zip(*columns, strict=True)
    )


def zip_hands(action: printing.PrintAll, produced: ProducedDeals) -> Iterator[tuple[int, list[int]]]:
    """Yield the number of each deal with the hands that an action prints."""
    for board, hands in zip(produced.boards.tolist(), produced.deals.hands.tolist(), strict=True):
        yield board, [hands[seat] for seat in action.seats]


class V1Writer:
    """The writer of Debian dealer's text."""

    event = "Hand simulated by dealer with file {file}, seed {seed}"

    def __init__(self, settings: TextSettings) -> None:
        self.settings = settings

    # ------------------------------------------------------------ one text for each deal
    def format_deals(self, action: Action, produced: ProducedDeals) -> list[str]:
        """Return the texts of a printing action, one for each deal."""
        return getattr(self, _find_renderer(action))(action, produced)

    @renders(printing.PrintAll)
    def _format_diagrams(self, action: printing.PrintAll, produced: ProducedDeals) -> list[str]:
        is_numbered = len(action.seats) == 4
        return [
            (f"{board:4d}.\n" if is_numbered else "") + format_side_by_side(hands) + "\n"
            for board, hands in zip_hands(action, produced)
        ]

    @renders(printing.Export)
    def _format_export(self, action: Action, produced: ProducedDeals) -> list[str]:
        seats = find_seats(action.node.arguments[0])
        return [
            " ".join(f"-{SEAT_LETTERS[seat]} {_format_predeal(four[seat])} " for seat in seats) + "\n"
            for four in produced.deals.hands.tolist()
        ]

    @renders(printing.PrintReport)
    def _format_line(self, action: Action, produced: ProducedDeals) -> list[str]:
        columns = []
        for kind, cells in format_items(action, produced):
            columns.append([f"'{cell}'" if kind == "string" else cell for cell in cells])
        return [" " + ",".join(row) + "\n" for row in zip(*columns, strict=True)]

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

    def _name_event(self) -> str:
        return self.event.format(file=self.settings.file or "(null)", seed=self.settings.seed % SEEDS)

    def _number_boards(self, produced: ProducedDeals) -> Iterator[tuple[int, int, int]]:
        """Yield number, dealer and vulnerability of each board; they follow from it unless they are given."""
        dealer, vulnerable = self.settings.dealer, self.settings.vulnerable
        for board in produced.boards.tolist():
            yield (
                board,
                board_dealer(board) if dealer is None else dealer,
                board_vulnerability(board) if vulnerable is None else vulnerable,
            )

    def _more_tags(self) -> list[tuple[str, str]]:
        return []

    # ------------------------------------------------------------ at the end
    def format_report(self, report: Report) -> str:
        """Return the text of a report."""
        return getattr(self, _find_renderer(report))(report)

    @renders(AverageReport)
    def _format_average(self, report: AverageReport) -> str:
        label = f"{report.label}: " if report.label is not None else ""
        return f"{label}{_format_general(report.mean.value)}\n"

    @renders(FrequencyReport)
    def _format_frequency(self, report: FrequencyReport) -> str:
        counts = [round(count) for count in report.counts.tolist()]
        lines = [f"Frequency {report.label or ''}:"]
        if counts[0]:
            lines.append(f"Low\t{counts[0]:8d}")
        lines += [
            f"{value:5d}\t{count:8d}" for value, count in zip(report.axis.starts, counts[1:-1], strict=True)
        ]
        if counts[-1]:
            lines.append(f"High\t{counts[-1]:8d}")
        return "\n".join(lines) + "\n"

    @renders(CrossReport)
    def _format_cross(self, report: CrossReport) -> str:
        down, over = report.axes
        names = ["Low", *(f"{value:4d}" for value in down.starts), "High"]
        across = "".join(f"{value:7d}" for value in over.starts)
        lines = [f"Frequency {report.label or ''}:", f"        Low{across}   High    Sum"]
        return "\n".join([*lines, *format_cross_rows(names, report, 7)]) + "\n\n"

    @renders(ContractReport)
    def _format_contract(self, report: ContractReport) -> str:
        """Return what DealerV2 prints; dealer stops at this action."""
        contract = report.contract
        name = f"{contract.level}{STRAIN_LETTERS[contract.strain]}{'x' * contract.doubled or ' '}"
        name = f"{name} {'V' if report.vulnerable else ' '}"
        made, game, slam = (
            100 * share.value for share in (report.made, report.missed_game, report.missed_slam)
        )
        score = _format_fixed(report.score.value, 8)
        values = (made, 100 - made, game, slam, report.game_imps.value, report.slam_imps.value)
        made_pct, fail_pct, game_pct, slam_pct, game_imps, slam_imps = (
            _format_fixed(value, 7) for value in values
        )
        return (
            f"\nContract {name:>6} by {SIDES[report.side]} Avg Result ={score}, "
            f"Made pct={made_pct}, Fail pct={fail_pct}\n"
            f"Missed Game_pct={game_pct}, Missed Slam_pct={slam_pct}, "
            f"Missed Game Imps/board={game_imps}, Missed Slam Imps/board={slam_imps}\n"
        )

    @renders(printing.HandsReport)
    def _format_hands(self, report: printing.HandsReport) -> str:
        return self._format_pages(report, "\n\n", "\n\n\n\n", 1)

    def _format_pages(self, report: printing.HandsReport, above: str, below: str, first_number: int) -> str:
        """Return pages of the hands of each seat, under its name with texts above and below."""
        hands, text = report.hands.tolist(), []
        for seat in report.seats:
            text.append(f"{above}{SEATS[seat].capitalize()} hands:{below}")
            for first in range(0, len(hands), 4):
                row = range(first, min(first + 4, len(hands)))
                text.append("".join(f"{number + first_number:4d}.{'':15}" for number in row) + "\n")
                text.append(format_side_by_side([hands[number][seat] for number in row]) + "\n")
            text.append("\f")
        return "".join(text)

    def format_ending(self, totals: RunTotals) -> str:
        """Return the block at the end of a run."""
        return (
            f"Generated {totals.generated} hands\nProduced {totals.produced} hands\n"
            f"Initial random seed {totals.seeds}\nTime needed {totals.elapsed:8.3f} sec\n"
        )


def _format_predeal(hand: int) -> str:
    """Return a hand as the predeal switch takes it, without voids: ``SAKQ,H5``."""
    holdings = zip(SUIT_LETTERS, format_hand(hand).split("."), strict=True)
    return ",".join(letter + holding for letter, holding in holdings if holding)


def format_cross_rows(names: list[str], report: CrossReport, width: int, name_width: int = 4) -> list[str]:
    """Return the lines of a cross table with sums; `width` is that of a cell."""
    counts = [[round(count) for count in row] for row in report.counts.tolist()]
    rows = [(name, [*row, sum(row)]) for name, row in zip(names, counts, strict=True)]
    rows.append(("Sum", [sum(column) for column in zip(*(row for _, row in rows), strict=True)]))
    return [f"{name:<{name_width}}" + "".join(f"{count:{width}d}" for count in row) for name, row in rows]


def _format_fixed(value: float, width: int) -> str:
    """Return a number with two decimals as ``%f`` of C prints it, an empty mean included."""
    return f"{'-nan':>{width}}" if value != value else f"{value:{width}.2f}"


def _format_general(value: float) -> str:
    """Return a number as ``%g`` of C prints it, an empty mean included."""
    return "-nan" if value != value else f"{value:g}"
