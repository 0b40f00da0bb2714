"""Messages about the collected mistakes of newcomers, those of an older checkout beside those of this one.

    python tools/compare_messages.py FOLDER

FOLDER has the older checkout. The result is ``docs/contributing/messages.md``: read it after a change of the
messages, and look for remedies that became weaker.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tests" / "data" / "newcomer-mistakes.csv"
PAGE = ROOT / "docs" / "contributing" / "messages.md"
# What a run of each script says, in either checkout.
_PROGRAM = """
import json, sys, warnings
import dealerkit as dk
for dialect, script in json.load(sys.stdin):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            dk.run(script, dialect=dialect, produce=1, generate=1000, seed=1)
            message = "no error"
        except dk.DealerkitError as error:
            message = getattr(error, "message", str(error))
    remarks = [str(each.message) for each in caught if each.category.__name__ == "MistakeWarning"]
    print(json.dumps("; ".join([message, *remarks])))
"""


def list_messages(folder: Path, scripts: list[tuple[str, str]]) -> list[str]:
    """Return what a checkout says of each script, given with its dialect."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps(scripts), capture_output=True, encoding="utf-8", env=environment, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def find_date(folder: Path) -> str:
    command = ["git", "-C", str(folder), "show", "-s", "--format=%cs", "HEAD"]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.strip()


def write_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> None:
    older = Path(sys.argv[1])
    with TABLE.open(encoding="utf-8", newline="") as stream:
        scripts = [(row["dialect"], row["script"]) for row in csv.DictReader(stream)]
    heading = f"| script | on {find_date(older)} | on {find_date(ROOT)} |"
    before, now = (list_messages(folder, scripts) for folder in (older, ROOT))
    lines = [
        "# Messages of two versions", "",
        "How does dealerkit answer typical mistakes in scripts? This page compares the messages of an",
        "earlier version with those of today, for each script of a collection of newcomers' mistakes.",
        "`python tools/compare_messages.py FOLDER` writes this page; FOLDER has the older checkout.", "",
        f"{len(scripts)} scripts; {sum(map(str.__ne__, before, now))} messages differ.",
    ]  # fmt: skip
    for name in dict.fromkeys(dialect for dialect, _ in scripts):
        lines += ["", f"## In `{name}`", "", heading, "|---|---|---|"]
        for (dialect, script), *messages in zip(scripts, before, now, strict=True):
            if dialect == name:
                code = f"`` {' '.join(script.split())} ``".replace("|", "\\|")
                lines.append(f"| {code} | {' | '.join(map(write_cell, messages))} |")
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
