"""Compile the kernels that most calls need, for the package: `dealerkit/runtime/compiled/kernels-*.bin`.

    python tools/build_kernels.py    # half a minute; after a change of a file that defines kernels

It makes typical calls in a process of its own, in which numba compiles for the processors of x86-64-v3, and
writes the code of each kernel and each combination of argument types that occurred: a file for Linux and one
for Windows. Only these systems load them (`shipped_code.py`);
elsewhere, and on older processors, the first start compiles.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def make_calls() -> None:
    """Make calls of most kinds with few deals, so that their kernels are compiled."""
    import dealerkit as dk
    from dealerkit.formats.sample import solved_sample

    warnings.simplefilter("ignore")
    options = {"threads": 1, "progress": False}
    # Runs: plain, conditional and staged; with predealt cards and lengths; streams of the old programs
    scripts = [
        "condition 1 action printoneline",
        "condition hcp(north) >= 12 and spades(north) >= 5 and losers(south) < 9 action average hcp(east)",
        "condition shape(north, any 4333 + any 4432) and hcp(north) >= 15 action average cccc(south)",
        "predeal north SAKQ, HJ action average quality(south, spades)",
        "predeal spades(north) == 5 action average hcp(south)",
        "predeal north SAKQxx action average hcp(south)",
        "condition hcp(north) + losers(south) > 16 action average ltc(west), average kaplan(south)",
    ]
    for text in scripts:
        for plan in ("auto", "plain", "staged", "conditional"):
            dk.run(text, produce=20, seed=1, plan=plan, **options)
    for path in sorted((ROOT / "data" / "scripts").glob("*.dealer")):
        try:
            dk.run(path, produce=5, generate=200_000, seed=1, **options)
        except dk.DealerkitError:
            continue  # a script that needs values
    for dialect in ("v1", "v2"):
        for stream in ("uniform", "classic"):
            for text in (
                "condition hcp(north) >= 12 && spades(north) >= 5\naction average losers(south)",
                "predeal north SAKQ\ncondition hcp(north) > 9\naction average hcp(south)",
                "condition rnd(4) < 2 && hcp(north) > 9\naction average rnd(9)",
            ):
                dk.run(text, produce=10, seed=1, dialect=dialect, stream=stream, **options)
    # Deals, frames, shares, swapped and enumerated deals
    deals = dk.deal(200, seed=1)
    deals.to_frame("hcp", "losers", "cccc", "opc", "controls")
    dk.deal(20, seed=1, swap=3)
    dk.deal(20, seed=1, given="hcp(south) >= 15 and hcp(south) <= 17 and balanced(south)")
    dk.probability("hcp(north) >= 15 and hearts(north) == 5")
    dk.all_deals({"north": "AK32.K54.A32.432", "south": "QJT9.A32.K54.A65"})[:100].to_frame("hcp")
    # Studies: predictions of tricks, solved deals, files of libraries
    dk.estimate("dds(south, notrump) >= 9", "hcp(north) + hcp(south) >= 26", precision=0.1)
    dk.estimate("dds(south, notrump) >= 9", "hcp(north) >= 20", precision=0.1, solved=None)
    dk.contracts("hcp(north) >= 20", ["2NT", "3NT"], declarer="north", precision=2, solved=None)
    dk.estimate("xtricks(south, notrump)", "hcp(north) + hcp(south) >= 26", precision=0.3)
    dk.compare(["hcp", "controls"], sample=solved_sample()[:500], replicates=100)
    dk.suit("AQT98", "432", tricks=4)
    dk.system("sayc").bid(deals, "south")
    # The own double-dummy solver: whole deals and positions
    dk.dd_table(deals[:1], "SN", "N", solver="own")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.zrd")
        solved_sample()[:50].write(path)
        dk.read(path).deals.to_frame("hcp")


def compile_kernels(folder: Path) -> None:
    """Write the code of the kernels of `make_calls`, compiled in this process: a file for each system."""
    from dealerkit.runtime.compiled import shipped_code, stored_code
    from dealerkit.runtime.compiled.definitions import EXTERNALS, Unsupported
    from dealerkit.runtime.compiled.numba_functions import emit_code

    found: dict[str, tuple[str, str, dict[str, bytes]]] = {}
    compile_code = stored_code.compile_code

    def record(kernel: object, types: tuple, arguments: tuple, symbol: str) -> bytes:
        key = shipped_code.name_entry(kernel, types)  # type: ignore[arg-type]
        name = f"shipped_{shipped_code.digest(key.encode(), 16)}"
        with contextlib.suppress(Unsupported):
            found[key] = name, *emit_code(kernel, types, arguments, name, tuple(EXTERNALS))  # type: ignore
        return compile_code(kernel, types, arguments, symbol)  # type: ignore[arg-type]

    stored_code.compile_code = record  # type: ignore[assignment]
    make_calls()
    import llvmlite
    import numba

    made_with = f"numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    for system in EXTERNALS:
        entries: dict[str, list] = {}
        code = b""
        for key in sorted(found):
            symbol, result, machine_code = found[key]
            entries[key] = [symbol, result, len(code), len(machine_code[system])]
            code += machine_code[system]
        head: dict[str, Any] = {"system": system, "digest": shipped_code.digest(code), "made_with": made_with}
        head["kernels"] = entries
        (folder / f"kernels-{system}.bin").write_bytes(json.dumps(head).encode() + b"\n" + code)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dealerkit/runtime/compiled")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        compile_kernels(options.out)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": folder,
            "DEALERKIT_STORE": "off", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        command = [sys.executable, __file__, "--here", "--out", str(options.out)]
        return subprocess.run(command, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
