"""Practice sheets printed and shown by Chromium: number of pages, width of a telephone, colours of paper."""

from __future__ import annotations

import importlib.util
import re
import shutil

import pytest

import dealerkit as dk

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
WHOLE_SUITS = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
DEALS = dk.Deals.concatenate([dk.solved_sample()[:13], dk.Deals.from_pbn([WHOLE_SUITS] * 12)])
LAYOUTS = [
    {}, {"columns": 4}, {"hands": "S"}, {"hands": "S", "columns": 3, "points": True}, {"hands": "NESW"},
    {"hands": "NESW", "auction": 5}, {"auction": 12, "note": "A note. " * 20, "title": "Long " * 30},
]  # fmt: skip

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian package chromium)"),
    pytest.mark.skipif(importlib.util.find_spec("playwright") is None, reason="playwright is not installed"),
]


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.mark.parametrize(
    "deals",
    [
        pytest.param(dk.solved_sample()[:25], id="usual", marks=pytest.mark.slow),
        pytest.param(DEALS, id="usual and whole suits"),
    ],
)
@pytest.mark.parametrize("options", LAYOUTS[:-1], ids=str)
def test_every_sheet_is_one_page(browser, options, deals):
    html = deals.page(**options).html
    tab = browser.new_page(color_scheme="dark")
    tab.set_content(html)
    pdf = tab.pdf(prefer_css_page_size=True)
    tab.emulate_media(media="print")
    assert tab.evaluate("getComputedStyle(document.querySelector('.paper .s')).color") == "rgb(0, 0, 0)"
    assert tab.evaluate("getComputedStyle(document.querySelector('.paper .d')).color") == "rgb(168, 10, 30)"
    assert not tab.is_visible(".phone")
    tab.close()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == html.count('<section class="sheet">')


@pytest.mark.parametrize("options", LAYOUTS, ids=str)
def test_a_telephone_scrolls_in_no_layout_to_the_side(browser, options):
    tab = browser.new_page(viewport={"width": 390, "height": 800})
    tab.set_content(DEALS.page(**options).html)
    assert tab.locator(".one:visible").count() == 1 and not tab.is_visible(".paper")
    widths = tab.evaluate(
        """() => Array.from(document.querySelectorAll('.one')).map(board => {
            location.hash = board.id;
            board.querySelectorAll('details').forEach(part => part.open = true);
            return document.documentElement.scrollWidth - document.documentElement.clientWidth;
        })"""
    )
    assert len(widths) == 25 and max(widths) <= 0
    tab.close()


def test_the_button_shows_the_next_board(browser, tmp_path):
    DEALS.page().write(tmp_path / "a.html")
    tab = browser.new_page(viewport={"width": 390, "height": 800})
    tab.goto((tmp_path / "a.html").as_uri())
    assert "1 of 25" in tab.locator(".one:visible").inner_text()
    tab.click(".one:visible nav a.main")
    assert "2 of 25" in tab.locator(".one:visible").inner_text()
    tab.set_viewport_size({"width": 1000, "height": 800})
    assert tab.is_visible(".paper") and not tab.is_visible(".phone")
    tab.close()
