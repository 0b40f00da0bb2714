"""Machine code that is part of the package: of today's sources, the numbers of local code, and never needed."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit.dealing.uniform.shuffle import deal_cards
from dealerkit.runtime.compiled import shipped_code
from dealerkit.runtime.compiled.definitions import Definition

ROOT = Path(__file__).parents[2]
BUILD = "python tools/build_kernels.py"
HEAD, _, CODE = shipped_code.FILE.read_bytes().partition(b"\n")
ENTRIES = json.loads(HEAD)["kernels"]
pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.uname().machine != "x86_64" or not shipped_code.has_features(),
    reason="the code is for Linux on x86-64-v3",
)
CALLS = """
import sys, zlib
import dealerkit as dk
script = "condition hcp(north) >= 12 and spades(north) >= 5 action average losers(south), average cccc(west)"
for plan in ("plain", "conditional"):
    print(dk.run(script, produce=2000, seed=3, plan=plan, statistics=False, threads=1).text)
for predeal in ({"north": "SAKQ"}, {"north": {"spades": 5}}, {"north": "SAKQxx"}):
    print(zlib.crc32(dk.deal(3000, seed=4, predeal=predeal).hands.tobytes()))
for dialect in ("v1", "v2"):
    text = "condition hcp(north) > 15\\naction printoneline"
    print(dk.run(text, produce=20, seed=5, dialect=dialect, stream="classic", statistics=False).text)
print("numba" in sys.modules, file=sys.stderr)
# Predictions have a kernel that only numba can call
print(dk.deal(500, seed=6).eval("xtricks(south, notrump)").sum())
"""


def test_each_entry_is_of_the_sources_of_today() -> None:
    for key in ENTRIES:
        name, digest = key.split(" ")[0], key.rpartition(" ")[2]
        module, _, function = name.rpartition(".")
        kernel = getattr(importlib.import_module(module), function)
        assert isinstance(kernel, Definition)
        assert shipped_code.digest_sources(kernel) == digest, f"{name} has changed; run {BUILD}"
    assert {"deal_cards", "sample_first_hand"} <= {key.split(" ")[0].rpartition(".")[2] for key in ENTRIES}


def run_calls(folder: Path, kernels: str) -> tuple[str, str]:
    """Return output and error output of the calls in a process with an empty folder for compiled code."""
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(folder), "DEALERKIT_KERNELS": kernels, "DEALERKIT_STORE": "off",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", CALLS], env=environment, capture_output=True, encoding="utf-8", cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_a_first_start_compiles_nothing_and_has_the_numbers_of_local_code(tmp_path: Path) -> None:
    shipped, errors = run_calls(tmp_path / "shipped", "")
    assert errors.splitlines()[-1] == "False"
    assert not (tmp_path / "shipped").exists()
    local, _ = run_calls(tmp_path / "local", "local")
    assert len(list((tmp_path / "local" / "dealerkit").iterdir())) >= 6
    assert shipped == local


@pytest.mark.parametrize("damage", ["missing", "shortened", "changed", "no JSON"])
def test_a_damaged_file_is_not_executed(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "kernels.bin"
    if damage == "shortened":
        path.write_bytes(HEAD + b"\n" + CODE[:-1])
    elif damage == "changed":
        path.write_bytes(HEAD + b"\n" + CODE[:500] + bytes([CODE[500] ^ 1]) + CODE[501:])
    elif damage == "no JSON":
        path.write_bytes(b"[]\n")
    assert shipped_code.read_file(path) == ({}, b"")


def test_code_is_for_its_types_and_processors_only(monkeypatch: pytest.MonkeyPatch) -> None:
    dk.deal(10, seed=1)
    types = next(
        types for types in deal_cards.variants if shipped_code.name_entry(deal_cards, types) in ENTRIES
    )
    assert shipped_code.find_code(deal_cards, types) is not None
    assert shipped_code.find_code(deal_cards, (*types, int)) is None
    monkeypatch.setattr(shipped_code, "has_features", lambda: False)
    assert shipped_code.find_code(deal_cards, types) is None
    monkeypatch.undo()
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")  # the user chooses how numba compiles
    assert shipped_code.find_code(deal_cards, types) is None


@pytest.mark.slow
def test_the_file_is_made_again_byte_by_byte(tmp_path: Path) -> None:
    import llvmlite
    import numba

    made_with = f"numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    if json.loads(HEAD)["made_with"] != made_with:
        pytest.skip(f"the file was made with {json.loads(HEAD)['made_with']}")
    command = [sys.executable, ROOT / "tools" / "build_kernels.py", "--out", tmp_path / "kernels.bin"]
    subprocess.run(command, check=True)
    assert (tmp_path / "kernels.bin").read_bytes() == shipped_code.FILE.read_bytes()
