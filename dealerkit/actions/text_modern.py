"""The text output of modern scripts: printed deals, reports, and the line at the end of a run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace

from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.actions.printing import (
    HandsReport,
    PrintAll,
    PrintLin,
    PrintReport,
    format_items,
    format_named_hands,
)
from dealerkit.actions.writer import RunTotals, Writer, renders, zip_hands
from dealerkit.appearance.numbers import format_count, format_number, format_significant
from dealerkit.appearance.table import Quantity
from dealerkit.appearance.text import wrap_note
from dealerkit.appearance.wording import quote_formula
from dealerkit.cards.names import SEATS, board_dealer, board_vulnerability
from dealerkit.statistics import Estimate


class ModernWriter(Writer):
    """The writer of the text of modern scripts."""

    def _name_event(self) -> str:
        file = self.settings.file
        origin = "" if file is None else " from " + " ".join(file.replace('"', "'").split())
        return f"Dealt by dealerkit{origin}, seed {self.settings.seed}"

    def _number_boards(self, produced: ProducedDeals) -> Iterator[tuple[int, int, int]]:
        """Yield the number, dealer and vulnerability of each board; if the deals have their own, those."""
        attached, settings = produced.deals.attached, self.settings
        boards = attached.get("board") if settings.first_board == 1 else None
        dealers = attached.get("dealer") if settings.dealer is None else None
        sides = attached.get("vulnerable") if settings.vulnerable is None else None
        for row, (board, dealer, vulnerable) in enumerate(super()._number_boards(produced)):
            if boards is not None and boards[row] > 0:
                board = int(boards[row])
                dealer = board_dealer(board) if settings.dealer is None else dealer
                vulnerable = board_vulnerability(board) if settings.vulnerable is None else vulnerable
            if dealers is not None and dealers[row] >= 0:
                dealer = int(dealers[row])
            if sides is not None and sides[row] >= 0:
                vulnerable = int(sides[row])
            yield board, dealer, vulnerable

    @renders(PrintLin)
    def _format_lin(self, action: Action, produced: ProducedDeals) -> list[str]:
        from dealerkit.formats.lin import format_board
        from dealerkit.formats.text_files import Board

        rows = zip(produced.deals.hands.tolist(), self._number_boards(produced), strict=True)
        return [format_board(Board(hands, *numbers)) + "\n" for hands, numbers in rows]

    @renders(PrintAll)
    def _format_diagrams(self, action: PrintAll, produced: ProducedDeals) -> list[str]:
        names = [SEATS[seat].capitalize() for seat in action.seats]
        return [
            f"Deal {board}\n{format_named_hands(hands, names)}\n"
            for board, hands in zip_hands(action, produced)
        ]

    @renders(PrintReport)
    def _format_line(self, action: Action, produced: ProducedDeals) -> list[str]:
        import csv  # only csvrpt needs it

        columns = [[cell.strip() for cell in cells] for _, cells in format_items(action, produced)]
        if self.settings.quote_formulas:
            columns = [[quote_formula(cell) for cell in cells] for cells in columns]
        lines: list[str] = []
        writer = csv.writer(SimpleNamespace(write=lines.append), lineterminator="\n")
        writer.writerows(zip(*columns, strict=True))  # writes each row as one string
        return lines

    def format_report(self, report: Report) -> str:
        """Return the text of a report."""
        return report.to_text(self.settings.screen)

    def stream_report(self, report: Report) -> Iterator[str]:
        return report.stream_text() if isinstance(report, HandsReport) else super().stream_report(report)

    def format_ending(self, totals: RunTotals) -> str:
        estimate, generated = totals.probability, totals.generated
        accepted = ""
        is_known = isinstance(estimate, Estimate) and not math.isnan(estimate.value)
        if is_known and totals.produced > 0 and totals.produced != generated:
            text = Quantity(estimate, "share").format(ascii=True)
            accepted = f", {text.value} ({text.interval})"
        dealt = (
            f"{format_count(generated)} dealt" if generated is not None else _estimate_dealt(totals, estimate)
        )
        summary = f"{format_count(totals.produced, 'deal')} of {dealt}{accepted}"
        if not totals.produced:
            summary = (
                f"None of {format_count(generated, 'deal')} dealt met the condition"
                if generated
                else "No deal was dealt"
            )
        screen = self.settings.screen
        line = f"{summary}; {totals.source}{format_number(totals.elapsed, 2)} s"
        return "".join(wrap_note(line, screen, role="quiet"))


def _estimate_dealt(totals: RunTotals, estimate: object) -> str:
    """Return how many deals a plain run would have dealt, as text with three digits."""
    if not isinstance(estimate, Estimate) or not estimate.value or math.isnan(estimate.value):
        return "an unknown number"
    return f"about {format_significant(max(round(totals.equivalent), 1), 3)}"
