"""What is shown of a `Result`: its card, and its HTML, short in a notebook and complete in a file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from dealerkit.actions import Report, join_cards
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Note
from dealerkit.appearance.html import render_facts, render_fragment, render_head, render_page
from dealerkit.appearance.html_card import render_note
from dealerkit.appearance.numbers import choose_decimals, count_digits, format_count, format_odds
from dealerkit.appearance.table import Quantity
from dealerkit.cards.html import render_deals, render_grid
from dealerkit.simulation.record import describe_seeds

MAX_LINES = 200  # of printed text that a notebook shows


def render_result(result: Any) -> str:
    """Return a result for a notebook: reports, the deals if the script prints or has no reports, the text."""
    card = describe_result(result)
    parts = [_render_head(result, card), _render_reports(result.reports, complete=False)]
    if not result.produced:
        parts.append("<p>No deal met the condition.</p>")
    elif _prints(result) or not result.reports:
        title = "<h3>Deals</h3>" if result.reports else ""
        parts.append(title + render_deals(result.deals, result.produced, "result.deals"))
    if lines := result.text.splitlines() if _prints(result) else []:
        count = format_count(len(lines), "line")
        rest = f"; the first {MAX_LINES}, all of them are in result.text" if len(lines) > MAX_LINES else ""
        shown = escape("\n".join(lines[:MAX_LINES]))
        parts.append(f"<details><summary>Printed text, {count}{rest}</summary><pre>{shown}</pre></details>")
    parts.append(render_facts("How it was dealt, and seed", card.provenance))
    return render_fragment("".join(parts), repr(result))


def render_result_file(result: Any, text: str) -> str:
    """Return a result as a file with all reports, all hands and deals, and the text that was printed."""
    card = describe_result(result)
    parts = [_render_head(result, card), _render_reports(result.reports, complete=True)]
    if not result.produced:
        parts.append("<p>No deal met the condition.</p>")
    elif _prints(result) or not result.reports:
        parts.append("<h3>Deals</h3>" + render_grid(list(result.deals)))
    if text and _prints(result):
        parts.append(f"<h3>Printed text</h3><pre>{escape(text)}</pre>")
    parts.append(render_facts("How it was dealt, and seed", card.provenance))
    return render_page(result.plan.program.title or "dealerkit", "".join(parts), repr(result))


def _render_reports(reports: Sequence[Report], complete: bool) -> str:
    """Return the cards of reports; all averages are in one, and the contracts of a side."""
    return "".join(f'<div class="dk-report">{card.to_html(complete)}</div>' for card in join_cards(reports))


def describe_result(result: Any) -> Card:
    """Return the card of a result without its reports: deals, acceptance, seed, how they were dealt."""
    population: list[Note] = []
    rate = result.probability
    if result.produced and rate.value < 1:
        share = Quantity(rate, "share").format()
        interval = "exact" if rate.exact else share.interval
        ends = 100 * rate.value, 100 * rate.lo, 100 * rate.hi
        digits = 4 if rate.exact else count_digits(ends[0], choose_decimals(*ends, no_effect=0))
        odds = format_odds(rate.value, digits)
        population.append(f"1 deal {odds.removeprefix('1 ')} ({share.value}, {interval})")
    if result.generated is not None:
        population += [(Quantity(result.generated, "count"), " dealt")] * (
            result.generated != result.produced
        )
    elif result.produced:
        population.append(("stands for about ", Quantity(result.equivalent, digits=3), " dealt"))
    origin = "given deals" if result.stream == "given" else describe_seeds(result.seeds)
    population += [origin, (Quantity(result.elapsed, decimals=2), " s")]
    return Card(format_count(result.produced, "deal"), population=population, provenance=_list_facts(result))


def _render_head(result: Any, card: Card) -> str:
    """Return the head line: deals, acceptance, deals dealt or stood for, seed, time."""
    head = render_head(card.title, *map(render_note, card.population))
    stopped = '<span class="dk-warn">stopped</span>' if result.interrupted else ""
    return head.removesuffix("</div>") + stopped + "</div>"


def _list_facts(result: Any) -> list[tuple[str, str]]:
    """Return how the deals were dealt, as a list of terms."""
    plan, solver = result.plan, result.solver
    facts = [("plan", f"{plan.name}, version {plan.version}")]
    if plan.sampling is not None:
        facts.append(
            ("candidates", f"{result.proposed:,} sampled, of which {result.produced:,} passed all tests")
        )
    if result.stream != "given":
        facts.append(
            ("stream", f"{result.stream}, version {result.stream_version}, {describe_seeds(result.seeds)}")
        )
    if solver.requested:
        counts = [(solver.solved, "solved"), (solver.stored, "stored"), (solver.attached, "attached")]
        kinds = ", ".join(f"{count:,} {kind}" for count, kind in [*counts, (solver.bounded, "from bounds")])
        facts.append(("double dummy", f"{solver.requested:,} results: {kinds}"))
    return [*facts, *(("remark", remark) for remark in result.warnings)]


def _prints(result: Any) -> bool:
    """Return whether an action of the script prints a text for each deal."""
    return any(action.prints for action in result.plan.actions)
