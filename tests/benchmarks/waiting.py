"""CPU seconds of what people wait for, beside those of another checkout.

    python tests/benchmarks/waiting.py [--before FOLDER] [--quick]

Each row is a program in a process of its own. Both checkouts alternate, so that a change of the machine's speed
affects both, and the least of five runs counts; of programs that take longer than ten seconds, that of one. The
store of solved deals is empty at the beginning of each program.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNS = 5
LONG = 10.0  # seconds of a program that is run once
EXAMPLES = Path("/usr/share/doc/dealer/examples")
STUDY = '"dds(south, notrump) >= 9", "hcp(north)+hcp(south)>=24 and hcp(north)+hcp(south)<=25", precision=.01'
BOARDS = "boards = dk.deal(100_000, seed=1).number_boards()"
PROGRAMS = {  # what precedes, and what is timed
    "estimate to ± .01": ("", f"dk.estimate({STUDY})"),
    "the same with deals=dk.solved_sample()": ("", f"dk.estimate({STUDY}, deals=dk.solved_sample())"),
    "first run without stored code": ("COMMAND", ""),
    "run of three boards": ("COMMAND", ""),
    "read 100,000 boards of PBN": (f"{BOARDS}; boards.write('a.pbn')", "dk.read('a.pbn').deals"),
    "read 100,000 boards of CSV": (f"{BOARDS}; boards.write('a.csv')", "dk.read('a.csv').deals"),
    "read 100,000 boards of LIN": (f"{BOARDS}; boards.write('a.lin')", "dk.read('a.lin').deals"),
    "write 100,000 boards of LIN": (BOARDS, "boards.write('a.lin')"),
    "2,000 actions": (
        "text = 'action ' + ', '.join(f'average \\\"{k}\\\" hcp(north) * {k}' for k in range(2000))",
        "dk.run(text, produce=100, seed=1)",
    ),
    "probability of a rare hand, again": (
        "rare = 'shape(north, 4333) and hcp(north) == 27 and hcp(south) == 0'; dk.probability(rare)",
        "dk.probability(rare)",
    ),
    "a run of 2,000 boards, one thread": ("SCRIPT", "dk.run(SCRIPT, produce=2000, seed=1, threads=1)"),
    "a run of 2,000 boards, two threads": ("SCRIPT", "dk.run(SCRIPT, produce=2000, seed=1, threads=2)"),
    "dk.lead by default": (
        "",
        "dk.lead('KJ952.Q4.T83.J72', '3NT by south', given='hcp(south) >= 15 and hcp(south) <= 17 "
        "and shape(south, any 4333 + any 4432 + any 5332) and hcp(north) >= 10', progress=False)",
    ),
    "break_even": ("", "dk.break_even('4S', '3S', vulnerable=True)"),
    "first plot": (
        "r = dk.run('action frequency(hcp(north), 0, 37)', produce=1000, seed=1)", "r.reports[0].plot()"
    ),
}  # fmt: skip
SCRIPT = "condition hcp(north) >= 12 and spades(north) >= 5 action average losers(south)"


def build_program(name: str) -> str:
    """Return the text of a program that prints its CPU seconds."""
    before, timed = PROGRAMS[name]
    if before == "SCRIPT":
        before = f"SCRIPT = {SCRIPT!r}; dk.run(SCRIPT, produce=10, seed=1)"
    return (
        "import time, warnings; warnings.simplefilter('ignore')\nimport dealerkit as dk\n"
        f"{before}\nstart = time.process_time()\n{timed}\nprint(time.process_time() - start)"
    )


def time_program(name: str, checkout: Path, stored: str) -> float:
    """Return the CPU seconds of a program with the package of a checkout; `stored` is a folder for its code."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {
            "PYTHONPATH": str(checkout), "DEALERKIT_STORE": str(Path(folder, "store")), "MPLBACKEND": "Agg",
            "NUMBA_CACHE_DIR": folder if name.startswith("first run") else stored,
        }  # fmt: skip
        if PROGRAMS[name][0] != "COMMAND":
            done = subprocess.run(
                [sys.executable, "-c", build_program(name)], env=environment, cwd=folder, capture_output=True,
                encoding="utf-8",
            )  # fmt: skip
            if done.returncode:
                return float("nan")  # the other checkout may lack a function
            return float(done.stdout.split()[-1])
        Path(folder, "a.dealer").write_text("condition hcp(north) > 12\naction printoneline\n", "utf-8")
        command = [sys.executable, "-m", "dealerkit", "run", "-p", "3", "a.dealer"]
        before = os.times()
        subprocess.run(command, env=environment, cwd=folder, capture_output=True, check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="another checkout")
    parser.add_argument("--quick", action="store_true", help="one run of each program")
    options = parser.parse_args()
    checkouts = [ROOT] if options.before is None else [options.before.resolve(), ROOT]
    heads = ["now"] if options.before is None else ["before", "now"]
    print(f"| what | {' | '.join(heads)} |\n| --- |{' --: |' * len(heads)}", flush=True)
    with tempfile.TemporaryDirectory() as stored:
        for name in PROGRAMS:
            times: list[list[float]] = [[] for _ in checkouts]
            for run in range(1 if options.quick else RUNS + 1):  # the first may compile
                for checkout, own in zip(checkouts, times, strict=True):
                    if run < 2 or own[-1] < LONG:
                        own.append(time_program(name, checkout, stored))
            print(f"| {name} | {' | '.join(f'{min(own):.3g}' for own in times)} |", flush=True)


if __name__ == "__main__":
    main()
