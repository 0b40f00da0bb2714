"""Build the sdist and the wheel, check both, and use the wheel in an empty environment.

    python3 .ci/package.py              # about a minute; the last line says what was done
    python3 .ci/package.py --out dist   # and keep both files there, for a release

The sdist is built from a copy of the checkout without what git ignores; the wheel from the sdist, and again
from the copy. The wheel has the files of dealerkit/ and no others. It is installed with the core dependencies
alone, away from the checkout. There README's first `dealerkit run` runs, and README's first session of Python
gives its output.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IGNORED = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.py[cod]", "*.nb[ic]", "*.egg-info",
    "build", "dist", "_build", "generated", "jupyter_execute", ".ipynb_checkpoints", ".coverage*", "*.log",
)  # fmt: skip
# Kinds of files that a wheel lost in some project when its list of package data was forgotten.
NEEDED = (
    "*.py", "*.pyi", "*.lark", "*.css", "*.js", "py.typed", "data/*.npz",
    "kernels-linux.bin", "kernels-win32.bin",
)  # fmt: skip


class PackageError(Exception):
    """What is wrong with the files that were built."""


def run(*command: str | Path, **options: object) -> str:
    """Return the output of a command; if it fails, show it and raise."""
    done = subprocess.run(  # type: ignore[call-overload]
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        **options,
    )
    if done.returncode:
        raise PackageError(f"{' '.join(map(str, command))}\n{done.stdout[-5000:]}")
    return str(done.stdout)


def copy_checkout(target: Path) -> None:
    """Copy the files that git knows or would add; all but what a run leaves behind where there is no git."""
    inside = subprocess.run(
        ["git", "rev-parse", "--show-toplevel"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    if inside.returncode or Path(inside.stdout.strip()).resolve() != ROOT:
        shutil.copytree(ROOT, target, ignore=IGNORED)
        return
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def list_files(folder: Path) -> set[str]:
    """Return the files of a folder, relative to it."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def make_environment(folder: Path) -> Path:
    """Make an empty virtual environment; return its folder of programs."""
    run(sys.executable, "-m", "venv", folder)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def build(source: Path, work: Path, tools: Path) -> tuple[Path, Path]:
    """Return sdist and wheel, after comparing the wheel of the sdist with that of the checkout."""
    run(tools / "python", "-m", "build", "--no-isolation", "--outdir", work / "dist", source)
    run(tools / "python", "-m", "build", "--no-isolation", "--wheel", "--outdir", work / "direct", source)
    (sdist,) = (work / "dist").glob("*.tar.gz")
    (wheel,) = (work / "dist").glob("*.whl")
    (direct,) = (work / "direct").glob("*.whl")
    with zipfile.ZipFile(wheel) as a, zipfile.ZipFile(direct) as b:
        if {i.filename: i.CRC for i in a.infolist()} != {i.filename: i.CRC for i in b.infolist()}:
            raise PackageError("the wheel built from the sdist differs from that of the checkout")
    return sdist, wheel


def compare(of: str, found: set[str], expected: set[str]) -> None:
    """Raise if files are missing or needless."""
    if found != expected:
        missing, needless = sorted(expected - found), sorted(found - expected)
        raise PackageError(
            f"{of}: missing {missing[:10] or 'nothing'}, needless {needless[:10] or 'nothing'}"
        )


def check_contents(source: Path, sdist: Path, wheel: Path) -> None:
    """Raise if a file is missing or needless, or if the metadata are of another version."""
    with tarfile.open(sdist) as archive:
        folder = sdist.name.removesuffix(".tar.gz")
        files = {m.name.removeprefix(folder + "/") for m in archive.getmembers() if m.isfile()}
    compare("the sdist", files, list_files(source) | {"PKG-INFO"})

    with zipfile.ZipFile(wheel) as archive:
        files = set(archive.namelist())
        info = "-".join(wheel.name.split("-")[:2]) + ".dist-info/"
        metadata = archive.read(info + "METADATA").decode()
    package = {f"dealerkit/{name}" for name in list_files(source / "dealerkit")}
    described = {
        info + name for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    }
    compare("the wheel", files, package | described)
    for pattern in NEEDED:
        if not any(Path(name).match(pattern) for name in files):
            raise PackageError(f"the wheel has no file {pattern}")
    stated = re.search(r'^__version__ = "(.+)"$', (source / "dealerkit/__init__.py").read_text("utf-8"), re.M)
    if stated is None or f"\nVersion: {stated[1]}\n" not in metadata:
        raise PackageError("the metadata of the wheel have another version than dealerkit/__init__.py")


