"""Tables: text and HTML say the same, and columns without content are not shown."""

from __future__ import annotations

import html
import re

import pytest

import dealerkit as dk
from dealerkit.appearance import html_card, text
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Code
from dealerkit.appearance.table import Column, Interval, Table


def read_cells(shown: str) -> list[str]:
    """Return the cells of the rows of an HTML table as they are read, with the words of plain text."""
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", shown.partition("<tbody>")[2])
    texts = [html.unescape(re.sub(r"<[^>]+>", "", cell)).replace("\u00a0", " ") for cell in cells]
    return [cell.replace(" – ", " to ").replace("\u2212", "-") for cell in texts]


@pytest.mark.parametrize(
    ("kind", "cell", "expected"),
    [
        ("share", Interval(10 / 60, 0.0931, 0.2800), "17 (9 to 28) %"),  # Wilson's interval of 10 of 60
        ("share", Interval(0.5, 0.45, 0.55), "50 ± 5 %"),
        ("share", Interval(0.0, 0.0, 0.0092), "0 (below 0.92 %)"),
        ("value", Interval(-0.5, -1.6, 0.1), "-0.5 (-1.6 to +0.1) IMPs"),
        ("value", Interval(2.5, float("-inf"), float("inf")), "+2.5 IMPs, no interval"),
    ],
)
def test_a_number_and_its_interval_are_written_alike_in_text_and_html(kind, cell, expected):
    unit = {} if kind == "share" else {"unit": "IMPs", "sign": True}
    table = Table(
        [Column("name", kind="name"), Column("x", kind=kind, interval="within", **unit)], [["a", cell]]
    )
    assert text.render_table(table).splitlines()[1].removeprefix("  a").strip() == expected
    assert read_cells(html_card.render_table(table)) == ["a", expected]


def test_averages_of_truth_values_have_no_standard_deviations():
    heads = {}
    for script in ("average hcp(north) > 12", "average hcp(north) > 12, average hcp(north)"):
        shown = dk.run(f"action {script}", produce=50, seed=1, progress=False).to_html()
        heads[script] = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', shown)
    alone, both = heads.values()
    assert "sd" not in alone and "sd" in both


def test_empty_columns_stay_in_frames_and_json():
    table = Table([Column("mean"), Column("sd", optional=1)], [[0.5, None], [0.6, None]])
    assert text.render_table(table).split() == ["mean", "0.5", "0.6"]
    assert list(table.to_frame()) == ["mean", "sd"]
    assert table.to_dict()["rows"] == [{"mean": 0.5, "sd": None}, {"mean": 0.6, "sd": None}]


def test_code_in_titles_and_cells_can_be_pasted() -> None:
    """Neither signs of suits nor a minus replaces a part of it; LaTeX sets it in the type of a typewriter."""
    condition = "hcp(south)-hcp(north) > -5 and hascard(east, 7D)"
    table = Table(
        [Column("label", kind="name"), Column("mean")], [[Code(condition), 0.5]], ("By ", Code("x >= 1"))
    )
    card = Card(("Average of ", Code(condition)), tables=[table])
    page = card.to_html()
    assert page.count(f"<code>{html.escape(condition)}</code>") == 2 and "<code>x &gt;= 1</code>" in page
    assert card.to_text().startswith(f"Average of {condition}\n\nBy x >= 1\n  label")
    assert card.to_dict()["title"] == f"Average of {condition}"
    assert card.to_dict()["tables"][0]["heading"] == "By x >= 1"
    assert card.to_latex().count(r"\texttt{") == 3 and r"\texttt{x >= 1}" in card.to_latex()
