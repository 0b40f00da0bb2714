"""How produced deals and reports read, dialect by dialect.

`create_writer` gives the writer of a dialect. A writer turns the per-deal actions into
one string per deal, and reports into paragraphs; `ending` is the block after the
run. The texts of v1 are Debian dealer's, to the letter; modern's are ours.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.items import items, seats_of
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.cards.names import (
    LANE_MASK,
    LANE_SHIFTS,
    SEAT_LETTERS,
    SEATS,
    SIDES,
    STRAIN_LETTERS,
    SUIT_LETTERS,
)
from dealerkit.cards.text import format_hand, format_lines, format_pbn, holding_texts
from dealerkit.language import nodes

DEALER_TAGS = ("N", "E", "S", "W")
VULNERABLE_TAGS = ("None", "NS", "EW", "All")
# Vulnerability of boards 1 to 16, none = 0, north-south = 1, east-west = 2, all = 3.
ROTATION = (0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2)


@dataclass(frozen=True)
class TextSettings:
    """What texts need to know of the run."""

    file: str | None = None
    seed: int = 0
    dealer: int | None = None
    vulnerable: int | None = None
    title: str = ""
    first_board: int = 1


@dataclass(frozen=True)
class RunTotals:
    """What the block at the end tells."""

    generated: int | None  # None where it is not known how many deals the produced ones stand for
    produced: int
    seed: int
    elapsed: float
    probability: object = None
    source: str = ""


@cache
def spaced() -> list[str]:
    """Each holding as its cards with a blank after each, ``- `` for a void."""
    return ["".join(f"{card} " for card in text) or "- " for text in holding_texts().tolist()]


def suit_rows(hand: int) -> list[str]:
    """A hand as four lines, spades first."""
    table = spaced()
    return [table[hand >> shift & LANE_MASK] for shift in LANE_SHIFTS]


def side_by_side(hands: list[int], indent: str = "") -> str:
    """Hands across, four lines; columns of twenty characters, the last as wide as it is."""
    columns = [suit_rows(hand) for hand in hands]
    lines = []
    for row in zip(*columns, strict=True):
        lines.append(indent + "".join(f"{cell:<20}" for cell in row[:-1]) + row[-1] + "\n")
    return "".join(lines)


class V1Writer:
    """Debian dealer's text."""

    event = "Hand simulated by dealer with file {file}, seed {seed}"

    def __init__(self, settings: TextSettings) -> None:
        self.settings = settings
        self._pages: dict[str, Callable[[Action, ProducedDeals], list[str]]] = {
            "printall": self._printall,
            "printew": self._printew,
            "printpbn": self._printpbn,
            "printcompact": self._printcompact,
            "printoneline": self._printoneline,
            "printes": self._printes,
            "printns": self._printns,
            "printside": self._printside,
            "export": self._export,
            "printrpt": self._printrpt,
            "csvrpt": self._printrpt,
        }

    # ------------------------------------------------------------ one text for each deal
    def deals(self, action: Action, produced: ProducedDeals) -> list[str]:
        """The texts of a printing action, one for each deal."""
        return self._pages[action.name](action, produced)

    def _printall(self, action: Action, produced: ProducedDeals) -> list[str]:
        hands = produced.deals.hands.tolist()
        return [
            f"{board:4d}.\n{side_by_side(four)}\n"
            for board, four in zip(produced.boards.tolist(), hands, strict=True)
        ]

    def _printew(self, action: Action, produced: ProducedDeals) -> list[str]:
        return self._pair(produced, (3, 1))

    def _printns(self, action: Action, produced: ProducedDeals) -> list[str]:
        return self._pair(produced, (2, 0))

    def _printside(self, action: Action, produced: ProducedDeals) -> list[str]:
        side = action.node.arguments[0]
        return self._pair(produced, (3, 1) if isinstance(side, nodes.Side) and side.index else (2, 0))

    def _pair(self, produced: ProducedDeals, seats: tuple[int, int]) -> list[str]:
        """Two hands side by side."""
        return [side_by_side([four[seat] for seat in seats]) + "\n" for four in produced.deals.hands.tolist()]

    def _export(self, action: Action, produced: ProducedDeals) -> list[str]:
        seats = seats_of(action.node.arguments[0])
        return [
            " ".join(f"-{SEAT_LETTERS[seat]} {_cards(four[seat])} " for seat in seats) + "\n"
            for four in produced.deals.hands.tolist()
        ]

    def _printrpt(self, action: Action, produced: ProducedDeals) -> list[str]:
        columns = []
        for kind, cells in items(action, produced):
            columns.append([f"'{cell}'" if kind == "string" else cell for cell in cells])
        return [" " + ",".join(row) + "\n" for row in zip(*columns, strict=True)]

    def _printcompact(self, action: Action, produced: ProducedDeals) -> list[str]:
        pieces = [line.split(" ") for line in format_lines(produced.deals.hands)]
        texts = ["".join(f"{p[k]} {p[k + 1]}\n" for k in (0, 2, 4, 6)) for p in pieces]
        if action.slots:
            texts = [
                text + value + "\n"
                for text, value in zip(texts, produced.values_text(action.slots[0]), strict=True)
            ]
        return texts

    def _printoneline(self, action: Action, produced: ProducedDeals) -> list[str]:
        texts = format_lines(produced.deals.hands)
        if action.slots:
            texts = [
                text + value for text, value in zip(texts, produced.values_text(action.slots[0]), strict=True)
            ]
        return [text + "\n" for text in texts]

    def _printes(self, action: Action, produced: ProducedDeals) -> list[str]:
        slots = iter(action.slots)
        parts = [
            [part.text] * len(produced)
            if isinstance(part, nodes.String)
            else produced.values_text(next(slots))
            for part in action.node.arguments
        ]
        return ["".join(row) for row in zip(*parts, strict=True)]

    def _printpbn(self, action: Action, produced: ProducedDeals) -> list[str]:
        settings = self.settings
        event = self.event.format(file=settings.file or "(null)", seed=settings.seed)
        date = datetime.date.today().strftime("%Y.%m.%d")
        texts = []
        for board, deal in zip(produced.boards.tolist(), format_pbn(produced.deals.hands), strict=True):
            dealer = (board - 1) % 4 if settings.dealer is None else settings.dealer
            vulnerable = ROTATION[(board - 1) % 16] if settings.vulnerable is None else settings.vulnerable
            tags = [
                ("Event", event), ("Site", "-"), *self._more_tags(), ("Date", date), ("Board", board),
                ("West", "-"), ("North", "-"), ("East", "-"), ("South", "-"),
                ("Dealer", DEALER_TAGS[dealer]), ("Vulnerable", VULNERABLE_TAGS[vulnerable]), ("Deal", deal),
                ("Declarer", "?"), ("Contract", "?"), ("Result", "?"),
            ]  # fmt: skip
            texts.append("".join(f'[{tag} "{value}"]\n' for tag, value in tags) + "\n")
        return texts

    def _more_tags(self) -> list[tuple[str, str]]:
        return []

    # ------------------------------------------------------------ at the end
    def report(self, report: Report) -> str:
        """The text of a report."""
        match report:
            case AverageReport():
                return self.average(report)
            case FrequencyReport():
                return self.frequency(report)
            case CrossReport():
                return self.cross(report)
            case HandsReport():
                return self.pages(report)
            case ContractReport():
                return self.contract(report)
        raise TypeError(f"no text for {type(report).__name__}")

    def average(self, report: AverageReport) -> str:
        label = f"{report.label}: " if report.label is not None else ""
        return f"{label}{_general(report.mean.value)}\n"

    def frequency(self, report: FrequencyReport) -> str:
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

    def cross(self, report: CrossReport) -> str:
        down, over = report.axes
        names = ["Low", *(f"{value:4d}" for value in down.starts), "High"]
        across = "".join(f"{value:7d}" for value in over.starts)
        lines = [f"Frequency {report.label or ''}:", f"        Low{across}   High    Sum"]
        return "\n".join([*lines, *cross_rows(names, report, 7)]) + "\n\n"

    def contract(self, report: ContractReport) -> str:
        """What DealerV2 prints; dealer stops at this action."""
        bid = report.contract
        name = f"{bid.level}{STRAIN_LETTERS[bid.strain]}{'x' * bid.doubled}"
        name = f"{name + ' ' * (bid.doubled == 0)} {'V' if report.vulnerable else ' '}"
        made, game, slam = (100 * one.value for one in (report.made, report.missed_game, report.missed_slam))
        return (
            f"\nContract {name:>6} by {SIDES[report.side]} Avg Result ={report.score.value:8.2f}, "
            f"Made pct={made:7.2f}, Fail pct={100 - made:7.2f}\n"
            f"Missed Game_pct={game:7.2f}, Missed Slam_pct={slam:7.2f}, "
            f"Missed Game Imps/board={report.game_imps.value:7.2f}, "
            f"Missed Slam Imps/board={report.slam_imps.value:7.2f}\n"
        )

    def pages(self, report: HandsReport) -> str:
        hands, text = report.hands.tolist(), []
        for seat in report.seats:
            text.append(f"\n\n{SEATS[seat].capitalize()} hands:\n\n\n\n")
            for first in range(0, len(hands), 4):
                row = list(range(first, min(first + 4, len(hands))))
                text.append("".join(f"{number + 1:4d}.{'':15}" for number in row) + "\n")
                text.append(side_by_side([hands[number][seat] for number in row]) + "\n")
            text.append("\f")
        return "".join(text)

    def ending(self, totals: RunTotals) -> str:
        """The block after the run."""
        return (
            f"Generated {totals.generated} hands\nProduced {totals.produced} hands\n"
            f"Initial random seed {totals.seed}\nTime needed {totals.elapsed:8.3f} sec\n"
        )


def _cards(hand: int) -> str:
    """A hand as the predeal switch takes it, voids left out: ``SAKQ,H5``."""
    holdings = zip(SUIT_LETTERS, format_hand(hand).split("."), strict=True)
    return ",".join(letter + holding for letter, holding in holdings if holding)


def cross_rows(names: list[str], report: CrossReport, width: int, stub: int = 4) -> list[str]:
    """The lines of a cross table with sums, cells of one width, names in `stub` places."""
    counts = [[round(count) for count in row] for row in report.counts.tolist()]
    rows = [(name, [*row, sum(row)]) for name, row in zip(names, counts, strict=True)]
    rows.append(("Sum", [sum(column) for column in zip(*(row for _, row in rows), strict=True)]))
    return [f"{name:<{stub}}" + "".join(f"{count:{width}d}" for count in row) for name, row in rows]


def _general(value: float) -> str:
    """``%g`` as C prints it, an empty mean included."""
    return "-nan" if value != value else f"{value:g}"