def read_examples(readme: str) -> tuple[list[str], str]:
    """Return the arguments of the first `dealerkit run`, and the first session of Python with its output."""
    command = re.search(r"^(?:\$ )?(?:\S+/)?dealerkit (run \S+.*)$", readme, re.M)
    session = re.search(r"^```pycon\n(.*?)^```$", readme, re.M | re.S)
    if command is None or session is None:
        raise PackageError("README.md has no line `dealerkit run ...`, or no ```pycon block")
    return shlex.split(command[1], comments=True), session[1]


def use_wheel(wheel: Path, source: Path, work: Path) -> None:
    """Install the wheel in an empty environment, and run the command and README's first session there."""
    programs = make_environment(work / "empty")
    run(programs / "python", "-m", "pip", "install", "--quiet", "--no-compile", wheel)
    run(programs / "python", "-m", "pip", "check")
    away = work / "away"
    shutil.copytree(source / "data", away / "data")  # whose scripts README's commands run
    arguments, session = read_examples((source / "README.md").read_text("utf-8"))
    (away / "session.txt").write_text(session, "utf-8")
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    there = {
        "cwd": away,
        "env": inherited | {"DEALERKIT_STORE": "off", "MPLBACKEND": "agg", "MPLCONFIGDIR": str(work / "mpl")},
    }
    version = run(programs / "dealerkit", "--version", **there).strip()
    if version != f"dealerkit {wheel.name.split('-')[1]}":
        raise PackageError(f"dealerkit --version prints {version!r}")
    code = "import dealerkit; print(dealerkit.__file__)"
    place = Path(run(programs / "python", "-c", code, **there).strip())
    if not place.is_relative_to(work / "empty"):
        raise PackageError(f"dealerkit was imported from {place}")
    printed = run(programs / "dealerkit", *arguments, **there)
    if not re.search(r"^[\d,]+ deals .*seed \d+", printed, re.M):
        raise PackageError(f"dealerkit {shlex.join(arguments)} prints\n{printed}")
    flags = "-o", "NORMALIZE_WHITESPACE", "-o", "ELLIPSIS"  # as pytest runs README.md
    run(programs / "python", "-m", "doctest", *flags, "session.txt", **there)


def main() -> int:
    """Build, check, use; print a line for each step and one for all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the sdist and the wheel here")
    out = parser.parse_args().out
    os.environ["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    begin = time.monotonic()

    def report(step: str) -> None:
        print(f"{time.monotonic() - begin:5.0f} s  {step}", flush=True)

    with tempfile.TemporaryDirectory(prefix="package-") as folder:
        work = Path(folder).resolve()
        source = work / "source"
        copy_checkout(source)
        needs = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
        tools = make_environment(work / "tools")
        run(tools / "python", "-m", "pip", "install", "--quiet", "--no-compile", "build", "twine", *needs)
        report("tools installed")
        try:
            sdist, wheel = build(source, work, tools)
            report("sdist and wheel built, the wheel of the sdist is that of the checkout")
            run(tools / "python", "-m", "twine", "check", "--strict", sdist, wheel)
            check_contents(source, sdist, wheel)
            sizes = [f"{path.stat().st_size / 1e6:.1f} MB" for path in (wheel, sdist)]
            report(f"metadata and contents checked: {wheel.name} {sizes[0]}, {sdist.name} {sizes[1]}")
            use_wheel(wheel, source, work)
        except PackageError as error:
            print(f"package: {error}", file=sys.stderr)
            return 1
        report("wheel installed and used")
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            for path in (sdist, wheel):
                shutil.copy2(path, out)
        print(
            f"package: {wheel.name} {sizes[0]}, sdist {sizes[1]}, installed in an empty environment, "
            "README's first example gives the expected output"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
