"""The text of the modern dialect: aligned columns with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np

from dealerkit.actions.base import Action, PlainReport, ProducedDeals
from dealerkit.actions.contract_differences import ContractDifferenceReport
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.items import format_items
from dealerkit.actions.levels import NO_TYPE, SEVERAL_TYPES, TypeReport
from dealerkit.actions.printing import HandsReport, PrintAll, PrintLin
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.actions.text_v1 import RunTotals, V1Writer, renders, zip_hands
from dealerkit.appearance.numbers import (
    choose_share_decimals,
    format_count,
    format_estimate,
    format_number,
    format_share,
    format_significant,
)
from dealerkit.cards.names import SEATS, board_dealer, board_vulnerability
from dealerkit.cards.text import SUIT_SYMBOLS, format_hand
from dealerkit.statistics import Estimate

NOTHING = "no deal was produced"
EXACT_DECIMALS = 3  # of shares without interval, in per cent


def format_named_hands(hands: list[int], names: list[str]) -> str:
    """Return hands side by side under their names, each column as wide as its longest suit."""
    columns = []
    for hand, name in zip(hands, names, strict=True):
        holdings = zip(SUIT_SYMBOLS, format_hand(hand).split("."), strict=True)
        suits = [f"{symbol} {holding or '-'}" for symbol, holding in holdings]
        width = max(12, *(len(suit) for suit in suits))
        columns.append([f"{text:<{width}}" for text in (name, *suits)])
    return "".join("   ".join(row).rstrip() + "\n" for row in zip(*columns, strict=True))


def format_table(rows: list[list[str]], indent: str = "  ") -> str:
    """Return rows of cells, all aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(indent + "  ".join(map(str.rjust, row, widths)).rstrip() + "\n" for row in rows)


def describe_count(report: FrequencyReport | CrossReport) -> str:
    """Return the number of deals of a table, and the sum of their weights where it differs."""
    weight = report.counts.sum()
    deals = format_count(report.n, "deal")
    if isinstance(report, FrequencyReport):
        deals += {"sample": "", "all": ", exact", "part": ", no intervals"}[report.coverage]
    return deals if weight == report.n else f"{deals} of weight {format_number(weight, ascii=True)}"


def describe_share(share: Estimate) -> str:
    """Return a share in per cent, with its interval in parentheses."""
    text = format_share(share.value, share.lo, share.hi, exact=share.exact, ascii=True)
    return f"{text.value} ({text.interval})"


def format_mean(report: AverageReport, mean: Estimate | None = None) -> str:
    """Return a mean with its interval; a share whose label has a percent sign as a percentage."""
    mean = mean or report.mean
    if mean is report.natural and math.isnan(mean.value):
        return "unknown, a type has no deal"
    if report.truth and "%" in report.title:
        return describe_share(mean)
    return mean.rounded()


def describe_interval(estimate: Estimate) -> str:
    """Return which interval an estimate has: ``95 % interval``, ``exact`` or ``no interval``."""
    if estimate.exact:
        return "exact"
    remark = ", all values equal" if estimate.constant else ""
    if not math.isfinite(estimate.hi - estimate.lo):
        return f"no interval{remark}"
    return f"{100 * estimate.confidence:g} % interval{remark}"


def build_frequency_rows(report: FrequencyReport, exact: np.ndarray | None) -> list[list[str]]:
    """Return the rows of a frequency as text, with a heading; `exact` holds exact shares or is None."""
    heading = ["value", "count", "share"]
    if report.coverage == "sample":
        heading.append(f"{100 * report.confidence:g} % interval")
    else:
        exact = None  # the shares themselves
    rows = [[*heading, *(["exact"] if exact is not None else []), "up to here"]]
    table, labels = report.shares, report.axis.labels
    is_sample = report.coverage == "sample"
    # Python's floats are formatted several times as fast as numpy's
    shares, lows, highs = table.share.tolist(), table.lo.tolist(), table.hi.tolist()
    cumulative, counts = table.share.cumsum().tolist(), report.counts.tolist()
    rows_shown = list(report.shown_rows())
    decimals = EXACT_DECIMALS
    if is_sample:
        decimals = choose_share_decimals([lows[k] for k in rows_shown], [highs[k] for k in rows_shown])
    for k in rows_shown:
        cells = [labels[k], format_number(counts[k], 0, ascii=True)]
        if is_sample:
            text = format_share(shares[k], lows[k], highs[k], decimals, ascii=True)
            cells += [text.value, text.interval]
        else:
            cells.append(_format_plain_share(shares[k], decimals))
        if exact is not None:
            cells.append(format_share(float(exact[k]), 0, 0, decimals, exact=True, ascii=True).value)
        rows.append([*cells, _format_plain_share(cumulative[k], decimals)])
    return rows


def _format_plain_share(share: float, decimals: int = EXACT_DECIMALS - 1) -> str:
    """Return a share of the deals of a run, in per cent."""
    return format_share(share, math.nan, math.nan, decimals, ascii=True).value


