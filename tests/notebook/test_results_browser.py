"""Results of all kinds in JupyterLab, in both themes and narrow, and in exported HTML without a kernel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.notebook import jupyterlab
from tests.notebook.jupyterlab import choose_theme, needs_chromium, needs_lab, take_picture

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_chromium, needs_lab]

CELLS = {
    "start": "%load_ext dealerkit\nimport dealerkit as dk\nsample = dk.solved_sample()[:4000]",
    "reports": """%%dealer -s 7 -p 4000 -o reports
condition hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)
action average "points <script>alert(1)</script> of both" hcp(north) + hcp(south),
  average "a fit" spades(north) + spades(south) >= 8,
  frequency "points of both, with a name that is longer than the cell of a notebook on a telephone is wide"
    (hcp(north) + hcp(south), 0, 37),
  frequency "lengths" (spades(north), 2, 5, spades(south), 0, 8)""",
    "deals": "%%dealer -s 3 -p 30\nhcp(north) >= 20",
    "printed": """%%dealer -s 3 -p 8
hcp(north) >= 20
action print(north, south), printpbn, average "points" hcp(south)""",
    "contracts": """%%dealer -s 5 -p 24
condition hcp(north) + hcp(south) >= 24 && spades(north) + spades(south) == 8
action evalcontract (NS, z4S, nv), evalcontract (NS, z3N, nv)""",
    "frame": 'dk.run("hcp(north) >= 20", produce=6, seed=3).to_frame()',
    "deal": 'dk.run("hcp(north) >= 20", produce=1, seed=3).deals[0]',
    "plot": "axes = reports.plot()",
    "trial": "trial = dk.compare(['hcp', 'bergen', 'losers'], sample=sample, strain='best suit', "
    "where='fit >= 8', replicates=200)\ntrial",
    "trial-plot": "axes = trial.plot()",
    "lead": 'dk.lead("QJ752.K83.94.T62", "3NT by south", given="hcp(south) >= 15", produce=40, seed=5)',
    "sheet": "dk.deal(4, seed=4).number_boards(1).page(title='After one notrump')",
    "study": """dk.contracts(sample.where("fit(NS, spades) == 8"), ["3S", "4S"], declarer="north",
    vulnerable=["none", "both"])""",
    "system": "dk.system('sayc').describe('1N')",
    "error": "%%dealer\nhpc(north) >= 20",
}

# Parts of our outputs whose text has less than 4.5 of contrast with what lies below it; see WCAG 2.1.
WEAK_TEXTS = """() => {
    const parse = text => { const v = (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
        return text.startsWith('color(srgb') ? [v[0]*255, v[1]*255, v[2]*255, v[3] ?? 1] : [v[0], v[1], v[2], v[3] ?? 1] };
    const shade = c => c.slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
    const ground = element => { const layers = [];
        for (let e = element; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
            layers.push(c); if (c[3] === 1) break }
        return layers.reverse().reduce((b, c) => [0, 1, 2].map(k => c[k] * c[3] + b[k] * (1 - c[3])), [255, 255, 255]) };
    const weak = [];
    for (const root of document.querySelectorAll('.dk')) {
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) { const e = walk.currentNode.parentElement, text = walk.currentNode.data.trim();
            if (!text || !e.checkVisibility({visibilityProperty: true, opacityProperty: true}) || e.closest('style, script')) continue;
            const style = getComputedStyle(e), svg = e.closest('svg');
            const color = parse(svg ? style.fill : style.color), below = ground(e);
            if (color.length < 3) continue;
            const pair = [shade(color), shade(below)].sort((a, b) => b - a);
            const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
            if (ratio < 4.5) weak.push([text.slice(0, 30), e.className.baseVal ?? e.className, ratio.toFixed(2)]) } }
    return weak }"""
# Our elements with a ground of their own: only tints of marks and cells may have one, the whole must not.
PAINTED = """() => [...document.querySelectorAll('.dk:not(td *), .dk:not(td *) > *')].filter(e => {
    const c = getComputedStyle(e).backgroundColor; return !(c === 'transparent' || c.endsWith(', 0)')) })
    .map(e => [e.className, getComputedStyle(e).backgroundColor])"""
# Our elements that leave the output area, unless they lie in something that scrolls.
OVERFLOWING = """() => [...document.querySelectorAll('.dk *, .dk-sheets *')].filter(e => {
    if (!e.checkVisibility() || e.closest('.sr, .dk-scroll, pre, details:not([open])')) return false;
    const area = (e.closest('.jp-OutputArea-output') || document.documentElement).getBoundingClientRect();
    const box = e.getBoundingClientRect();
    return box.width > 2 && (box.right > area.right + 1.5 || box.left < area.left - 1.5) })
    .map(e => [e.tagName, e.className.baseVal ?? e.className, Math.round(e.getBoundingClientRect().right)]).slice(0, 10)"""
# Rows of our tables with a ground, as JupyterLab gives to every second row of other tables.
STRIPED = """() => [...document.querySelectorAll('.dk tr, .dk-sheets tr')].filter(row => !row.matches(':hover')
    && !/transparent|, 0\\)$/.test(getComputedStyle(row).backgroundColor)).map(row => row.innerText)"""
# Tables for the auction that are wider than their place in a sheet.
CUT_AUCTIONS = """() => [...document.querySelectorAll('.dk-sheets .part .bid')].filter(table => table.checkVisibility()
    && table.getBoundingClientRect().right > table.closest('.body').getBoundingClientRect().right + 1).length"""
# How much smaller than their 12 pixels the texts of charts are.
SCALES = """() => [...document.querySelectorAll('.dk-figure svg')].filter(svg => svg.checkVisibility()).map(svg =>
    svg.getBoundingClientRect().width / (svg.viewBox.baseVal.width * 96 / 72))"""


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("results") / "results.ipynb"
    jupyterlab.write_notebook(path, list(CELLS.values()))
    return path


def check_page(page: Any) -> None:
    """Raise where a text is weak, a ground painted, or something leaves its cell."""
    assert page.evaluate(PAINTED) == []
    assert page.evaluate(WEAK_TEXTS) == []
    assert page.evaluate(OVERFLOWING) == []
    assert page.evaluate(STRIPED) == []
    assert page.evaluate(CUT_AUCTIONS) == 0
    assert min(page.evaluate(SCALES)) > 0.75


def take_pictures_of_cells(page: Any, name: str) -> None:
    """Take a picture of each cell."""
    for number, cell in enumerate(CELLS):
        element = page.locator(".jp-CodeCell").nth(number)
        element.scroll_into_view_if_needed()
        if jupyterlab.pictures():
            element.screenshot(path=jupyterlab.pictures() / f"{name}-{cell}.png")


def test_results_in_jupyterlab_in_both_themes_and_narrow(notebook: Path) -> None:
    with jupyterlab.open_browser() as browser, jupyterlab.open_lab(browser, notebook, 1200, 9000) as page:
        jupyterlab.run_all_cells(page)
        last = page.locator(".jp-CodeCell").nth(len(CELLS) - 1)
        last.locator(".dk-panel[role=alert]").wait_for(timeout=120_000)
        assert page.locator("text=/Traceback/").count() == 0
        assert page.locator(".jp-OutputArea-output script").count() == 0
        assert page.locator("text=<script>alert(1)</script>").count() >= 2  # in the report and in the plot
        assert page.locator(".jp-OutputArea-output img").count() == 0  # plots are SVG that follows the theme
        for theme in ("Light", "Dark"):
            choose_theme(page, theme)
            page.wait_for_timeout(500)
            take_pictures_of_cells(page, f"lab-{theme.lower()}")
            check_page(page)
        page.keyboard.press("Control+b")
        for width in (640, 420):
            page.set_viewport_size({"width": width, "height": 9000})
            page.wait_for_timeout(800)
            take_pictures_of_cells(page, f"lab-{width}")
            check_page(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_exported_html_needs_no_kernel(notebook: Path, theme: str) -> None:
    command = [
        sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "--allow-errors", f"--theme={theme}",
        f"--output={theme}", notebook.name,
    ]  # fmt: skip
    subprocess.run(command, cwd=notebook.parent, check=True, capture_output=True, timeout=300)
    with jupyterlab.open_browser() as browser:
        page = browser.new_page(viewport={"width": 1000, "height": 900}, java_script_enabled=True)
        alerts: list[str] = []
        page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
        page.goto(f"file://{notebook.parent / theme}.html")
        page.wait_for_selector(".dk-deal")
        assert page.locator("text=<script>alert(1)</script>").count() >= 2 and not alerts
        check_page(page)
        take_picture(page, f"exported-{theme}", full_page=True)
        deals = page.locator(".jp-CodeCell").nth(list(CELLS).index("deals"))
        shown = deals.locator(".dk-deal:visible").first.inner_text()
        deals.locator(".dk-tabs label").last.click()  # the next page, without a kernel
        assert deals.locator(".dk-deal:visible").first.inner_text() != shown
        page.set_viewport_size({"width": 420, "height": 900})
        check_page(page)
        take_picture(page, f"exported-{theme}-narrow", full_page=True)
