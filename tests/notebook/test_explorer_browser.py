"""The explorer in JupyterLab and as a page of its own, in a browser; exported without a kernel."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
HEAD = "document.querySelector('.dk-live .dk-head').innerText".replace(".dk-live", "[class*=dk-live-]")
MILLION = """condition hcp(north) >= 12 and losers(south) <= 7
action average "south's points" hcp(south), frequency "controls" (controls(north) + controls(south), 0, 24)"""
TRICKS = """condition hcp(north) >= 15 and hcp(south) >= 9 and spades(south) == 5 and spades(north) >= 3
action average "4S makes" dds(north, spades) >= 10, frequency "tricks" (dds(north, spades), 5, 13)"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian package chromium)"),
]
needs_lab = pytest.mark.skipif(importlib.util.find_spec("jupyterlab") is None, reason="needs JupyterLab")
needs_voila = pytest.mark.skipif(importlib.util.find_spec("voila") is None, reason="needs voila")


def find_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def serve(command: list[str], address: str, environment: dict[str, str]) -> Iterator[subprocess.Popen]:
    """Run a server until the end of the block; it answers when the block begins."""
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(address, timeout=2)
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                time.sleep(0.5)
        else:
            pytest.fail("the server did not start within a minute")
        yield server
    finally:
        if server.poll() is None:
            server.send_signal(signal.SIGINT if "explore" in command else signal.SIGTERM)
        server.wait(30)


@pytest.fixture
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


def take_picture(page: Any, name: str) -> None:
    if folder := os.environ.get("DEALERKIT_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"explorer-{name}.png")


def wait_for_head(page: Any, pattern: str) -> None:
    page.wait_for_function(f"/{pattern}/.test({HEAD})", timeout=60_000)


@contextlib.contextmanager
def open_lab(browser: Any, folder: Path, cells: list[str]) -> Iterator[Any]:
    """Open a notebook in JupyterLab and run all its cells."""
    import nbformat

    home = folder / "home"
    home.mkdir()
    nbformat.write(
        nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells]),
        folder / "a.ipynb",
    )
    port = find_port()
    address = f"http://127.0.0.1:{port}"
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--ip=127.0.0.1",
        f"--ServerApp.root_dir={folder}", "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True",
        "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    places = {name: str(home) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    with serve(command, f"{address}/api", {**os.environ, **places}):
        page = browser.new_page(viewport={"width": 1300, "height": 1100})
        page.goto(f"{address}/lab/tree/a.ipynb", timeout=60_000)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        with contextlib.suppress(Exception):  # JupyterLab usually shows a dialog to select the kernel
            page.click(".jp-Dialog button.jp-mod-accept", timeout=10_000)
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=60_000)
        page.click(".lm-MenuBar-item:has-text('Run')")
        page.click(".lm-Menu-item:has-text('Run All Cells')")
        page.wait_for_selector("[class*=dk-live-] .dk-head", timeout=90_000)
        yield page


@needs_lab
def test_sliders_editor_and_pages_in_jupyterlab(browser: Any, tmp_path: Path) -> None:
    cell = f"import dealerkit as dk\ndk.explore({MILLION!r}, seed=7, produce=20_000)"
    with open_lab(browser, tmp_path, [cell]) as page:
        wait_for_head(page, "20,000 deals produced")
        page.click(".dk-edit button:has-text('12')")
        page.wait_for_selector(".dk-slider:has-text('north: points at least')")
        figures = "document.querySelector('[class*=dk-live-] .dk-report').innerText"
        before = page.evaluate(figures)
        page.locator(".dk-slider .noUi-handle").focus()
        began = time.perf_counter()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"before => {figures} !== before", arg=before, timeout=30_000, polling=10)
        assert time.perf_counter() - began < 3  # 0.3 s where nothing else runs: docs/explorer.md
        assert ">= 13" in page.inner_text(".dk-edit").replace("\n", "")
        take_picture(page, "points-light")

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
        take_picture(page, "panel-light")
        page.fill(".dk-editor textarea", 'condition hcp(north) > 30 action average "<script>" hcp(south)')
        page.wait_for_selector(".dk-error", state="detached", timeout=30_000)
        page.click(".dk-explorer button:has-text('Done')")
        page.click(".dk-explorer button:has-text('Run')")
        page.wait_for_selector("[class*=dk-live-] .dk-report:has-text('<script>')", timeout=60_000)
        assert page.locator(".jp-OutputArea-output:has-text('Traceback')").count() == 0


@needs_lab
def test_tricks_stream_in_beside_the_model_and_the_export_keeps_them(browser: Any, tmp_path: Path) -> None:
    cell = f"import dealerkit as dk\ndk.explore({TRICKS!r}, seed=7, produce=100_000, marked=[24])"
    with open_lab(browser, tmp_path, [cell]) as page:
        page.wait_for_selector("[class*=dk-live-] .dk-tag:has-text('model estimate')", timeout=60_000)
        count = f"() => parseInt({HEAD}.replace(',', ''))"
        wait_for_head(page, "[0-9]+ of 100,000 deals solved")
        first = page.evaluate(count)
        page.wait_for_function(f"first => ({count})() > first", arg=first, timeout=60_000)
        take_picture(page, "tricks-light")
        page.set_viewport_size({"width": 540, "height": 1500})
        page.keyboard.press("Control+b")
        time.sleep(1)
        take_picture(page, "tricks-narrow")
        page.set_viewport_size({"width": 1300, "height": 1100})
        page.click(".lm-MenuBar-item:has-text('Settings')")
        page.hover(".lm-Menu-item:has-text('Theme')")
        page.click(".lm-Menu-item:has-text('JupyterLab Dark')")
        page.wait_for_selector("body[data-jp-theme-light='false']", state="attached")
        time.sleep(1)
        take_picture(page, "tricks-dark")
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
            if f"{n_solved:,} deals solved" in (tmp_path / "a.ipynb").read_text():
                break
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "a.ipynb"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    exported = browser.new_page(viewport={"width": 1000, "height": 900})
    exported.goto(f"file://{tmp_path / 'a.html'}")
    exported.wait_for_selector(f"text={n_solved:,} deals solved")
    assert exported.locator("text=sliders need a running kernel").is_visible()
    assert exported.locator("text=4S makes").last.is_visible()
    take_picture(exported, "exported")


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
        take_picture(page, "page-narrow")
    assert server.returncode == 130