def _estimate_dealt(totals: RunTotals, estimate: object) -> str:
    """Return the text of how many deals a plain run would have dealt, to three digits."""
    if not isinstance(estimate, Estimate) or not estimate.value:
        return "an unknown number"
    return f"about {format_significant(max(round(totals.equivalent), 1), 3)}"


def build_contract_rows(report: ContractReport) -> list[list[str]]:
    """Return the figures of a contract as rows of text, with a heading."""

    def share(label: str, estimate: Estimate) -> list[str]:
        text = format_share(estimate.value, estimate.lo, estimate.hi, exact=estimate.exact, ascii=True)
        return [label, text.value, text.interval]

    def mean(label: str, estimate: Estimate, sign: bool = False) -> list[str]:
        text = format_estimate(estimate.value, estimate.lo, estimate.hi, sign=sign, ascii=True)
        return [label, text.value, text.interval]

    heading = f"{100 * report.score.confidence:g} % interval" if not report.score.exact else ""
    rows = [
        ["", "", heading],
        mean("mean score", report.score, sign=True),
        share("makes", report.made),
    ]
    for label, missed, cost in (
        ("game missed", report.missed_game, report.game_imps),
        ("slam missed", report.missed_slam, report.slam_imps),
    ):
        if missed.value:
            rows += [share(label, missed), mean("IMPs a deal it costs", cost)]
    return rows


def build_type_rows(report: TypeReport) -> list[list[str]]:
    """Return the rows of a table of hand types as text, with a heading."""
    interval = f"{100 * report.confidence:g} % interval"
    shares = report.natural or report.shares
    heads = ["share", "natural share", interval, "weight"] if report.natural else ["share", interval]
    rows = [["type", "deals", *heads]]
    estimated = [share for share in shares if not share.exact]
    decimals = choose_share_decimals([share.lo for share in estimated], [share.hi for share in estimated])
    for k, (name, count) in enumerate(zip(report.names, report.counts.tolist(), strict=True)):
        own = shares[k]
        text = format_share(own.value, own.lo, own.hi, decimals, exact=own.exact, ascii=True)
        cells = [name, f"{count:,}", _format_plain_share(count / max(report.n, 1))]
        if report.weights is not None:
            weight = format_significant(report.weights[k], 4, ascii=True) if count else "-"
            rows.append([*cells, text.value, text.interval, weight])
        else:
            rows.append([*cells, text.interval])
    for name, count in ((NO_TYPE, report.n_without), (SEVERAL_TYPES, report.n_several)):
        if count:
            blanks = [""] * (len(heads) - 1)
            rows.append([name, f"{count:,}", _format_plain_share(count / report.n), *blanks])
    return rows


def describe_outside(outside: Estimate) -> str:
    """Return the sentence about deals of no type, given their share among all that meet the condition."""
    about = "" if outside.exact else "about "
    text = format_share(outside.value, outside.lo, outside.hi, exact=outside.exact, ascii=True)
    return f"{about}{text.value} of the deals belong to none of the types and are not dealt"


def quote_formula(cell: str) -> str:
    """Return a cell that a spreadsheet shows as text: one that it would execute gets an apostrophe before it.

    >>> quote_formula("=1+1"), quote_formula("-3.5"), quote_formula("AKQ")
    ("'=1+1", '-3.5', 'AKQ')
    """
    if not cell.startswith(("=", "+", "-", "@")):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


