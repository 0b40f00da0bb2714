"""Times of the explorer in a browser: first paint, from a slider to figures, from "Stop" to stopped.

python tests/benchmarks/explorer.py

needs voila and Chromium, and prints the median and the range of some repetitions.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.notebook.jupyterlab import open_browser  # noqa: E402
from tests.notebook.test_explorer_browser import MILLION, TRICKS, open_page  # noqa: E402

HEAD = "document.querySelector('[class*=dk-live-] .dk-head')?.innerText || ''"
VIEW = {"width": 1280, "height": 1000}


def wait(page: Any, condition: str) -> None:
    page.wait_for_function(condition, timeout=120_000, polling=10)


def report(name: str, times: Sequence[float]) -> None:
    """Print the median and the range of some times."""
    print(f"{name:58} {statistics.median(times):6.2f} s  ({min(times):.2f} to {max(times):.2f})", flush=True)


def move_slider(page: Any, key: str) -> float:
    """Return the seconds from a key on the slider to other figures."""
    before = page.inner_text("[class*=dk-live-] .dk-report, [class*=dk-live-] .dk-pair")
    page.locator(".dk-slider input").first.focus()
    began = time.perf_counter()
    page.keyboard.press(key)
    text = "document.querySelector('[class*=dk-live-] .dk-report, [class*=dk-live-] .dk-pair')?.innerText"
    page.wait_for_function(f"before => {text} !== before", arg=before, timeout=60_000, polling=10)
    return time.perf_counter() - began


def stop(page: Any, seconds: float) -> tuple[float, float]:
    """Return the seconds from a click on Stop to its answer, and to the end of the run."""
    page.click("[data-do=run]")
    time.sleep(seconds)
    began = time.perf_counter()
    page.click("[data-do=stop]")
    answered = page.inner_text("[data-do=stop]") in ("Stopping", "Stop") and time.perf_counter() - began
    wait(page, f"/stopped/.test({HEAD}) && document.querySelector('[data-do=stop]').disabled")
    return float(answered), time.perf_counter() - began


def main() -> None:
    with open_browser() as browser, tempfile.TemporaryDirectory() as folder:
        for name, script, options in (
            ("points over a million deals", MILLION, []),
            ("double dummy", TRICKS, ["-p", "100000"]),
        ):
            path = Path(folder, "study.dealer")
            path.write_text(script, encoding="utf-8")
            with open_page(browser, str(path), "-s", "7", *options, viewport=VIEW) as page:
                page.click(".dk-marks button >> nth=0")
                page.wait_for_selector(".dk-slider")
                wait(page, f"/[0-9]/.test({HEAD})")
                time.sleep(3)
                keys = ["ArrowRight", "ArrowLeft"] * 4
                report(f"slider to figures: {name}", [move_slider(page, key) for key in keys])
                if options:
                    page.click("[data-do=stop]")
                    wait(page, f"/stopped/.test({HEAD})")
                    pairs = [stop(page, 2.0) for _ in range(5)]
                    report(f'click on "Stop" to "Stopping": {name}', [first for first, _ in pairs])
                    report(f'"Stop" to stopped: {name}', [last for _, last in pairs])
        with open_page(browser, "-s", "7", viewport=VIEW) as page:

            def load() -> float:
                began = time.perf_counter()
                page.reload()
                page.wait_for_selector("[class*=dk-live-] h2", timeout=90_000)
                return time.perf_counter() - began

            report("first paint of the page, with a new kernel", [load() for _ in range(4)])
            page.click('[data-value="contract"]')
            page.fill('[data-fill="deals"]', "50000")
            report('"Stop" to stopped: contracts', [stop(page, 3.0)[1] for _ in range(4)])


if __name__ == "__main__":
    main()
