"""CPU seconds of the command for small scripts, beside Debian's dealer: a table of docs/explanation/performance.md.

    python tests/benchmarks/startup.py [--runs 9]

The scripts are ten small ones and the scenarios of `tests/scenarios`; each produces 500 boards. Numbers are the
least user and system time of whole processes; the programs alternate, so that a change of the machine's speed
affects all. `numba` is dealerkit with `DEALERKIT_KERNELS=numba`; a scenario over 0.35 s and a fifth of
dealer's time is marked.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "scenarios"))
from test_scenarios import SCENARIOS, make_plain  # noqa: E402

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
    process = subprocess.Popen(
        arguments,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status  # so that nothing else waits for it
    if status:
        raise RuntimeError(f"{arguments} ended with status {status}")
    return usage.ru_utime + usage.ru_stime


def time_programs(plain: Path, script: Sequence[str], runs: int) -> list[float]:
    """Return the least CPU seconds of dealer, dealerkit, and dealerkit with numba."""
    settings = {"DEALERKIT_KERNELS": "", "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-m", "dealerkit", "run", *script]
    times: list[list[float]] = [[], [], []]
    for _ in range(runs + 1):  # the first may have to compile
        times[0].append(time_process(["/usr/games/dealer", str(plain)], {}))
        times[1].append(time_process(command, settings))
        times[2].append(time_process(command, {**settings, "DEALERKIT_KERNELS": "numba"}))
    return [min(values) for values in times]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        print("| script | dealer | dealerkit | numba |\n|---|---|---|---|")
        plain = Path(folder) / "plain.dealer"
        for name, text in SCRIPTS.items():
            plain.write_text(f"produce 500\n{text}\naction printoneline\n")
            times = time_programs(plain, [str(plain)], runs)
            print("|", name, "|", *(f"{seconds:.2f} |" for seconds in times), flush=True)
        for path in SCENARIOS:
            plain.write_text(f"produce 500\n{make_plain(path)}\naction printoneline\n", encoding="utf-8")
            times = time_programs(plain, [str(path), "-p", "500"], runs)
            mark = "over" if times[1] > 0.35 + times[0] / 5 else ""
            print("|", path.name, "|", *(f"{seconds:.2f} |" for seconds in times), mark, flush=True)
    for code in ("pass", "import numpy", "import dealerkit"):
        values = [time_process([sys.executable, "-c", code], {}) for _ in range(2 * runs + 1)]
        print(f"{code}: {min(values):.3f} s")


if __name__ == "__main__":
    main()
