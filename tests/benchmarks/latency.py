"""Print how long an interrupt takes for each kind of work, and how soon a moved slider redraws its results.

    python tests/benchmarks/latency.py [SECONDS]

SECONDS of work precede each interrupt; 5 by default. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import dealerkit as dk

REPEATS = 3
SLIDER = "condition hcp(north) >= $low and hcp(north) <= 17 and spades(north) >= 4\naction average hcp(south)"


def measure_redraw(n_deals: int) -> list[float]:
    """Return the seconds from a new value of a script variable to the result of a run over so many deals."""
    seconds = []
    for low in (15, 14, 13, 12):
        begin = time.perf_counter()
        result = dk.run(SLIDER, generate=n_deals, produce=n_deals, seed=1, params={"low": low}, keep=0)
        result._repr_html_()
        seconds.append(time.perf_counter() - begin)
    return seconds[1:]  # the first run compiles


def load_interrupts() -> Any:
    """Return the module of the tests of interrupts, which has the kinds of work."""
    path = Path(__file__).parents[1] / "test_interrupts.py"
    spec = importlib.util.spec_from_file_location("test_interrupts", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def print_table(seconds_before: float) -> None:
    """Print a table in Markdown."""
    print("| what | median | longest |\n|---|---|---|")

    def print_row(name: str, seconds: list[float]) -> None:
        ordered = sorted(seconds)
        print(f"| {name} | {ordered[len(ordered) // 2]:.2f} s | {ordered[-1]:.2f} s |", flush=True)

    print_row("new value of a slider to result, a million deals", measure_redraw(10**6))
    interrupts = load_interrupts()
    for name in interrupts.WORK:
        seconds = []
        for k in range(REPEATS):
            with tempfile.TemporaryDirectory() as folder:
                answered, _ = interrupts.measure_interrupt(name, folder, seconds_before + 0.37 * k)
                seconds.append(answered)
        print_row(f"interrupt to prompt: {name}", seconds)


if __name__ == "__main__":
    print_table(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
