"""JupyterLab in a browser: results are plotted, a slider runs the script again; errors are panels."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "01-first-deal.ipynb"
CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian package chromium)"),
    pytest.mark.skipif(importlib.util.find_spec("jupyterlab") is None, reason="JupyterLab is not installed"),
]


@pytest.fixture
def lab(tmp_path: Path):
    """Return the address of a JupyterLab that serves a copy of the notebook."""
    shutil.copy(NOTEBOOK, tmp_path / "first.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = tmp_path / "home"
    home.mkdir()
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--ip=127.0.0.1",
        f"--ServerApp.root_dir={tmp_path}", "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True",
        "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home),
        "JUPYTER_DATA_DIR": str(home),
        "IPYTHONDIR": str(home),
    }
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{address}/api", timeout=2)
                break
            except OSError:
                time.sleep(0.5)
        else:
            pytest.fail("JupyterLab did not start within a minute")
        yield address
    finally:
        server.terminate()
        server.wait(20)


def test_the_first_notebook_runs_and_its_slider_replots(lab: str, tmp_path: Path) -> None:
    from playwright.sync_api import TimeoutError, sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 2600})
        page.goto(f"{lab}/lab/tree/first.ipynb", timeout=60_000)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        with contextlib.suppress(TimeoutError):  # JupyterLab usually shows a dialog to select the kernel
            page.click(".jp-Dialog button.jp-mod-accept", timeout=15_000)
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=60_000)
        page.click(".lm-MenuBar-item:has-text('Run')")
        page.click(".lm-Menu-item:has-text('Run All Cells')")
        page.wait_for_selector(".widget-hslider, .widget-slider", timeout=90_000)
        page.wait_for_function(
            "document.querySelectorAll('.jp-OutputArea-output img').length >= 2", timeout=90_000
        )
        assert page.locator(".dk-deal").count() >= 1
        assert page.locator("table.dk-table").count() >= 3
        assert page.locator("text=/Error|Traceback/").count() == 0
        before = page.locator(".jp-OutputArea-output img").last.get_attribute("src")
        page.locator(".noUi-handle, .ui-slider-handle").last.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            "before => { const all = document.querySelectorAll('.jp-OutputArea-output img');"
            " return all[all.length - 1].src !== before }",
            arg=before,
            timeout=60_000,
        )
        shot = os.environ.get("DEALERKIT_SCREENSHOT")
        if shot:
            page.screenshot(path=shot)
        browser.close()


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
def test_errors_are_panels_in_both_themes_and_tab_completes_dealer_cells(lab: str, tmp_path: Path) -> None:
    import nbformat
    from playwright.sync_api import TimeoutError, sync_playwright

    cells = [nbformat.v4.new_code_cell(cell) for cell in BROKEN]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, tmp_path / "broken.ipynb")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 1200})
        page.goto(f"{lab}/lab/tree/broken.ipynb", timeout=60_000)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        with contextlib.suppress(TimeoutError):
            page.click(".jp-Dialog button.jp-mod-accept", timeout=4_000)
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=60_000)
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
        assert [panel.locator("ins").inner_text() for panel in panels.all()] == ["hcp", "=="]
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
        shot = os.environ.get("DEALERKIT_SCREENSHOT")
        for theme in ("Light", "Dark"):
            page.click(".lm-MenuBar-item:has-text('Settings')")
            page.hover(".lm-Menu-item:has-text('Theme') >> nth=0")
            page.click(f".lm-Menu-item:has-text('JupyterLab {theme}') >> nth=0")
            dark = str(theme == "Light").lower()
            page.wait_for_selector(f"body[data-jp-theme-light='{dark}']", state="attached")
            for part in ("h3", "p.dk-quiet", "pre .at >> nth=0", "ins"):
                assert panels.nth(0).locator(part).evaluate(CONTRAST) >= 4.5, (theme, part)
            if shot:
                page.screenshot(path=f"{shot}.{theme}.png")
        browser.close()
