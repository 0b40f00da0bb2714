"""The text of the modern dialect, made for reading: aligned columns, intervals, words for nothing."""

from __future__ import annotations

import csv
import io
import math

import numpy as np

from dealerkit.actions.base import Action, ProducedDeals
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.items import items
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.actions.text_v1 import RunTotals, V1Writer
from dealerkit.cards.names import SEATS
from dealerkit.cards.text import SUIT_SYMBOLS, format_hand
from dealerkit.statistics import Estimate

NOTHING = "no deal was produced"


def across(hands: list[int], names: list[str]) -> str:
    """Hands side by side under their names, each column as wide as its longest suit."""
    columns = []
    for hand, name in zip(hands, names, strict=True):
        holdings = zip(SUIT_SYMBOLS, format_hand(hand).split("."), strict=True)
        suits = [f"{symbol} {holding or '-'}" for symbol, holding in holdings]
        width = max(12, *(len(suit) for suit in suits))
        columns.append([f"{text:<{width}}" for text in (name, *suits)])
    return "".join("   ".join(row).rstrip() + "\n" for row in zip(*columns, strict=True))


def table(rows: list[list[str]], indent: str = "  ") -> str:
    """Rows of cells, all aligned to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "".join(
        indent
        + "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )


def percent(value: float) -> str:
    """A share as a percentage with two decimals, more where it is small."""
    if value and value < 0.001:
        return f"{100 * value:.3g} %"
    return f"{100 * value:.2f} %"


def interval(low: float, high: float, share: bool = False) -> str:
    """An interval in words."""
    if not math.isfinite(high - low):
        return "no interval"
    return f"{percent(low)} to {percent(high)}" if share else f"{low:.6g} to {high:.6g}"


def counted(report: FrequencyReport | CrossReport) -> str:
    """How many deals a table counts, and their weight where that is another number."""
    weight = report.counts.sum()
    deals = f"{report.n:,} deal" + ("" if report.n == 1 else "s")
    return deals if weight == report.n else f"{deals} of weight {weight:,.6g}"


def mean_text(report: AverageReport) -> str:
    """A mean with its interval; a share whose label has a percent sign as a percentage."""
    mean = report.mean
    if report.truth and "%" in report.title:
        return f"{percent(mean.value)} ({interval(mean.lo, mean.hi, True)})"
    return mean.rounded()


def frequency_rows(report: FrequencyReport, exact: np.ndarray | None) -> list[list[str]]:
    """The figures of a frequency in words, with a heading; `exact` is None or has the exact shares."""
    heading = ["value", "count", "share", f"{100 * report.level:g} % interval", "up to here"]
    rows = [heading if exact is None else [*heading[:4], "exact", heading[4]]]
    shares, upto, words = report.shares, report.shares.share.cumsum(), report.axis.words
    for k in report.kept():
        cells = [words[k], f"{report.counts[k]:,.0f}", percent(shares.share[k])]
        cells.append(interval(shares.lo[k], shares.hi[k], True))
        rows.append([*cells, *([] if exact is None else [percent(float(exact[k]))]), percent(upto[k])])
    return rows


def _about(totals: RunTotals, estimate: object) -> str:
    """How many plain deals the produced ones stand for, to three digits."""
    if not isinstance(estimate, Estimate) or not estimate.value:
        return "nothing known"
    number = totals.produced / estimate.value
    digits = max(0, len(str(int(number))) - 3)
    return f"{round(number, -digits):,.0f}"


def contract_rows(report: ContractReport) -> list[list[str]]:
    """The figures of a contract in words, with a heading."""

    def share(words: str, one: Estimate) -> list[str]:
        return [words, percent(one.value), interval(one.lo, one.hi, True)]

    def mean(words: str, one: Estimate, digits: int) -> list[str]:
        number = f"{one.value:.{digits}f}"
        if not math.isfinite(one.hi - one.lo):
            return [words, number, "no interval"]
        return [words, number, f"{one.lo:.{digits}f} to {one.hi:.{digits}f}"]

    rows = [
        ["", "", f"{100 * report.score.level:g} % interval"],
        mean("mean score", report.score, 1),
        share("makes", report.made),
    ]
    for words, missed, cost in (
        ("game missed", report.missed_game, report.game_imps),
        ("slam missed", report.missed_slam, report.slam_imps),
    ):
        if missed.value:
            rows += [share(words, missed), mean("IMPs a deal it costs", cost, 2)]
    return rows


class ModernWriter(V1Writer):
    """Our own text."""

    event = "Dealt by dealerkit from {file}, seed {seed}"

    def _printall(self, action: Action, produced: ProducedDeals) -> list[str]:
        names = [name.capitalize() for name in SEATS]
        hands = produced.deals.hands.tolist()
        return [
            f"Deal {board}\n{across(four, names)}\n"
            for board, four in zip(produced.boards.tolist(), hands, strict=True)
        ]

    def _pair(self, produced: ProducedDeals, seats: tuple[int, int]) -> list[str]:
        names = [SEATS[seat].capitalize() for seat in seats]
        return [
            f"Deal {board}\n{across([four[seat] for seat in seats], names)}\n"
            for board, four in zip(produced.boards.tolist(), produced.deals.hands.tolist(), strict=True)
        ]

    def _printrpt(self, action: Action, produced: ProducedDeals) -> list[str]:
        rows = zip(*(([cell.strip() for cell in cells]) for _, cells in items(action, produced)), strict=True)
        lines = []
        for row in rows:
            line = io.StringIO()
            csv.writer(line, lineterminator="\n").writerow(row)
            lines.append(line.getvalue())
        return lines

    def average(self, report: AverageReport) -> str:
        mean = report.mean
        if not report.n:
            return f"Average of {report.title}: {NOTHING}\n"
        if report.n == 1:
            return f"Average of {report.title}: {mean.value:.6g}\n  a single deal, no interval\n"
        about = f"{100 * mean.level:g} % interval, {report.n:,} deals"
        about += "" if report.truth else f", standard deviation {report.sd:.4g}"
        return f"Average of {report.title}: {mean_text(report)}\n  {about}\n"

    def frequency(self, report: FrequencyReport) -> str:
        if not report.n:
            return f"Frequency of {report.title}: {NOTHING}\n"
        rows = frequency_rows(report, report.exact_at_once)
        share = report.shares.share
        bars = ["", *("▇" * round(30 * share[k] / share.max()) for k in report.kept())]
        lines = table(rows).splitlines()
        text = "".join(f"{line}  {bar}".rstrip() + "\n" for line, bar in zip(lines, bars, strict=True))
        return f"Frequency of {report.title} ({counted(report)})\n{text}"

    def cross(self, report: CrossReport) -> str:
        if not report.n:
            return f"Frequency of {report.title}: {NOTHING}\n"
        (names, heads), counts = (axis.words for axis in report.axes), report.counts
        keep_down, keep_over = report.kept()
        rows = [["", *(heads[k] for k in keep_over), "sum"]]
        for k in keep_down:
            rows.append([names[k], *(f"{counts[k, m]:,.0f}" for m in keep_over), f"{counts[k].sum():,.0f}"])
        rows.append(["sum", *(f"{counts[:, m].sum():,.0f}" for m in keep_over), f"{counts.sum():,.0f}"])
        return f"Frequency of {report.title} ({counted(report)})\n{table(rows)}"

    def contract(self, report: ContractReport) -> str:
        if not report.n:
            return f"Contract {report.title}: {NOTHING}\n"
        rows = contract_rows(report)
        return f"Contract {report.title} (double dummy, {report.n:,} deals)\n{table(rows)}"

    def pages(self, report: HandsReport) -> str:
        text = []
        for seat in report.seats:
            text.append(f"{SEATS[seat].capitalize()}'s hands\n\n")
            boards, hands = report.boards.tolist(), report.hands[:, seat].tolist()
            for first in range(0, len(hands), 4):
                text.append(
                    across(hands[first : first + 4], [f"{board}." for board in boards[first : first + 4]])
                    + "\n"
                )
        return "".join(text)

    def ending(self, totals: RunTotals) -> str:
        estimate, generated = totals.probability, totals.generated
        accepted = ""
        if isinstance(estimate, Estimate) and totals.produced > 0 and totals.produced != generated:
            sure = "exact" if estimate.exact else interval(estimate.lo, estimate.hi, True)
            accepted = f", {percent(estimate.value)} ({sure})"
        whole = f"{generated:,} dealt" if generated is not None else "about " + _about(totals, estimate)
        words = f"{totals.produced:,} deals of {whole}{accepted}"
        if not totals.produced:
            words = f"No deal of {generated:,} dealt met the condition" if generated else "No deal was dealt"
        return f"{words}; {totals.source}{totals.elapsed:.2f} s\n"
