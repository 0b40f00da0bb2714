"""Random scripts, files and expressions by the million; a table of what was tried, refused and found.

    python tests/fuzz/run.py                        # 10^6 scripts and 10^5 files, some hours
    python tests/fuzz/run.py --share 0.01           # a hundredth of them
    python tests/fuzz/run.py --family classic --first 5000 --count 1000
    python tests/fuzz/run.py --show classic 5123    # what one number is

Each number of a family is the same check on every machine. Checks run in processes of their own, so that a crash
is a finding too; what is found is printed with its number, and appended to the file given by --out.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

COUNTS = {  # scripts: 10^6; files: 10^5
    "uniform": 150_000, "classic": 100_000, "random": 80_000, "shares": 10_000, "damaged": 400_000,
    "jumble": 160_000, "expressions": 100_000, "files": 30_000, "damaged-files": 70_000,
    "untrusted": 100_000, "results": 10_000, "checkpoints": 10_000, "systems": 30_000, "auctions": 70_000,
}  # fmt: skip
CHUNK = 2_000
MEMORY = 12 << 30


def work(family: str, first: int, last: int, place: str) -> None:
    """Run checks and print a line of JSON: how many had which result, and what is wrong by number."""
    import checks

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    counts: Counter[str] = Counter()
    found = {}
    with open(place, "w", encoding="utf-8") as current:
        for number in range(first, last):
            current.seek(0)
            current.write(f"{number:12}")
            current.flush()
            result = checks.check(family, number)
            counts[result if result in (checks.OK, checks.REFUSED) else "found"] += 1
            if result not in (checks.OK, checks.REFUSED):
                found[number] = result
    print(json.dumps({"counts": counts, "found": found, "most": checks.hostile.most}))


def run_chunk(family: str, first: int, last: int) -> dict:
    """Return the results of a chunk, in a process of its own; after a crash the rest is run in another one."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as place:
        command = [sys.executable, __file__, "--work", family, str(first), str(last), place.name]
        done = subprocess.run(command, capture_output=True, encoding="utf-8")
        if done.returncode == 0:
            return json.loads(done.stdout.splitlines()[-1])
        number = int(Path(place.name).read_text(encoding="utf-8") or first)
    crash = f"the process ended with {done.returncode}: {done.stderr[-400:]}"
    parts = [run_chunk(family, *ends) for ends in ((first, number), (number + 1, last)) if ends[0] < ends[1]]
    counts = sum((Counter(part["counts"]) for part in parts), Counter({"found": 1}))
    found = {number: crash} | {key: value for part in parts for key, value in part["found"].items()}
    most: dict[str, float] = {}
    for part in parts:
        most.update({key: max(value, most.get(key, 0)) for key, value in part["most"].items()})
    return {"counts": counts, "found": found, "most": most}


def show(family: str, number: int) -> None:
    """Print the script of a number and the result of its check."""
    import checks

    print(checks.check(family, number))
    rng = random.Random(f"{family} {number}")
    if family == "uniform":
        text, dialect = checks.write_script(rng)
        print(f"dialect {dialect}\n{text}")
    if family == "classic":
        print(checks.write_classic_script(rng))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--family", choices=COUNTS, action="append")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--show", nargs=2, metavar=("FAMILY", "NUMBER"))
    parser.add_argument("--work", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        family, first, last, place = options.work
        return work(family, int(first), int(last), place)
    if options.show:
        return show(options.show[0], int(options.show[1]))
    families = options.family or list(COUNTS)
    goals = {name: options.count or max(1, int(COUNTS[name] * options.share)) for name in families}
    done: dict[str, Counter[str]] = {name: Counter() for name in families}
    most: dict[str, float] = {}
    end = time.time() + 60 * options.minutes
    next_ones = dict.fromkeys(families, options.first)
    while next_ones and time.time() < end:  # in turn, the family that is most behind first
        family = min(next_ones, key=lambda name: (next_ones[name] - options.first) / goals[name])
        first = next_ones[family]
        last = min(first + CHUNK, options.first + goals[family])
        result = run_chunk(family, first, last)
        done[family] += Counter(result["counts"])
        most.update({key: max(value, most.get(key, 0)) for key, value in result["most"].items()})
        for number, text in result["found"].items():
            print(f"{family} {number}: {text}", flush=True)
        if options.out:
            with open(options.out, "a", encoding="utf-8") as file:
                file.write(json.dumps({"family": family, "first": first, "last": last, **result}) + "\n")
        next_ones[family] = last
        if last == options.first + goals[family]:
            del next_ones[family]
    print(f"{'family':16}{'tried':>10}{'refused':>10}{'found':>8}")
    for name, counts in done.items():
        print(f"{name:16}{counts.total():10,}{counts['refused']:10,}{counts['found']:8,}")
    if most:
        print(
            "the most that one script used:",
            *(f"{key} {value:,.2f}" for key, value in most.items()),
            sep="\n  ",
        )


if __name__ == "__main__":
    main()
