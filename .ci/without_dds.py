"""Run every test that solves, with the own solver, in an environment from which endplay is removed.

    python .ci/without_dds.py

makes an environment with what the tests need, uninstalls endplay, hides a library that was installed before,
and runs the tests of double dummy, studies, leads and tournaments, and README. Python 3.14 and later are like
this, since there is no endplay for them. `--python` names the interpreter that is tested.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = (
    "tests/doubledummy", "tests/studies", "tests/compiler", "tests/simulation", "tests/cli",
    "tests/tournaments", "tests/formats", "dealerkit/doubledummy", "dealerkit/studies", "README.md",
)  # fmt: skip
# Of the library itself, which is not there.
WITHOUT = (
    "tests/doubledummy/test_library.py", "tests/doubledummy/test_par.py",
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help="the interpreter to test")
    parser.add_argument("tests", nargs="*", default=TESTS, help="other tests than all that solve")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = str(Path(folder, "bin", "python"))
        for command in (
            [options.python, "-m", "venv", folder],
            [python, "-m", "pip", "install", "-q", "-e", ".[test]"],
            [python, "-m", "pip", "uninstall", "-q", "-y", "endplay"],
        ):
            subprocess.run(command, check=True, cwd=ROOT)
        environment = os.environ | {"XDG_DATA_HOME": folder, "DEALERKIT_WITHOUT_DDS": "1"}
        for name in ("DEALERKIT_DDS", "DEALERKIT_SOLVER"):
            environment.pop(name, None)
        ignored = [f"--ignore={path}" for path in WITHOUT]
        command = [python, "-m", "pytest", "-q", *ignored, *options.tests]
        status = subprocess.run(command, cwd=ROOT, env=environment).returncode
    print("without DDS: passed" if not status else "without DDS: FAILED")
    return status


if __name__ == "__main__":
    sys.exit(main())
