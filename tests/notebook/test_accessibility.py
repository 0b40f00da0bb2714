"""Labels, contrast, structure and sizes of the explorer and of shared pages, checked by axe in a browser.

Every page in light and dark, at 1280 and 420 px, with all folded parts unfolded; none scrolls sideways.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dealerkit.notebook.explorer.questions import QUESTIONS
from dealerkit.notebook.explorer.session import Session
from tests.notebook.jupyterlab import needs_chromium, open_browser
from tests.notebook.test_explorer_browser import click, fill, needs_voila, open_page, open_task, run

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_chromium]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SMALL = {
    "contract": {"deals": "20"},
    "lead": {"deals": "20"},
    "partner": {"deals": "400"},
    "sweep": {"deals": "300"},
    "practice": {"boards": "4"},
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


def check(page: Any) -> None:
    """Fail if axe finds a violation, or the page can be scrolled sideways."""
    page.evaluate("document.activeElement?.blur()")
    for fold in page.query_selector_all("details:not([open])"):
        fold.evaluate("fold => { fold.open = true; }")
    page.wait_for_timeout(600)  # what is unfolded is loaded; old answers are no longer half transparent
    found = axe.Axe().run(page, options={"runOnly": RULES})
    assert not found.response["violations"], found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.fixture(scope="module")
def shared_pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write the page of each question's result, where it has one."""
    folder = tmp_path_factory.mktemp("pages")
    files = []
    for key in QUESTIONS:
        session = Session(seed=7)
        session.open(key)
        for name, value in SMALL.get(key, {}).items():
            session.fill(name, value)
        assert session.run()
        session.wait()
        if "page" in session.list_files():
            files.append(folder / f"{key}.html")
            files[-1].write_bytes(session.make_file("page")[2])
    return files


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1280])
def test_shared_pages(browser: Any, shared_pages: list[Path], theme: str, width: int) -> None:
    assert len(shared_pages) >= 8
    page = browser.new_page(viewport={"width": width, "height": 1000}, color_scheme=theme)
    for file in shared_pages:
        page.goto(file.as_uri())
        check(page)
    page.close()


@needs_voila
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1280])
def test_the_explorer(browser: Any, theme: str, width: int) -> None:
    options = ["--dark"] if theme == "dark" else []
    size = {"width": width, "height": 1000}
    with open_page(browser, "-s", "7", *options, viewport=size, color_scheme=theme) as page:
        check(page)
        for key in QUESTIONS:
            open_task(page, click, key)
            for name, value in SMALL.get(key, {}).items():
                fill(page, click, name, value)
            run(page, click)
            check(page)
