"""The text output of v1 scripts, which is that of Debian's dealer character by character."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from dealerkit.actions import printing
from dealerkit.actions.average import AverageReport
from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.frequency import FrequencyReport
from dealerkit.actions.printing import format_items
from dealerkit.actions.two_way import CrossReport
from dealerkit.actions.writer import SEEDS, RunTotals, Writer, find_renderer, renders, zip_hands
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, SEATS, SIDES, STRAIN_LETTERS
from dealerkit.cards.text import holding_texts


@cache
def spaced_holdings() -> list[str]:
    """Return the text of every holding, in which a blank follows each card; ``- `` for a void."""
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


class V1Writer(Writer):
    """The writer of the text of Debian's dealer."""

    event = "Hand simulated by dealer with file {file}, seed {seed}"

    @renders(printing.PrintAll)
    def _format_diagrams(self, action: printing.PrintAll, produced: ProducedDeals) -> list[str]:
        is_numbered = len(action.seats) == 4
        return [
            (f"{board:4d}.\n" if is_numbered else "") + format_side_by_side(hands) + "\n"
            for board, hands in zip_hands(action, produced)
        ]

    @renders(printing.PrintReport)
    def _format_line(self, action: Action, produced: ProducedDeals) -> list[str]:
        columns = []
        for kind, cells in format_items(action, produced):
            columns.append([f"'{cell}'" if kind == "string" else cell for cell in cells])
        return [" " + ",".join(row) + "\n" for row in zip(*columns, strict=True)]

    def _name_event(self) -> str:
        return self.event.format(file=self.settings.file or "(null)", seed=self.settings.seed % SEEDS)

    def format_report(self, report: Report) -> str:
        """Return the text of a report."""
        return getattr(self, find_renderer(report))(report)

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
        """Return the two lines that DealerV2 prints; dealer stops at this action."""
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
        return "".join(self._stream_hands(report))

    def stream_report(self, report: Report) -> Iterator[str]:
        if isinstance(report, printing.HandsReport):
            return self._stream_hands(report)
        return super().stream_report(report)

    def _stream_hands(self, report: printing.HandsReport) -> Iterator[str]:
        return stream_pages(report, "\n\n", "\n\n\n\n", 1)

    def format_ending(self, totals: RunTotals) -> str:
        """Return the block at the end of a run."""
        return (
            f"Generated {totals.generated} hands\nProduced {totals.produced} hands\n"
            f"Initial random seed {totals.seeds}\nTime needed {totals.elapsed:8.3f} sec\n"
        )


def stream_pages(report: printing.HandsReport, above: str, below: str, first_number: int) -> Iterator[str]:
    """Yield the pages of each seat's hands; `above` and `below` are the texts around the seat's name."""
    for seat in report.seats:
        yield f"{above}{SEATS[seat].capitalize()} hands:{below}"
        for first in range(0, report.n, 4):
            hands = report.hands[first : first + 4, seat].tolist()
            numbers = range(first + first_number, first + first_number + len(hands))
            yield "".join(f"{number:4d}.{'':15}" for number in numbers) + "\n"
            yield format_side_by_side(hands) + "\n"
        yield "\f"


def format_cross_rows(names: list[str], report: CrossReport, width: int, name_width: int = 4) -> list[str]:
    """Return the lines of a two-way table with sums; the widths of cells and names are in characters."""
    counts = [[round(count) for count in row] for row in report.counts.tolist()]
    rows = [(name, [*row, sum(row)]) for name, row in zip(names, counts, strict=True)]
    rows.append(("Sum", [sum(column) for column in zip(*(row for _, row in rows), strict=True)]))
    return [f"{name:<{name_width}}" + "".join(f"{count:{width}d}" for count in row) for name, row in rows]


def _format_fixed(value: float, width: int) -> str:
    """Return a number with two decimals as C's ``%f`` prints it, and the mean of no deals as dealer does."""
    return f"{'-nan':>{width}}" if value != value else f"{value:{width}.2f}"


def _format_general(value: float) -> str:
    """Return a number as C's ``%g`` prints it, and the mean of no deals as dealer does."""
    return "-nan" if value != value else f"{value:g}"
