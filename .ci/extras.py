"""Each extra alone, from the wheel, in an empty environment, as a user that is not root.

    python3 .ci/extras.py             # all extras, about three minutes
    python3 .ci/extras.py app         # those named

Each command that the manual names for the extra is run once, and printed with the end of what it prints.
Pages are read as a browser does, and must have what only a page without an error has. Root runs all of it
as the user nobody.
"""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("lab", "app", "parquet", "cluster")
SCRIPT = "condition hcp(north) >= 15 and hcp(south) < $most\naction average hcp(east)\n"
SECONDS = 180  # for a page


class ExtraError(Exception):
    """What a command of an extra printed instead of what is expected."""


class Trial:
    """A folder with an environment that has the wheel with one extra."""

    def __init__(self, folder: Path, wheel: Path, extra: str) -> None:
        self.folder, self.programs = folder, folder / "venv" / "bin"
        environment = {"PATH": f"{self.programs}:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}
        environment |= {"TMPDIR": str(folder), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1"}
        environment |= {k: v for k, v in os.environ.items() if k.startswith(("PIP_", "http", "HTTP", "SSL_"))}
        self.options: dict[str, Any] = {"cwd": folder, "env": environment, "encoding": "utf-8"}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            shutil.chown(folder, nobody.pw_uid, nobody.pw_gid)
            self.options |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self._run([find_python(), "-m", "venv", str(folder / "venv")])
        self._run([str(self.programs / "pip"), "install", "-q", f"{wheel}[{extra}]"])
        (folder / "study.dealer").write_text(SCRIPT, encoding="utf-8", newline="")
        shutil.copytree(ROOT / "notebooks", folder / "notebooks")
        shutil.copytree(ROOT / "data" / "scripts", folder / "scripts")
        if os.geteuid() == 0:
            for path in folder.rglob("*"):
                if path.owner() == "root":
                    shutil.chown(path, "nobody")

    def _run(self, words: list[str]) -> str:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **self.options)
        if done.returncode:
            raise ExtraError(
                f"{shlex.join(words)} ends with status {done.returncode}:\n{done.stdout[-3000:]}"
            )
        return str(done.stdout)

    def run(self, command: str, expected: str) -> None:
        """Run a command; its output must have the expected text."""
        words = shlex.split(command)
        printed = self._run([str(self.programs / words[0]), *words[1:]])
        if expected not in printed:
            raise ExtraError(f"{command} prints no {expected!r}:\n{printed[-3000:]}")
        show(command, printed)

    def browse(self, command: str, path: str, expected: str) -> None:
        """Start a server, read a page, which must have the expected text, and end the server with Ctrl-C."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = shlex.split(f"{command} --no-browser --port={port}")
        words[0] = str(self.programs / words[0])
        with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
            server = subprocess.Popen(words, stdout=log, stderr=subprocess.STDOUT, **self.options)
            try:
                page = read_page(f"http://127.0.0.1:{port}{path}", server)
            except OSError as error:
                log.seek(0)
                raise ExtraError(f"{command}: {path} answers {error}\n{log.read()[-3000:]}") from None
            finally:
                server.send_signal(signal.SIGINT)
                time.sleep(1)
                server.send_signal(signal.SIGINT)  # Jupyter asks whether it should end
                try:
                    server.wait(30)
                except subprocess.TimeoutExpired:
                    server.kill()
        if expected not in page:
            raise ExtraError(f"{command}: {path} has no {expected!r}:\n{page[-3000:]}")
        show(f"{command}  # {path}", f"status 200, {len(page):,} characters, with {expected!r}")


def show(command: str, printed: str) -> None:
    lines = printed.strip().splitlines() or ["(nothing)"]
    print(f"  $ {command}", *(f"    {line[:150]}" for line in lines[-2:]), sep="\n", flush=True)


def read_page(address: str, server: subprocess.Popen) -> str:
    """Return a page as soon as the server has it; an OSError if it has an error instead."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            with urllib.request.urlopen(address, timeout=SECONDS) as response:
                return str(response.read().decode("utf-8"))
        except urllib.error.HTTPError:
            raise
        except OSError:  # it does not listen yet
            if server.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.5)


def find_python() -> str:
    """Return an interpreter that every user may run: none in the folder of root."""
    home = Path.home()
    for path in (sys.executable, shutil.which("python3", path="/usr/local/bin:/usr/bin")):
        if path and (os.geteuid() or not Path(os.path.realpath(path)).is_relative_to(home)):
            return path
    raise ExtraError(f"no Python outside of {home}, where other users cannot run it")


def try_extra(trial: Trial, extra: str) -> None:
    """Run the commands of the manual that need an extra."""
    if extra == "lab":
        trial.browse("jupyter lab notebooks --IdentityProvider.token=", "/lab", "jupyter-config-data")
        trial.run("jupyter execute notebooks/01-first-deal.ipynb", "Executing notebook with kernel: python3")
    elif extra == "app":
        trial.browse(
            "dealerkit explore study.dealer --param most=7", "/", "application/vnd.jupyter.widget-view"
        )
    elif extra == "parquet":
        trial.run("dealerkit deal 20 -s 1 -o deals.parquet", "20 boards written to deals.parquet")
        trial.run("dealerkit convert deals.parquet deals.pbn", "20 boards written to deals.pbn")
        trial.run(
            "dealerkit run study.dealer -s 1 --param most=7 --frame frame.parquet", "Average of hcp(east)"
        )
    elif extra == "cluster":
        trial.run("dealerkit run --scheduler local study.dealer -s 1 --param most=7", "Average of hcp(east)")
        trial.run("dask worker --help", "SCHEDULER")
        trial.run("dask scheduler --help", "--port")


def main() -> int:
    """Try each extra; return 1 if one of them fails."""
    status = 0
    with tempfile.TemporaryDirectory(prefix="extras-") as name:
        work = Path(name)
        work.chmod(0o755)
        build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(work), str(ROOT)]
        subprocess.run(build, check=True)
        (wheel,) = work.glob("*.whl")
        for extra in sys.argv[1:] or EXTRAS:
            folder, begin = work / extra, time.monotonic()
            folder.mkdir()
            print(f"{wheel.name}[{extra}]", flush=True)
            try:
                try_extra(Trial(folder, wheel, extra), extra)
                result = "passed"
            except ExtraError as error:
                print(error)
                status, result = 1, "FAILED"
            print(f"{result}: {extra} ({time.monotonic() - begin:.0f} s)", flush=True)
            shutil.rmtree(folder)
    return status


if __name__ == "__main__":
    sys.exit(main())
