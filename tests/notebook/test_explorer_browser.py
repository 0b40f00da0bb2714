"""The explorer in JupyterLab and as a page of its own, in a browser; exported without a kernel."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.notebook import jupyterlab
from tests.notebook.jupyterlab import choose_theme, find_port, needs_chromium, needs_lab, serve, take_picture

HEAD = "document.querySelector('.dk-live .dk-head').innerText".replace(".dk-live", "[class*=dk-live-]")
MILLION = """condition hcp(north) >= 12 and losers(south) <= 7
action average "south's points" hcp(south), frequency "controls" (controls(north) + controls(south), 0, 24)"""
TRICKS = """condition hcp(north) >= 15 and hcp(south) >= 9 and spades(south) == 5 and spades(north) >= 3
action average "4S makes" dds(north, spades) >= 10, frequency "tricks" (dds(north, spades), 5, 13)"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    needs_chromium,
]
needs_voila = pytest.mark.skipif(importlib.util.find_spec("voila") is None, reason="needs voila")


@pytest.fixture
def browser() -> Iterator[Any]:
    with jupyterlab.open_browser() as opened:
        yield opened


def wait_for_head(page: Any, pattern: str) -> None:
    page.wait_for_function(f"/{pattern}/.test({HEAD})", timeout=60_000)


@contextlib.contextmanager
def open_explorer(browser: Any, folder: Path, cell: str) -> Iterator[Any]:
    """Open a notebook with one cell in JupyterLab and run it."""
    jupyterlab.write_notebook(folder / "a.ipynb", [cell])
    with jupyterlab.open_lab(browser, folder / "a.ipynb", 1300, 1100) as page:
        jupyterlab.run_all_cells(page)
        page.wait_for_selector("[class*=dk-live-] .dk-head", timeout=90_000)
        yield page


@needs_lab
def test_sliders_editor_and_pages_in_jupyterlab(browser: Any, tmp_path: Path) -> None:
    cell = f"import dealerkit as dk\ndk.explore({MILLION!r}, seed=7, produce=20_000)"
    with open_explorer(browser, tmp_path, cell) as page:
        wait_for_head(page, "20,000 deals produced")
        page.click(".dk-edit button:has-text('12')")
        page.wait_for_selector(".dk-slider:has-text('north: points at least')")
        figures = "document.querySelector('[class*=dk-live-] .dk-report').innerText"
        before = page.evaluate(figures)
        page.locator(".dk-slider .noUi-handle").focus()
        began = time.perf_counter()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"before => {figures} !== before", arg=before, timeout=30_000, polling=10)
        assert time.perf_counter() - began < 3  # 0.3 s where nothing else runs: docs/howto/explorer.md
        assert ">= 13" in page.inner_text(".dk-edit").replace("\n", "")
        take_picture(page, "explorer-points-light")

        page.click(".lm-TabBar-tab:has-text('Deals')")
        page.wait_for_function("document.querySelectorAll('[class*=dk-live-] .dk-deal').length == 12")
        page.click("button:has-text('Next')")
        page.wait_for_selector("text=Deals 13 to 24 of")
        page.click(".lm-TabBar-tab:has-text('Plan')")
        page.wait_for_selector(".dk-report:has-text('A deal is produced if')")
        page.click(".lm-TabBar-tab:has-text('Reports')")

        page.click(".dk-explorer button:has-text('Edit')")
        page.fill(".dk-editor textarea", "condition hpc(north) > 15 action average hcp(south)")
        page.wait_for_selector(".dk-panel:has-text('Remedy')", timeout=30_000)
        assert "^^^" in page.inner_text(".dk-panel") and "hcp(north) > 15" in page.inner_text(".dk-panel")
        assert page.locator("[class*=dk-live-] .dk-old").count() >= 1  # the old figures, in grey
        take_picture(page, "explorer-panel-light")
        page.fill(".dk-editor textarea", 'condition hcp(north) > 30 action average "<script>" hcp(south)')
        page.wait_for_selector(".dk-error", state="detached", timeout=30_000)
        page.click(".dk-explorer button:has-text('Done')")
        page.click(".dk-explorer button:has-text('Run')")
        page.wait_for_selector("[class*=dk-live-] .dk-report:has-text('<script>')", timeout=60_000)
        assert page.locator(".jp-OutputArea-output:has-text('Traceback')").count() == 0


@needs_lab
def test_tricks_stream_in_beside_the_model_and_the_export_keeps_them(browser: Any, tmp_path: Path) -> None:
    cell = f"import dealerkit as dk\ndk.explore({TRICKS!r}, seed=7, produce=100_000, marked=[24])"
    with open_explorer(browser, tmp_path, cell) as page:
        page.wait_for_selector("[class*=dk-live-] .dk-tag:has-text('model estimate')", timeout=60_000)
        count = f"() => parseInt({HEAD}.replace(',', ''))"
        wait_for_head(page, "[0-9]+ of 100,000 deals solved")
        first = page.evaluate(count)
        page.wait_for_function(f"first => ({count})() > first", arg=first, timeout=60_000)
        take_picture(page, "explorer-tricks-light")
        page.set_viewport_size({"width": 540, "height": 1500})
        page.keyboard.press("Control+b")
        time.sleep(1)
        take_picture(page, "explorer-tricks-narrow")
        page.set_viewport_size({"width": 1300, "height": 1100})
        choose_theme(page, "Dark")
        time.sleep(1)
        take_picture(page, "explorer-tricks-dark")
        ground = "e => { let n = e; while (n && getComputedStyle(n).backgroundColor.endsWith(', 0)')) n = n.parentElement; return n.className }"
        assert "dk" not in page.locator("[class*=dk-live-] .dk-head").evaluate(ground).split()
        page.click(".dk-explorer button:has-text('Stop')")
        wait_for_head(page, "stopped")
        n_solved = page.evaluate(count)
        page.click(
            ".jp-Toolbar button[data-command='docmanager:save'], [data-jp-item-name='save'] button, [data-jp-item-name='save'] jp-button"
        )
        for _ in range(40):
            time.sleep(0.5)
            if f"{n_solved:,} deals solved" in (tmp_path / "a.ipynb").read_text("utf-8"):
                break
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "a.ipynb"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    exported = browser.new_page(viewport={"width": 1000, "height": 900})
    exported.goto(f"file://{tmp_path / 'a.html'}")
    exported.wait_for_selector(f"text={n_solved:,} deals solved")
    assert exported.locator("text=sliders need a running kernel").is_visible()
    assert exported.locator("text=4S makes").last.is_visible()
    take_picture(exported, "explorer-exported")


@needs_voila
def test_the_page_runs_without_a_notebook(browser: Any, tmp_path: Path) -> None:
    script = tmp_path / "study.dealer"
    script.write_text("# param low = 15  # least points\nhcp(north) >= $low\naction average hcp(south)\n")
    port = find_port()
    command = [
        sys.executable,
        "-m",
        "dealerkit",
        "explore",
        str(script),
        "-s",
        "7",
        "--port",
        str(port),
        "--no-browser",
    ]
    address = f"http://127.0.0.1:{port}/"
    with serve(command, f"{address}favicon.ico", dict(os.environ)) as server:
        page = browser.new_page(viewport={"width": 420, "height": 1200})
        page.goto(address, timeout=90_000)
        page.wait_for_selector(".dk-slider:has-text('least points')", timeout=90_000)
        wait_for_head(page, "10,000 deals produced")
        page.locator(".dk-slider .noUi-handle").focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.querySelector('.dk-slider .widget-readout').innerText === '16'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 420
        take_picture(page, "explorer-page-narrow")
    assert server.returncode == 130
