"""Compare the measured coverage with the levels and reasons of docs/contributing/coverage.md.

    coverage json -o coverage.json && python3 .ci/coverage_gaps.py coverage.json

A module of which tests run less than `NAMED` percent of lines and branches needs a row there, with its level
and what the tests leave out. Below its level it fails, and so does a row that is no longer needed.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "contributing" / "coverage.md"
NAMED = 90  # percent
NEEDLESS = 95  # percent: between the two a row may stay, so that a small change needs no edit


def read_levels(text: str) -> dict[str, int]:
    """Return the level of each module in the table of the page, in percent."""
    return {m[1]: int(m[2]) for m in re.finditer(r"^\| `([\w/]+\.py)` \| (\d+) % \| \S", text, re.MULTILINE)}


def describe(name: str, module: dict) -> str:
    """Return the measured part of a module, with the lines and branches that no test runs."""
    lines = " ".join(map(str, module["missing_lines"]))
    branches = " ".join(f"{a}->{b if b > 0 else 'end'}" for a, b in module["missing_branches"])
    percent = module["summary"]["percent_covered"]
    return f"{name}: {percent:.1f} % (not run: lines {lines}; branches {branches})"


def find_problems(measured: dict[str, dict], levels: dict[str, int]) -> list[str]:
    """Return a sentence for each module that is below its level, without a row, or has a needless one."""
    problems = [f"{name}: has a row, but is no module" for name in levels if name not in measured]
    for name, module in measured.items():
        percent = module["summary"]["percent_covered"]
        if name in levels and percent < levels[name]:
            problems.append(f"below its level of {levels[name]} %: {describe(name, module)}")
        elif name in levels and percent >= NEEDLESS:
            problems.append(f"its row is needless: {name}: {percent:.1f} %")
        elif name not in levels and percent < NAMED:
            problems.append(f"needs a test, or a row with a reason: {describe(name, module)}")
    return problems


def main(path: str) -> int:
    """Print the problems, or one line with the whole."""
    report = json.loads(Path(path).read_text(encoding="utf-8"))
    measured = {name.replace("\\", "/"): module for name, module in report["files"].items()}
    levels = read_levels(PAGE.read_text(encoding="utf-8"))
    problems = find_problems(measured, levels)
    total = report["totals"]
    print(*problems, sep="\n", end="\n" if problems else "")
    print(
        f"{total['percent_covered']:.1f} % of {total['num_statements']:,} lines and "
        f"{total['num_branches']:,} branches are run; "
        f"{len(levels)} of {len(measured)} modules are below {NAMED} %, each with its reason"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
