"""What the benchmarks share: clocks, the description of the machine, and the printing of rows.

A benchmark has `TABLES`, the columns of each of its tables, and `measure(quick)`, which yields the name of a table
and a row of it as soon as the row is measured. Alone it prints its tables; `run.py` collects those of all.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

Value = str | int | float
Row = tuple[str, Sequence[Value]]
BALANCED = "any 4333 + any 4432 + any 5332"
DEALER = shutil.which("dealer") or "/usr/games/dealer"


def least(body: Callable[[], object], runs: int, clock: Callable[[], float] = time.process_time) -> float:
    """Return the least seconds of `runs` calls, after one call that compiles kernels and fills caches."""
    body()
    return min(alternate([body], runs, clock)[0])


def alternate(
    bodies: Sequence[Callable[[], object]], runs: int, clock: Callable[[], float] = time.process_time
) -> list[list[float]]:
    """Return the seconds of `runs` calls of each body; they alternate, so a change of the machine's speed affects all."""
    seconds: list[list[float]] = [[] for _ in bodies]
    for _ in range(runs):
        for body, times in zip(bodies, seconds, strict=True):
            start = clock()
            body()
            times.append(clock() - start)
    return seconds


def run_process(arguments: Sequence[str | Path], **environment: str) -> tuple[float, float, str]:
    """Return CPU seconds, elapsed seconds and output of a process, which may store bytecode as an installed package."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(arguments, capture_output=True, encoding="utf-8", env={**env, **environment})
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{arguments} ended with status {done.returncode}:\n{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, done.stdout


def describe_machine() -> dict[str, Value]:
    """Return what a measurement depends on: date, processor, versions and the commit."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": models[0] if models else platform.processor(),
        "processors": os.cpu_count() or 0,
        "load before": round(os.getloadavg()[0], 1),
        "Python": platform.python_version(),
        **{name: find_version(name) for name in ("dealerkit", "numpy", "numba", "endplay", "distributed")},
        "dealer": ask("dpkg-query", "-W", "-f", "${Version}", "dealer"),
        "commit": ask("git", "describe", "--always", "--dirty", "--abbrev=12"),
    }


def find_version(name: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(name)
    except ModuleNotFoundError:
        return "not installed"


def ask(*arguments: str) -> str:
    """Return what a program prints, or "unknown" without the program."""
    try:
        done = subprocess.run(arguments, capture_output=True, encoding="utf-8", cwd=Path(__file__).parent)
    except FileNotFoundError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def show(value: Value) -> str:
    """Return a number with three significant digits, or an integer with all of them."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) or abs(value) >= 100:
        digits = 0 if isinstance(value, int) else 3 - len(str(int(abs(value))))
        return f"{round(value, min(digits, 0)):,.0f}"
    return f"{value:.3g}" if abs(value) >= 1e-4 or not value else f"{value:.2e}"


def format_table(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """Return a table in Markdown; columns of numbers are aligned at the right."""
    rows = list(rows)
    numeric = [all(not isinstance(row[k], str) or not row[k] for row in rows) for k in range(len(columns))]
    lines = [
        columns,
        ["--:" if right else "---" for right in numeric],
        *([show(x) for x in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(tables: dict[str, Sequence[str]], measure: Callable[[bool], Iterator[Row]], doc: str | None) -> None:
    """Measure; print each table, or with `--json` each row as soon as it is measured."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="less work and fewer repetitions")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each row")
    options = parser.parse_args()
    rows: dict[str, list[Sequence[Value]]] = {}
    try:
        for table, row in measure(options.quick):
            rows.setdefault(table, []).append(row)
            assert len(row) == len(tables[table]), f"{table}: {row}"
            if options.json:
                print(json.dumps([table, row]), flush=True)
            else:
                print(*(show(value) for value in row), sep=" | ", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    if not options.json:
        for table, measured in rows.items():
            print(f"\n{format_table(tables[table], measured)}")
