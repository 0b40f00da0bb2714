"""CPU seconds of the command for small scripts, beside Debian's dealer: a table of docs/performance.md.

    python tests/benchmarks/startup.py [--runs 9]

Each script produces 500 boards. Numbers are medians of user and system time of whole processes; the programs
alternate, so that a change of the machine's speed affects all. `numba` is dealerkit with `DEALERKIT_KERNELS=numba`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

BALANCED = "any 4333 + any 4432 + any 5332"
NOTRUMP = f"shape(south, {BALANCED}) && hcp(south) >= 15 && hcp(south) <= 17"
SCRIPTS = {
    "any deal": "condition 1",
    "notrump": f"condition {NOTRUMP} && hcp(north) >= 8",
    "Stayman": f"condition {NOTRUMP} && hcp(north) >= 8 && (hearts(north) == 4 || spades(north) == 4)"
    " && shape(north, any 4432 + any 4441 + any 5431)",
    "weak two": "condition hearts(south) == 6 && hcp(south) >= 6 && hcp(south) <= 10 && spades(south) < 4 && hcp(north) >= 15",
    "multi": "condition (hearts(south) >= 6 || spades(south) >= 6) && hcp(south) >= 5 && hcp(south) <= 10"
    " && hcp(north) >= 16 && losers(north) <= 6",
    "strong club": "condition hcp(south) >= 16 && hcp(north) <= 7 && hcp(east) <= 12 && hcp(west) <= 12",
    "Jacoby": "condition hearts(south) >= 5 && hcp(south) >= 12 && hcp(south) <= 20 && hearts(north) >= 4"
    f" && hcp(north) >= 13 && shape(north, {BALANCED} + any 4441)",
    "Michaels": "condition hcp(south) >= 12 && hcp(south) <= 18 && diamonds(south) >= 4 && hearts(south) < 5"
    " && spades(south) < 5 && hearts(west) >= 5 && spades(west) >= 5 && hcp(west) >= 8",
    "Drury": "maj = hearts(south) >= 5 && hearts(north) >= 3 || spades(south) >= 5 && spades(north) >= 3\n"
    "condition maj && hcp(south) >= 10 && hcp(south) <= 15 && hcp(north) >= 10 && hcp(north) <= 11"
    " && hcp(east) <= 10 && hcp(west) <= 10",
    "slam": "condition hcp(north) + hcp(south) >= 31 && hcp(south) >= 12 && controls(north) + controls(south) >= 9",
}


def time_process(arguments: Sequence[str], environment: dict[str, str]) -> float:
    """Return the CPU seconds of a process."""
    pid = subprocess.Popen(
        arguments,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ).pid
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError(f"{arguments} ended with status {status}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    command = [sys.executable, "-m", "dealerkit", "run"]
    settings = {"DEALERKIT_KERNELS": "", "PYTHONDONTWRITEBYTECODE": ""}
    with tempfile.TemporaryDirectory() as folder:
        print("| script | dealer | dealerkit | numba |\n|---|---|---|---|")
        for name, text in SCRIPTS.items():
            file = str(Path(folder) / f"{name}.dealer")
            Path(file).write_text(f"produce 500\n{text}\naction printoneline\n")
            times: list[list[float]] = [[], [], []]
            for _ in range(runs + 1):
                times[0].append(time_process(["/usr/games/dealer", file], {}))
                times[1].append(time_process([*command, file], settings))
                times[2].append(time_process([*command, file], {**settings, "DEALERKIT_KERNELS": "numba"}))
            medians = (statistics.median(values[1:]) for values in times)  # the first may have compiled
            print("|", name, "|", *(f"{median:.2f} |" for median in medians), flush=True)
        for code in ("pass", "import numpy", "import dealerkit"):
            values = [time_process([sys.executable, "-c", code], settings) for _ in range(2 * runs + 1)][1:]
            print(f"{code}: {statistics.median(values):.3f} s")


if __name__ == "__main__":
    main()
