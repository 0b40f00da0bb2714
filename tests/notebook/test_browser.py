"""JupyterLab in a browser: results are plotted, errors are panels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.notebook.jupyterlab import (
    choose_theme,
    needs_chromium,
    needs_lab,
    open_browser,
    open_lab,
    run_all_cells,
    take_picture,
    write_notebook,
)

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "01-first-deal.ipynb"

pytestmark = [pytest.mark.browser, needs_chromium, needs_lab]


def test_the_first_notebook_runs(tmp_path: Path) -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    (tmp_path / "first.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with open_browser() as browser, open_lab(browser, tmp_path / "first.ipynb", 1200, 2600) as page:
        run_all_cells(page)
        page.wait_for_function(
            "document.querySelectorAll('.jp-OutputArea-output .dk-figure svg').length >= 2", timeout=90_000
        )
        assert page.locator(".dk-deal").count() >= 1
        assert page.locator("table.dk-table").count() >= 2
        assert page.locator("text=/Error|Traceback/").count() == 0
        take_picture(page, "first-deal")


BROKEN = [
    "%load_ext dealerkit\nimport dealerkit as dk",
    "%%dealer -p 10\ncondition hpc(north) >= 15 and\n  spades(north) == 4",
    "x = 1\nresult = dk.run('condition hcp(north) = 15')",
    "%%dealer\ncondition hc",
]
# Contrast (WCAG 2.1) of an element's text with the ground of the page.
CONTRAST = """element => {
    const shade = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
    const ground = getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor;
    const pair = [shade(getComputedStyle(element).color), shade(ground)].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
}"""


@pytest.mark.slow
def test_errors_are_panels_in_both_themes_and_tab_completes_dealer_cells(tmp_path: Path) -> None:
    write_notebook(tmp_path / "broken.ipynb", BROKEN)
    with open_browser() as browser, open_lab(browser, tmp_path / "broken.ipynb") as page:
        for number in range(3):
            page.locator(".jp-Cell .jp-InputArea-editor").nth(number).click()
            page.keyboard.press("Control+Enter")
            page.locator(".jp-CodeCell").nth(number).locator(f"text=[{number + 1}]:").wait_for(timeout=60_000)
        panels = page.locator(".jp-OutputArea-output .dk-panel.dk-error[role=alert]")
        panels.nth(1).wait_for(timeout=60_000)
        assert panels.count() == 2 and page.locator("text=/Traceback/").count() == 0
        assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
        assert panels.nth(0).locator("pre").nth(0).inner_text().splitlines()[:2] == [
            "1 │ condition hpc(north) >= 15 and",
            "  │           ^^^",
        ]
        assert [panel.locator("ins").inner_text() for panel in panels.all()] == ["hcp", "="]
        colored = "kind => [...CSS.highlights.get(kind)].map(String)"
        assert page.evaluate(colored, "dk-keyword") == ["condition", "and", "condition"]
        assert page.evaluate(colored, "dk-function") == ["hpc", "spades"]
        assert page.evaluate(colored, "dk-seat") == ["north", "north"]
        page.locator(".jp-Cell .jp-InputArea-editor").nth(3).click()
        page.keyboard.press("Control+End")
        page.keyboard.press("Tab")
        page.wait_for_function(  # the only name that begins so is written, or offered
            "/hcp/.test(document.querySelectorAll('.jp-CodeCell')[3].innerText"
            " + (document.querySelector('.jp-Completer') || {innerText: ''}).innerText)",
            timeout=20_000,
        )
        page.keyboard.press("Escape")
        for theme in ("Light", "Dark"):
            choose_theme(page, theme)
            for part in ("h3", "p.dk-quiet", "pre .at >> nth=0", "ins"):
                assert panels.nth(0).locator(part).evaluate(CONTRAST) >= 4.5, (theme, part)
            take_picture(page, f"errors-{theme.lower()}")
