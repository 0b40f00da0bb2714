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
from dealerkit.runtime.compiled.definitions import EXTERNALS, Definition
from dealerkit.runtime.compiled.numba_functions import list_externals
from dealerkit.runtime.compiled.stored_code import is_tested_platform

ROOT = Path(__file__).parents[2]
BUILD = "python tools/build_kernels.py"
FILES = {system: shipped_code.FILE.with_name(f"kernels-{system}.bin") for system in EXTERNALS}
HEADS = {system: json.loads(path.read_bytes().partition(b"\n")[0]) for system, path in FILES.items()}
needs_shipped_code = pytest.mark.skipif(
    not is_tested_platform() or not shipped_code.has_features(),
    reason="needs a system and a processor that the code is for",
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


@pytest.mark.parametrize("system", FILES)
def test_each_entry_is_of_the_sources_of_today(system: str) -> None:
    entries = HEADS[system]["kernels"]
    for key in entries:
        name, digest = key.split(" ")[0], key.rpartition(" ")[2]
        module, _, function = name.rpartition(".")
        kernel = getattr(importlib.import_module(module), function)
        assert isinstance(kernel, Definition)
        assert shipped_code.digest_sources(kernel) == digest, f"{name} has changed; run {BUILD}"
    assert {"deal_cards", "sample_first_hand"} <= {key.split(" ")[0].rpartition(".")[2] for key in entries}


def test_the_files_of_all_systems_have_the_same_kernels() -> None:
    entries: dict[str, dict] = {}
    codes: dict[str, dict] = {}
    for system, path in FILES.items():
        content = path.read_bytes().partition(b"\n")[2]
        entries[system], codes[system] = {}, {}
        assert HEADS[system]["system"] == system and HEADS[system]["digest"] == shipped_code.digest(content)
        for key, (symbol, result, first, length) in HEADS[system]["kernels"].items():
            machine_code = content[first : first + length]
            assert symbol.encode() in machine_code
            assert EXTERNALS[system].issuperset(list_externals(machine_code))
            entries[system][key], codes[system][key] = (symbol, result), machine_code
    assert entries["linux"] == entries["win32"], f"run {BUILD}"
    assert all(code != codes["win32"][key] for key, code in codes["linux"].items())  # registers differ


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


@needs_shipped_code
def test_a_first_start_compiles_nothing_and_has_the_numbers_of_local_code(tmp_path: Path) -> None:
    shipped, errors = run_calls(tmp_path / "shipped", "")
    assert errors.splitlines()[-1] == "False"
    assert not (tmp_path / "shipped").exists()
    local, _ = run_calls(tmp_path / "local", "local")
    assert len(list((tmp_path / "local" / "dealerkit").iterdir())) >= 6
    assert shipped == local


def damage_file(damage: str, path: Path) -> None:
    """Write a file that is not the one of this system in some way."""
    content = FILES[sys.platform].read_bytes()
    code = content.index(b"\n") + 1
    if damage == "shortened":
        path.write_bytes(content[:-1])
    elif damage == "half":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "head alone":
        path.write_bytes(content[: code // 2])
    elif damage == "changed":
        path.write_bytes(content[: code + 500] + bytes([content[code + 500] ^ 1]) + content[code + 501 :])
    elif damage == "no JSON":
        path.write_bytes(b"[]\n")
    elif damage == "of another system":
        (other,) = FILES.keys() - {sys.platform}
        path.write_bytes(FILES[other].read_bytes())
    elif damage == "of a release without systems":
        path.write_bytes(content.replace(f'"system": "{sys.platform}", '.encode(), b"", 1))
    else:
        assert damage == "missing"


DAMAGES = [
    "missing", "shortened", "half", "head alone", "changed", "no JSON", "of another system",
    "of a release without systems",
]  # fmt: skip


@needs_shipped_code
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_damaged_or_of_another_system_is_not_executed(damage: str, tmp_path: Path) -> None:
    path = tmp_path / shipped_code.FILE.name
    damage_file(damage, path)
    assert shipped_code.read_file(path) == ({}, b"")


@needs_shipped_code
def test_code_is_for_its_types_and_processors_only(monkeypatch: pytest.MonkeyPatch) -> None:
    dk.deal(10, seed=1)
    types = next(
        types
        for types in deal_cards.variants
        if shipped_code.name_entry(deal_cards, types) in HEADS[sys.platform]["kernels"]
    )
    assert shipped_code.find_code(deal_cards, types) is not None
    assert shipped_code.find_code(deal_cards, (*types, int)) is None
    monkeypatch.setattr(shipped_code, "has_features", lambda: False)
    assert shipped_code.find_code(deal_cards, types) is None
    monkeypatch.undo()
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")  # the user chooses how numba compiles
    assert shipped_code.find_code(deal_cards, types) is None


@pytest.mark.slow
@needs_shipped_code
def test_the_files_are_made_again_byte_by_byte(tmp_path: Path) -> None:
    import llvmlite
    import numba

    made_with = f"numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    if HEADS["linux"]["made_with"] != made_with:
        pytest.skip(f"the files were made with {HEADS['linux']['made_with']}")
    command = [sys.executable, ROOT / "tools" / "build_kernels.py", "--out", tmp_path]
    subprocess.run(command, check=True)
    for path in FILES.values():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