class ModernWriter(V1Writer):
    """The writer of the modern text."""

    def _name_event(self) -> str:
        file = self.settings.file
        origin = "" if file is None else " from " + " ".join(file.replace('"', "'").split())
        return f"Dealt by dealerkit{origin}, seed {self.settings.seed}"

    def _number_boards(self, produced: ProducedDeals) -> Iterator[tuple[int, int, int]]:
        """Yield number, dealer and vulnerability of each board, those of given deals where they have them."""
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
        from dealerkit.formats.lin_writing import format_board
        from dealerkit.formats.text_files import Board

        rows = zip(produced.deals.hands.tolist(), self._number_boards(produced), strict=True)
        return [format_board(Board(hands, *numbers)) + "\n" for hands, numbers in rows]

    def _format_diagrams(self, action: PrintAll, produced: ProducedDeals) -> list[str]:
        names = [SEATS[seat].capitalize() for seat in action.seats]
        return [
            f"Deal {board}\n{format_named_hands(hands, names)}\n"
            for board, hands in zip_hands(action, produced)
        ]

    def _format_line(self, action: Action, produced: ProducedDeals) -> list[str]:
        import csv  # only csvrpt needs it

        columns = [[cell.strip() for cell in cells] for _, cells in format_items(action, produced)]
        if self.settings.quote_formulas:
            columns = [[quote_formula(cell) for cell in cells] for cells in columns]
        lines: list[str] = []
        writer = csv.writer(SimpleNamespace(write=lines.append), lineterminator="\n")
        writer.writerows(zip(*columns, strict=True))  # writes each row as one string
        return lines

    def _format_average(self, report: AverageReport) -> str:
        mean = report.mean
        if not report.n:
            return f"Average of {report.title}: {NOTHING}\n"
        if report.n == 1 and not mean.exact:
            value = format_number(mean.value, ascii=True)
            return f"Average of {report.title}: {value}\n  a single deal, no interval\n"
        about = f"{describe_interval(mean)}, {format_count(report.n, 'deal')}"
        about += "" if report.truth else f", standard deviation {format_significant(report.sd, 3)}"
        if report.natural is not None:
            about += f"\n  at natural frequencies: {format_mean(report, report.natural)}"
        return f"Average of {report.title}: {format_mean(report)}\n  {about}\n"

    @renders(PlainReport)
    def _format_columns(self, report: PlainReport) -> str:
        if not report.n:
            return f"{report.heading}: {NOTHING}\n"
        return f"{report.heading}: {format_count(report.n, 'deal')}\n{format_table(report.rows)}"

    @renders(TypeReport)
    def _format_types(self, report: TypeReport) -> str:
        if not report.n:
            return f"Deals by {report.title}: {NOTHING}\n"
        rows = build_type_rows(report)
        width = max(len(row[0]) for row in rows)
        rows = [[row[0].ljust(width), *row[1:]] for row in rows]
        text = f"Deals by {report.title} ({format_count(report.n, 'deal')})\n{format_table(rows)}"
        outside = report.outside
        if outside is not None and outside.value:
            text += f"  {describe_outside(outside)}\n"
        return text

    def _format_frequency(self, report: FrequencyReport) -> str:
        if not report.n:
            return f"Frequency of {report.title}: {NOTHING}\n"
        rows = build_frequency_rows(report, report.exact_in_text)
        share = report.shares.share
        lengths = (30 * share / share.max()).tolist()
        bars = ["", *("▇" * round(lengths[k]) for k in report.shown_rows())]
        lines = format_table(rows).splitlines()
        text = "".join(f"{line}  {bar}".rstrip() + "\n" for line, bar in zip(lines, bars, strict=True))
        return f"Frequency of {report.title} ({describe_count(report)})\n{text}"

    def _format_cross(self, report: CrossReport) -> str:
        if not report.n:
            return f"Frequency of {report.title}: {NOTHING}\n"
        (names, heads), counts = (axis.labels for axis in report.axes), report.counts
        down, over = report.shown_cells()
        rows = [["", *(heads[k] for k in over), "sum"]]
        sums, cells = counts.sum(axis=1), counts[np.ix_(down, over)].tolist()
        for k, row in zip(down, cells, strict=True):
            texts = (format_number(count, 0, ascii=True) for count in row)
            rows.append([names[k], *texts, f"{sums[k]:,.0f}"])
        rows.append(["sum", *(f"{count:,.0f}" for count in counts.sum(axis=0)[over]), f"{counts.sum():,.0f}"])
        return f"Frequency of {report.title} ({describe_count(report)})\n{format_table(rows)}"

    def _format_contract(self, report: ContractReport) -> str:
        if not report.n:
            return f"Contract {report.title}: {NOTHING}\n"
        rows = build_contract_rows(report)
        about = f"double dummy, {format_count(report.n, 'deal')}"
        return f"Contract {report.title} ({about})\n{format_table(rows)}"

    @renders(ContractDifferenceReport)
    def _format_difference(self, report: ContractDifferenceReport) -> str:
        if not report.n:
            return f"{report.title}: {NOTHING}\n"
        rows = [["", "mean gain", describe_interval(report.imps)]]
        for name, gain in (("IMPs", report.imps), ("points", report.points)):
            text = format_estimate(gain.value, gain.lo, gain.hi, sign=True, no_effect=0, ascii=True)
            rows.append([name, text.value, text.interval])
        return f"{report.title}\n{format_table(rows)}  {report.describe_verdict()}\n"

    def _format_hands(self, report: HandsReport) -> str:
        text, numbers = [], [f"{board}." for board in report.boards.tolist()]
        for seat in report.seats:
            text.append(f"{SEATS[seat].capitalize()}'s hands\n\n")
            hands = report.hands[:, seat].tolist()
            for first in range(0, len(hands), 4):
                row = slice(first, first + 4)
                text.append(format_named_hands(hands[row], numbers[row]) + "\n")
        return "".join(text)

    def format_ending(self, totals: RunTotals) -> str:
        estimate, generated = totals.probability, totals.generated
        accepted = ""
        if isinstance(estimate, Estimate) and totals.produced > 0 and totals.produced != generated:
            accepted = f", {describe_share(estimate)}"
        dealt = f"{generated:,} dealt" if generated is not None else _estimate_dealt(totals, estimate)
        summary = f"{format_count(totals.produced, 'deal')} of {dealt}{accepted}"
        if not totals.produced:
            summary = (
                f"No deal of {generated:,} dealt met the condition" if generated else "No deal was dealt"
            )
        return f"{summary}; {totals.source}{totals.elapsed:.2f} s\n"
