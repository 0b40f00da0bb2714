"""A page of a result in a browser: without scripts and network, and with a sorted table and a copied call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dealerkit as dk
from tests.notebook.jupyterlab import needs_chromium, open_browser, take_picture

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_chromium]
SCRIPT = """condition hcp(north) >= 20
action average "south's points" hcp(south), frequency "south's spades" (spades(south), 0, 13), printoneline"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "study.html"
    dk.run(SCRIPT, produce=100, seed=7).to_html(path)
    return path


def read_column(page: Any, column: int) -> list[str]:
    rows = page.locator("table.dk-table").nth(1).locator("tbody tr")
    return [rows.nth(row).locator("th, td").nth(column).inner_text() for row in range(rows.count())]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1280])
def test_a_page_is_read_without_scripts_and_network(
    browser: Any, page_file: Path, theme: str, width: int
) -> None:
    context = browser.new_context(
        java_script_enabled=False, offline=True, color_scheme=theme, viewport={"width": width, "height": 900}
    )
    page, requests = context.new_page(), []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(page_file.as_uri())
    assert page.locator("text=south's points").first.is_visible()
    assert page.locator("text=Deal 1").first.is_visible() and not page.locator("text=Deal 13").is_visible()
    page.click("label:has-text('13–24')")
    assert page.locator("text=Deal 13").first.is_visible()
    page.click("summary:has-text('How it was dealt')")
    assert page.locator("dd.dk-call").is_visible()
    assert page.locator("main").bounding_box()["width"] <= width
    assert requests == [page_file.as_uri()]
    take_picture(page, f"page-{width}-{theme}", full_page=True)
    context.close()


def test_tables_are_sorted_and_the_call_is_copied(browser: Any, page_file: Path) -> None:
    context = browser.new_context(offline=True, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.wait_for_selector("table.dk-table .dk-sort")
    heads = page.locator("table.dk-table").nth(1).locator("thead th")
    place = [heads.nth(number).inner_text() for number in range(heads.count())].index("count")
    counts = read_column(page, place)
    heads.nth(place).locator(".dk-sort").focus()
    page.keyboard.press("Enter")
    numbers = [int(text) for text in read_column(page, place)]
    assert numbers == sorted(map(int, counts), reverse=True) != list(map(int, counts))
    page.keyboard.press("Enter")
    assert [int(text) for text in read_column(page, place)] == numbers[::-1] or len(set(numbers)) < len(
        numbers
    )
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("count")
    page.click("button:has-text('Copy the call')")
    page.wait_for_selector("button:has-text('Copied')")
    names: dict[str, Any] = {}
    exec(page.evaluate("navigator.clipboard.readText()"), names)
    expected = dk.run(SCRIPT, produce=100, seed=7)
    assert names["result"].deals.equals(expected.deals)
    assert [str(report) for report in names["result"].reports] == [str(report) for report in expected.reports]
    context.close()


def test_the_slider_of_the_manual_shows_one_plot_at_a_time(browser: Any, tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "docs" / "_static" / "slider.js"
    plots = "".join(f'<div class="output">plot {number}</div>' for number in range(3))
    printed = '<div class="output">20 points\n22 points\n24 points\n</div>'
    cell = f'<div class="cell tag_slider"><div class="cell_output">{printed}{plots}</div></div>'
    path = tmp_path / "page.html"
    path.write_text(f'<body>{cell}<script src="{script.as_uri()}"></script>', encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.get_by_label("22 points").get_attribute("type") == "range"
    assert page.locator(".output:visible").all_inner_texts() == ["plot 1"]
    page.locator("input").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_label("24 points").get_attribute("aria-valuetext") == "24 points"
    assert page.locator(".output:visible").all_inner_texts() == ["plot 2"]
    page.close()
