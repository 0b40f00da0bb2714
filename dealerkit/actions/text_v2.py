"""The text of DealerV2 4.3.3 where it differs from dealer's."""

from __future__ import annotations

from dealerkit.actions.base import Action, ProducedDeals
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.actions.text_v1 import RunTotals, V1Writer, format_cross_rows, format_side_by_side
from dealerkit.cards.names import SEATS

PER_PAGE = 10  # deals between form feeds, where there is a title


class V2Writer(V1Writer):
    """The writer of DealerV2's text."""

    event = "Hand simulated by DealerV2_4 with file {file}, seed {seed}"

    def _format_numbered(self, produced: ProducedDeals, seats: tuple[int, ...]) -> list[str]:
        """Return hands side by side under the number of the deal and the names of the seats, page by page."""
        names = (
            "".join(f"{SEATS[seat].capitalize():<20}" for seat in seats[:-1]) + SEATS[seats[-1]].capitalize()
        )
        # The number takes six places and the hands are indented by five, so the first name loses one.
        names = names.replace(" ", "", 1) + " \n"
        texts = []
        for board, four in zip(produced.boards.tolist(), produced.deals.hands.tolist(), strict=True):
            hands = format_side_by_side([four[seat] for seat in seats], " " * 5)
            page = board - self.settings.first_board
            head = f"{'':18}[{self.settings.title}]\n" if self.settings.title and page % PER_PAGE == 0 else ""
            foot = "\f" if self.settings.title and page % PER_PAGE == PER_PAGE - 1 else ""
            texts.append(f"{head}{board:4d}. {names}{hands}\n{foot}")
        return texts

    def _format_all(self, action: Action, produced: ProducedDeals) -> list[str]:
        return self._format_numbered(produced, (0, 1, 2, 3))

    def _format_pair(self, produced: ProducedDeals, seats: tuple[int, int]) -> list[str]:
        return self._format_numbered(produced, seats)

    def _more_tags(self) -> list[tuple[str, str]]:
        title = [("Description", self.settings.title)] if self.settings.title else []
        return [*title, ("Generator", "DealerV2_4")]

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
        lines = [
            "",
            f"Description: {label}" + ("" if report.bucketed else ":"),
            "Value\t   Count\t   Pct.\t  CumPct",
        ]
        names = ["Low", *(f"{start:5d}" for start in report.axis.starts), "High"]
        seen = 0
        for k, (name, count) in enumerate(zip(names, counts, strict=True)):
            seen += count
            if count or 0 < k < len(counts) - 1:
                lines.append(
                    f"{name}\t{count:8d}\t{_format_percent(count, total)}\t{_format_percent(seen, total)}"
                )
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

    def _format_hands(self, report: HandsReport) -> str:
        title = f"{self.settings.title}\n" if self.settings.title else ""
        hands, text = report.hands.tolist(), []
        for seat in report.seats:
            text.append(f"{title}\n{SEATS[seat].capitalize()} hands:\n\n")
            for first in range(0, len(hands), 4):
                row = list(range(first, min(first + 4, len(hands))))
                text.append(
                    "".join(f"{number + self.settings.first_board:4d}.{'':15}" for number in row) + "\n"
                )
                text.append(format_side_by_side([hands[number][seat] for number in row]) + "\n")
            text.append("\f")
        return "".join(text)

    def format_ending(self, totals: RunTotals) -> str:
        title = f"\n{self.settings.title}\n" if self.settings.title else ""
        return (
            f"{title}Generated {totals.generated} hands\nProduced  {totals.produced} hands\n"
            f"Initial random seed {totals.seed}\nTime needed {totals.elapsed:8.3f} sec\n"
        )


def _format_percent(count: int, total: int) -> str:
    return f"{100 * count / total:7.2f}" if total else f"{'-nan':>7}"
