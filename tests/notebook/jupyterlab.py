"""JupyterLab in Chromium for tests: start it, open a notebook, choose a theme, take pictures.

The environment variable DEALERKIT_SCREENSHOTS names a folder for the pictures that tests take.
"""

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
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (Debian package chromium)"
)
needs_lab = pytest.mark.skipif(importlib.util.find_spec("jupyterlab") is None, reason="needs JupyterLab")


def find_port() -> int:
    """Return a port that nothing uses."""
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


@contextlib.contextmanager
def open_browser() -> Iterator[Any]:
    """Start Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def write_notebook(path: Path, cells: list[str]) -> None:
    """Write a notebook of code cells."""
    import nbformat

    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(nbformat.v4.new_notebook(cells=made, metadata={"kernelspec": kernel}), path)


@contextlib.contextmanager
def open_lab(browser: Any, notebook: Path, width: int = 1200, height: int = 1200) -> Iterator[Any]:
    """Open a notebook in JupyterLab with settings of its own; yield the page when the kernel is ready."""
    home = notebook.parent / "home"
    home.mkdir(exist_ok=True)
    address = f"http://127.0.0.1:{find_port()}"
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
        f"--port={address.rpartition(':')[2]}", f"--ServerApp.root_dir={notebook.parent}",
        "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True", "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    places = {name: str(home) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    with serve(command, f"{address}/api", {**os.environ, **places}):
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"{address}/lab/tree/{notebook.name}", timeout=60_000)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        with contextlib.suppress(Exception):  # JupyterLab may show a dialog to select the kernel
            page.click(".jp-Dialog button.jp-mod-accept", timeout=4_000)
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=60_000)
        yield page
        page.close()


def run_all_cells(page: Any) -> None:
    """Run all cells; does not wait for them."""
    page.click(".lm-MenuBar-item:has-text('Run')")
    page.click(".lm-Menu-item:has-text('Run All Cells')")


def choose_theme(page: Any, theme: str) -> None:
    """Choose the theme "Light" or "Dark" in the menu."""
    page.click(".lm-MenuBar-item:has-text('Settings')")
    page.hover(".lm-Menu-item:has-text('Theme') >> nth=0")
    page.click(f".lm-Menu-item:has-text('JupyterLab {theme}') >> nth=0")
    light = str(theme == "Light").lower()
    page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")


def pictures() -> Path | None:
    """Return the folder for pictures if the environment names one."""
    folder = os.environ.get("DEALERKIT_SCREENSHOTS")
    return Path(folder) if folder else None


def take_picture(page: Any, name: str, **options: Any) -> None:
    """Write a picture if the environment names a folder for pictures."""
    if folder := pictures():
        page.screenshot(path=folder / f"{name}.png", **options)
