"""The first notebook in JupyterLab, in a browser: results are plotted, the slider runs the script again."""

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
