"""HTML of reports of contracts: those of one side in a table, and differences deal by deal."""

from __future__ import annotations

from collections.abc import Sequence

from dealerkit.actions.contract_differences import ContractDifferenceReport
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.text_modern import NOTHING, build_contract_rows
from dealerkit.appearance.drawings import TRICKS_KEY, choose_reach, draw_difference, draw_rate, draw_tricks
from dealerkit.appearance.html import Markup, mark_suits, render_caption
from dealerkit.appearance.numbers import (
    choose_share_decimals,
    format_count,
    format_estimate,
    format_share,
)
from dealerkit.appearance.tables import Column, render_rows, render_table, render_two_lines
from dealerkit.appearance.wording import join_words
from dealerkit.cards.names import SEATS

SIDES = ("north-south", "east-west")


def render_contracts(reports: Sequence[ContractReport]) -> str:
    """Return contracts of one side: how often each makes, its tricks, its mean score, and what it misses."""
    first = reports[0]
    same_state = len({report.vulnerable for report in reports}) == 1
    if len(reports) == 1:
        title = f"{first.title}, double dummy"
    else:
        state = f", {_name_state(first)}" if same_state else ""
        title = f"Contracts of {SIDES[first.side]}{state}, double dummy"
    heading = f"<h3>{mark_suits(title)}</h3>"
    if not first.n:
        return heading + _caption(f"{NOTHING.capitalize()}.")
    columns = [Column("contract", "l"), Column("makes, 0 to 100\u00a0%", "pic"), Column("")]
    columns += [Column("tricks", "l w2"), Column("mean score")]
    made = [report.made for report in reports]
    is_exact = all(share.exact for share in made)
    decimals = None if is_exact else choose_share_decimals([e.lo for e in made], [e.hi for e in made])
    table = render_table(
        columns, [_list_cells(report, decimals, not same_state) for report in reports], "dk-tall"
    )
    caption = TRICKS_KEY
    marks = [
        f"{report.contract} from {100 * report.break_even:.1f} %" for report in reports if report.break_even
    ]
    if marks:
        chances = join_words(list(dict.fromkeys(marks)))
        caption += f" Dashed: the chance from which it gains IMPs over one level lower, {chances}."
    return (
        f"{heading}<p>{format_count(first.n, 'deal')}</p>{table}{_caption(caption)}{_render_missed(reports)}"
    )


def _name_state(report: ContractReport) -> str:
    return "vulnerable" if report.vulnerable else "not vulnerable"


def _caption(text: str) -> str:
    return render_caption(mark_suits(text.replace(" %", "\u00a0%")))


def _list_cells(report: ContractReport, decimals: int | None, with_state: bool) -> list[str]:
    """Return the row of a contract."""
    made, score = report.made, report.score
    rate = format_share(made.value, made.lo, made.hi, decimals, exact=made.exact)
    points = format_estimate(score.value, score.lo, score.hi, sign=True)
    counts = [float(count) for count in report.tricks]
    shares = [f"{k}: {format_share(n / sum(counts), 0, 0, 0).value}" for k, n in enumerate(counts) if n]
    tricks = f"tricks, {report.n_tricks} needed: {', '.join(shares)}"
    about = f"by {SEATS[report.declarer]}" + (f", {_name_state(report)}" if with_state else "")
    name = f'<span class="n dk-first">{mark_suits(str(report.contract))}</span>'
    marks = [report.break_even] if report.break_even else []
    label = f"makes on {rate.value} of the deals, {rate.interval}; {tricks}"
    return [
        Markup(f'{name}<br><span class="u">{about}</span>'),
        draw_rate(made.value, (made.lo, made.hi), label, marks),
        render_two_lines(rate.value, rate.interval),
        draw_tricks(counts, report.n_tricks, tricks),
        render_two_lines(points.value, points.margin or points.interval),
    ]


def _render_missed(reports: Sequence[ContractReport]) -> str:
    """Return the games and slams that contracts miss, or nothing."""
    rows = []
    for report in reports:
        start = f"{report.contract}: " if len(reports) > 1 else ""
        rows += [[start + row[0], *row[1:]] for row in build_contract_rows(report)[3:]]
    return render_rows([["", "", "interval"], *rows]) if rows else ""


def render_difference(report: ContractDifferenceReport) -> str:
    """Return the gain of one contract over another in IMPs and in points, each on an axis round 0."""
    heading = f"<h3>{mark_suits(report.title)}</h3>"
    if not report.n:
        return heading + _caption(f"{NOTHING.capitalize()}.")
    rows = []
    for name, gain in (("IMPs", report.imps), ("points", report.points)):
        ends = gain.lo, gain.hi
        text = format_estimate(gain.value, *ends, sign=True, no_effect=0)
        reach = choose_reach([gain.value, *ends])
        label = f"{text.value} {name}, {text.interval}"
        drawn = draw_difference(gain.value, ends, reach, label)
        rows.append([name, drawn, render_two_lines(text.value, text.interval)])
    columns = [Column("", "l"), Column("who is ahead", "pic"), Column("mean gain")]
    return heading + render_table(columns, rows, "dk-tall") + _caption(report.describe_verdict())
