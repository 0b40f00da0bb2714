"""The text output of v2 scripts, which is that of DealerV2 4.3.3, as far as it differs from dealer's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from dealerkit.actions.average import AverageReport
from dealerkit.actions.axes import find_shown
from dealerkit.actions.base import ProducedDeals
from dealerkit.actions.frequency import FrequencyReport
from dealerkit.actions.printing import HandsReport, PrintAll
from dealerkit.actions.text_v1 import V1Writer, format_cross_rows, format_side_by_side, stream_pages
from dealerkit.actions.two_way import CrossReport
from dealerkit.actions.writer import RunTotals, TextSettings, zip_hands
from dealerkit.cards.names import SEATS

PER_PAGE = 10  # number of deals on a page; only a text with a title is divided into pages


class V2Writer(V1Writer):
    """The writer of the text of DealerV2."""

    event = "Hand simulated by DealerV2_4 with file {file}, seed {seed}"

    def __init__(self, settings: TextSettings) -> None:
        super().__init__(settings)
        self._first_diagrams: dict[bool, PrintAll] = {}  # first action with four hands (True) and with two

    def _format_diagrams(self, action: PrintAll, produced: ProducedDeals) -> list[str]:
        """Return hands side by side under the number of the deal and the names of the seats, page by page.

        All actions with two hands share one title. The first of these actions prints it at the first deal of
        a page, the others at the last deal.
        """
        # The number takes six characters and the hands are indented by five, so the first name loses one.
        names = [f"{SEATS[seat].capitalize():<20}" for seat in action.seats]
        heading = "".join(names[:-1]).replace(" ", "", 1) + f"{names[-1].rstrip():<5}"
        is_first = self._first_diagrams.setdefault(len(action.seats) == 4, action) is action
        title, texts = self.settings.title, []
        for board, hands in zip_hands(action, produced):
            position = (board - self.settings.first_board) % PER_PAGE
            has_title = title and position == (0 if is_first else PER_PAGE - 1)
            head = f"{'':18}[{title}]\n" if has_title else ""
            foot = "\f" if title and position == PER_PAGE - 1 else ""
            lines = format_side_by_side(hands, " " * 5)
            texts.append(f"{head}{board:4d}. {heading}\n{lines}\n{foot}")
        return texts

    def _more_tags(self) -> list[tuple[str, str]]:
        title = [("Description", self.settings.title)] if self.settings.title else []
        return [*title, ("Generator", "Dealer Version 2.4 by Hans, Henk, and JGM")]

    def _format_average(self, report: AverageReport) -> str:
        label = f"{report.label}: " if report.label is not None else ""
        if not report.n:
            return f"{label}Mean={'-nan':>10}, Std Dev={'-nan':>10}, Var={'-nan':>10}, Sample Size=0 \n"
        sd = report.sd if report.n > 1 else 0.0
        spread = f"Std Dev={sd:10.4f}, Var={sd * sd:10.4f}"
        return f"{label}Mean={report.mean.value:10.4f}, {spread}, Sample Size={report.n} \n"

    def _format_frequency(self, report: FrequencyReport) -> str:
        counts = [round(count) for count in report.counts.tolist()]
        label, total = report.label or "", sum(counts)
        colon = "" if report.bucketed else ":"
        lines = ["", f"Description: {label}{colon}", "Value\t   Count\t   Pct.\t  CumPct"]
        names = ["Low", *(f"{start:5d}" for start in report.axis.starts), "High"]
        cumulative = list(accumulate(counts))
        for k in find_shown(counts):
            shares = f"{_format_percent(counts[k], total)}\t{_format_percent(cumulative[k], total)}"
            lines.append(f"{names[k]}\t{counts[k]:8d}\t{shares}")
        lines.append("    \t--------" + ("" if report.bucketed else "\t-------"))
        lines.append(f"Total\t{total:8d}\t{_format_percent(total, total)}")
        return "\n".join(lines) + "\n"

    def _format_cross(self, report: CrossReport) -> str:
        down, over = report.axes
        across = "".join(f"{value:9d}" for value in over.starts)
        label = report.label or ""
        low = " Low" if report.bucketed else "Low"
        names = [low, *(f"{value:4d}" for value in down.starts), "High"]
        if report.bucketed:
            head = ["", f"Description: {label} ", f"{'Low':>14}{across}{'High':>9}{'Sum':>7}"]
            ending = "\n"
        else:
            head = ["", f"Description: {label}:", f"{'Low':>11}{across}{'High':>8}{'Sum':>8}"]
            ending = "\n\n"
        return "\n".join([*head, *format_cross_rows(names, report, 9, 5 if report.bucketed else 4)]) + ending

    def _stream_hands(self, report: HandsReport) -> Iterator[str]:
        title = f"{self.settings.title}\n" if self.settings.title else ""
        return stream_pages(report, f"{title}\n", "\n\n", self.settings.first_board)

    def format_ending(self, totals: RunTotals) -> str:
        title = f"\n{self.settings.title}\n" if self.settings.title else ""
        generated = (totals.generated or 0) + totals.is_next_to_last  # DealerV2 counts one deal too many
        origin = f"Initial random seed {totals.seeds}"
        if totals.library is not None:
            n_read, n_ends, block = totals.library
            origin = f"Library file records read {n_read}, Wrap Arounds={n_ends}\n"
            origin += f"Library file starting seed {block}"
        return (
            f"{title}Generated {generated} hands\nProduced  {totals.produced} hands\n"
            f"{origin}\nTime needed {totals.elapsed:8.3f} sec\n"
        )


def _format_percent(count: int, total: int) -> str:
    return f"{100 * count / total:7.2f}" if total else f"{'-nan':>7}"
