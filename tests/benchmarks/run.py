"""Measure everything that the manual shows about speed, and write it into the manual.

    python tests/benchmarks/run.py [--quick]

Each benchmark runs in a process of its own, one after the other. Their rows go to `measured.json`, and from there to
the tables of the manual, which are between `<!-- measured: NAME -->` and `<!-- end -->`. Until all is done they are
kept in `measured.partial.json`: the same command continues an interrupted run of the same commit. `--quick` does less
work and fewer repetitions; `--tables` writes the tables of the manual again and measures nothing.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from common import describe_machine, format_table, show

BENCHMARKS = (
    "peers kinds auctions bidding dealing footprint startup classic libraries pbn file_formats evaluators comparison studies trick_model doubledummy "
    "executors guard"
).split()
FOLDER = Path(__file__).parent
MEASURED, PARTIAL = FOLDER / "measured.json", FOLDER / "measured.partial.json"
MANUAL = FOLDER.parents[1] / "docs"
MARKED = re.compile(r"(<!-- measured: (.+?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
CHANGING = {"date": "", "load before": 0}  # between the parts of an interrupted run


def run_benchmark(name: str, quick: bool) -> dict[str, list[Any]]:
    """Return the rows of each table of a benchmark, which are printed as soon as they are measured."""
    command = [sys.executable, str(FOLDER / f"{name}.py"), "--json", *["--quick"][: int(quick)]]
    env = {**os.environ, "DEALERKIT_STORE": "off", "PYTHONWARNINGS": "ignore"}
    tables: dict[str, list[Any]] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", env=env) as process:
        assert process.stdout is not None
        for line in process.stdout:
            table, row = json.loads(line)
            tables.setdefault(table, []).append(row)
            print(f"    {' | '.join(map(show, row))}", flush=True)
    if process.returncode:
        raise SystemExit(f"{name} ended with status {process.returncode}; the same command continues")
    return tables


def start_measurements(quick: bool) -> dict[str, Any]:
    """Return the measurements of an interrupted run of this commit, or none."""
    machine = {**describe_machine(), "repetitions": "few (--quick)" if quick else "all"}
    if PARTIAL.exists():
        done: dict[str, Any] = json.loads(PARTIAL.read_text("utf-8"))
        if done["machine"] | CHANGING == machine | CHANGING:
            return done
    return {"machine": machine, "seconds": {}, "tables": {}}


def write_tables(measured: dict[str, Any]) -> None:
    """Write the tables into the pages of the manual."""
    columns = {"machine": ("", "")}
    for name in BENCHMARKS:
        columns |= importlib.import_module(name).TABLES
    rows = {
        **measured["tables"],
        "machine": [[name, str(value)] for name, value in measured["machine"].items()],
    }
    shown = set()
    for page in MANUAL.glob("[!_]*/**/*.md"):
        old = page.read_text(encoding="utf-8")
        shown.update(match[1] for match in MARKED.findall(old))
        new = MARKED.sub(lambda m: f"{m[1]}\n{format_table(columns[m[2]], rows[m[2]])}\n\n{m[4]}", old)
        if new != old:
            page.write_text(new, encoding="utf-8")
            print(f"{page.relative_to(MANUAL.parent)} has new tables")
    if missing := rows.keys() - shown:
        raise SystemExit(f"no page has a place for: {', '.join(sorted(missing))}")


def main() -> None:
    """Measure what is missing, then write the file of measurements and the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="less work and fewer repetitions")
    parser.add_argument("--tables", action="store_true", help="only write the tables of the manual again")
    options = parser.parse_args()
    if options.tables:
        return write_tables(json.loads(MEASURED.read_text("utf-8")))
    measured, start = start_measurements(options.quick), time.perf_counter()
    for number, name in enumerate(BENCHMARKS, 1):
        if name in measured["seconds"]:
            print(f"{name} is done", flush=True)
            continue
        print(f"{number} of {len(BENCHMARKS)}: {name}, after {time.perf_counter() - start:.0f} s", flush=True)
        begin = time.perf_counter()
        measured["tables"] |= run_benchmark(name, options.quick)
        measured["seconds"][name] = round(time.perf_counter() - begin)
        PARTIAL.write_text(json.dumps(measured, indent=1) + "\n")
    PARTIAL.replace(MEASURED)
    print(f"{sum(measured['seconds'].values())} s in all; the rows are in {MEASURED.name}")
    write_tables(measured)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("interrupted: what is done is kept, the same command continues") from None
