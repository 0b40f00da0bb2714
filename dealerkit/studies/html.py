"""What the HTML of studies has in common: tables below headings, captions, and how a study was computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dealerkit.appearance.drawings import choose_reach
from dealerkit.appearance.html import mark_suits, render_caption, render_facts
from dealerkit.appearance.numbers import format_count, format_estimate
from dealerkit.appearance.svg import draw_difference
from dealerkit.appearance.tables import Column, render_rows, render_table, show_signs
from dealerkit.appearance.wording import format_duration

if TYPE_CHECKING:
    from dealerkit.appearance.latex import Section
    from dealerkit.studies.provenance import Provenance

LONG_SEED = 10**19  # those that make equal calls equal are long, and stand with the details only


def render_sections(sections: Iterable[Section]) -> str:
    """Return tables, each below its heading; the first row of each is its head."""
    parts = []
    for heading, rows in sections:
        parts += [render_heading(heading) if heading else "", render_rows(rows)]
    return "".join(parts)


def render_heading(text: str) -> str:
    """Return the heading of a table.

    >>> render_heading("Less <hcp>")
    '<h3>Less &lt;hcp&gt;</h3>'
    """
    return f"<h3>{mark_suits(text)}</h3>"


def render_notes(notes: Iterable[str]) -> str:
    """Return sentences as a caption, or nothing if there is none."""
    text = " ".join(note for note in notes if note)
    return render_caption(mark_suits(show_signs(text))) if text else ""


def list_origin(origin: Provenance) -> list[str]:
    """Return the quiet parts of a head line: number of deals, seed, time.

    >>> from dealerkit.studies.provenance import Cost, Provenance
    >>> list_origin(Provenance("hcp(north)", 7, cost=Cost(2000, 100, 90, 10, 1.5)))
    ['2,000 deals', 'seed 7', '1.5 seconds']
    """
    cost = origin.cost
    if origin.seed is None:
        about = [format_count(cost.deals, "given deal")] if cost.deals else []
    else:
        about = [format_count(cost.deals, "deal")] if cost.deals else []
        about += [f"seed {origin.seed}"] if origin.seed < LONG_SEED else []
    time = [format_duration(1e9 * cost.seconds)] if cost.seconds else []
    return [*about, *time]


def render_origin(origin: Provenance) -> str:
    """Return how a study was computed, closed, as a list of terms."""
    rows = [("script", origin.script), ("cost", str(origin.cost))]
    rows.append(("seed", "given deals" if origin.seed is None else str(origin.seed)))
    versions = f"dealerkit {origin.versions['dealerkit']}, deals of version {origin.versions['deals']}"
    return render_facts("How it was computed, and seed", [*rows, ("versions", versions)])


def render_differences(
    title: str,
    unit: str,
    rows: Sequence[tuple[str, float, float, float]],
    more: Sequence[tuple[Column, Sequence[str]]] = (),
) -> str:
    """Return a row for each difference with its interval, drawn on one axis whose middle is 0.

    Parameters
    ----------
    title : str
        Of the drawings.
    unit : str
        Of the values, in the head of their column.
    rows : sequence of (str, float, float, float)
        Names, values and both ends.
    more : sequence of (Column, cells)
        Columns at the right.
    """
    reach = choose_reach([end for _, _, lo, hi in rows for end in (lo, hi)])
    columns = [Column("", "l dk-name"), Column(mark_suits(title), "pic"), Column(mark_suits(unit), "n")]
    columns += [Column("interval", "u w2"), *(column for column, _ in more)]
    cells = []
    for number, (name, value, lo, hi) in enumerate(rows):
        shown = format_estimate(value, lo, hi, sign=True)
        label = f"{name}: {shown.value}, {shown.interval}"
        drawing = draw_difference(value, (lo, hi), reach, label)
        others = [texts[number] for _, texts in more]
        cells.append([mark_suits(name), drawing, shown.value, shown.interval, *others])
    return render_table(columns, cells)
