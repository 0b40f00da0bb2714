"""CPU seconds of the command for small scripts, beside Debian's dealer.

    python tests/benchmarks/startup.py [--quick]

The scripts are ten small ones and the scenarios of `tests/scenarios`; each produces 500 boards. Numbers are the
least user and system time of whole processes; the programs alternate, so that a change of the machine's speed
affects all. The third column is dealerkit with `DEALERKIT_KERNELS=numba`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
FOLDER = Path(__file__).parents[1] / "scenarios"  # also of the files that scenarios include
sys.path.append(str(FOLDER))
from common import BALANCED, DEALER, Row, main, run_process  # noqa: E402
from test_scenarios import SCENARIOS, make_plain  # noqa: E402

TABLES = {"startup": ("script", "dealer, s", "dealerkit, s", "dealerkit with numba, s")}
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


def time_programs(plain: Path, script: Sequence[str | Path], runs: int) -> list[float]:
    """Return the least CPU seconds of dealer, dealerkit, and dealerkit with numba."""
    command = [sys.executable, "-m", "dealerkit", "run", *script]
    times = [
        (
            run_process([DEALER, plain])[0],
            run_process(command, DEALERKIT_KERNELS="")[0],
            run_process(command, DEALERKIT_KERNELS="numba")[0],
        )
        for _ in range(runs + 1)  # the first may have to compile
    ]
    return [min(column) for column in zip(*times, strict=True)]


def measure(quick: bool) -> Iterator[Row]:
    """Yield a row for each small script, and the extremes of the scenarios."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.dealer"
        for name, text in SCRIPTS.items():
            plain.write_text(f"produce 500\n{text}\naction printoneline\n")
            yield "startup", (name, *time_programs(plain, [plain], 1 if quick else 4))
        times = []
        for path in SCENARIOS[:4] if quick else SCENARIOS:
            plain.write_text(f"produce 500\n{make_plain(path)}\naction printoneline\n", encoding="utf-8")
            times.append(time_programs(plain, [path, "-p", "500", "--include", FOLDER], 1))
        columns = list(zip(*times, strict=True))
        yield "startup", (f"the fastest of {len(times)} scenarios", *map(min, columns))
        yield "startup", (f"the slowest of {len(times)} scenarios", *map(max, columns))
    for name, code in (("Python alone", "pass"), ("`import numpy`", "import numpy")):
        yield "startup", (name, "", min(run_process([sys.executable, "-c", code])[0] for _ in range(5)), "")


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
