"""Tests with the oldest and newest dependencies, with every Python of the machine, of extras, and on Windows.

    .ci/run --matrix            # all combinations
    .ci/run --matrix oldest     # those whose name contains a word

Each combination has a fresh virtual environment and runs the quick tests of `TESTS`. Pythons are those of the
search path, pyenv and uv; the others from 3.11 are listed as untested. Then extras.py and windows.py run; the
words "extras" and "windows" choose them.
"""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = [(3, minor) for minor in range(11, 16)]
TESTS = (
    "tests/statistics", "tests/counting", "tests/actions", "tests/language/test_parser.py",
    "tests/compiler/test_frames.py", "tests/cards/test_deals.py", "tests/formats/test_text_formats.py",
    "tests/simulation/test_uniformity.py", "tests/test_extreme_values.py", "tests/test_scoring.py",
)  # fmt: skip
PROGRAMS = ("extras", "windows")
PARQUET = ("tests/formats/test_parquet.py",)
SHOWN = ("numpy", "pandas", "numba", "scipy", "lark", "matplotlib", "ipython", "endplay", "pyarrow", "dask")


class Combination(NamedTuple):
    """An interpreter, a choice of releases (newest or oldest), and the extras."""

    python: str
    version: tuple[int, int]
    releases: str
    extras: tuple[str, ...]

    @property
    def name(self) -> str:
        extras = " ".join(self.extras) or "no extras"
        return f"{self.version[0]}.{self.version[1]} {self.releases} {extras}"


def find_pythons() -> dict[tuple[int, int], str]:
    """Return an interpreter of each version, of those that run and have venv."""
    candidates = [shutil.which(f"python{a}.{b}") for a, b in VERSIONS] + [
        shutil.which("python3"),
        sys.executable,
    ]
    candidates += sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python")))
    if shutil.which("uv"):
        listed = subprocess.run(
            ["uv", "python", "list", "--only-installed", "--output-format", "json"],
            capture_output=True,
            encoding="utf-8",
        )
        candidates += [entry["path"] for entry in json.loads(listed.stdout or "[]")]
    found: dict[tuple[int, int], str] = {}
    for path in filter(None, candidates):
        code = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
        done = subprocess.run([path, "-c", code], capture_output=True, encoding="utf-8")
        version = tuple(map(int, done.stdout.split())) if done.returncode == 0 else ()
        if version in VERSIONS:
            found.setdefault(version, path)  # type: ignore[arg-type]
    return found


def write_oldest(path: Path) -> None:
    """Write constraints: the lower bounds of all dependencies and of the extras parquet and cluster."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *extras["parquet"], *extras["cluster"]]
    pairs = [re.match(r"([\w-]+)>=([\w.]+)", line) for line in lines]
    path.write_text("".join(f"{pair[1]}=={pair[2]}\n" for pair in pairs if pair), encoding="utf-8")


def list_combinations(pythons: dict[tuple[int, int], str]) -> list[Combination]:
    """Return all combinations; the oldest releases exist for the oldest Python only."""
    oldest = min(pythons)
    listed = [Combination(pythons[oldest], oldest, "oldest", ("parquet", "cluster"))]
    listed.append(Combination(pythons[oldest], oldest, "newest", ()))
    return listed + [
        Combination(path, version, "newest", ("parquet", "cluster")) for version, path in pythons.items()
    ]


def run_combination(combination: Combination, folder: Path) -> tuple[bool, str]:
    """Return whether all tests passed, and a line: versions, then the last line of pytest."""
    python = folder / "venv" / "bin" / "python"
    subprocess.run([combination.python, "-m", "venv", python.parents[1]], check=True)
    target = str(ROOT) + (f"[{','.join(combination.extras)}]" if combination.extras else "")
    command = [python, "-m", "pip", "install", "-q", target, "pytest>=8.2", "hypothesis>=6.100"]
    if combination.releases == "oldest":
        write_oldest(folder / "oldest.txt")
        command += ["-c", folder / "oldest.txt"]
    installed = subprocess.run(command, capture_output=True, encoding="utf-8")
    if installed.returncode:
        return False, f"pip install failed: {installed.stderr.strip().splitlines()[-1][:200]}"
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format=json"], capture_output=True, encoding="utf-8"
    ).stdout
    versions = {entry["name"].lower(): entry["version"] for entry in json.loads(listed)}
    shown = " ".join(f"{name} {versions[name]}" for name in SHOWN if name in versions)
    tests = [
        test
        for test in (*TESTS, *(PARQUET if "parquet" in combination.extras else ()))
        if (ROOT / test).exists()
    ]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment |= {"DEALERKIT_STORE": "off", "MPLBACKEND": "Agg"}
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("data", "docs"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md"):  # the package itself is the installed one
        shutil.copy(ROOT / name, folder)
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-m", "not slow and not browser",
         "-o", "addopts=--import-mode=importlib",
         "-p", "no:cacheprovider", *tests],
        capture_output=True, encoding="utf-8", cwd=folder, env=environment,
    )  # fmt: skip
    lines = done.stdout.strip().splitlines() or [done.stderr.strip()[-200:]]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))][:20]
    return done.returncode == 0, "\n    ".join([shown, *failed, lines[-1]])


def main() -> int:
    pythons, words, status = find_pythons(), sys.argv[1:], 0
    for combination in list_combinations(pythons):
        if words and not any(word in combination.name for word in words if word not in PROGRAMS):
            continue
        started = time.time()
        with tempfile.TemporaryDirectory() as folder:
            passed, text = run_combination(combination, Path(folder))
        status |= not passed
        result, seconds = "passed" if passed else "FAILED", time.time() - started
        print(f"{result}: {combination.name} ({seconds:.0f} s)\n    {text}", flush=True)
    for name in PROGRAMS:
        if not words or name in words:
            status |= subprocess.run([sys.executable, ROOT / ".ci" / f"{name}.py"]).returncode
    untested = [f"{a}.{b}" for a, b in VERSIONS if (a, b) not in pythons]
    print(f"untested, not on this machine: Python {', '.join(untested) or 'none'}")
    return status


if __name__ == "__main__":
    sys.exit(main())
