"""Write ``fingerprints.json`` anew: ``python tests/fingerprints/write.py``.

Only when a change of numbers is intended and named in CHANGELOG.md under "Changed numbers", or when cases
are added; ``git diff`` then shows the lines of those cases and no other.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).with_name("fingerprints.json")
ARITHMETIC = "arithmetic of the machine"  # on which the file was written


def of_own_functions() -> dict[str, dict[str, str]]:
    """Fingerprints of the runs that add words to the language; for a process that does nothing else."""
    import cases
    import fingerprint

    cases.add_functions()
    return {name: fingerprint.of_run(options) for name, options in cases.ALONE.items()}


def from_a_process() -> dict[str, dict[str, str]]:
    """The same, from a process of their own."""
    command = [sys.executable, str(Path(__file__)), "--own-functions"]
    environment = {**os.environ, "DEALERKIT_STORE": "off"}
    child = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment)
    if child.returncode:
        raise RuntimeError(child.stderr)
    return json.loads(child.stdout)


def main() -> None:
    os.environ["DEALERKIT_STORE"] = "off"
    import cases
    import fingerprint

    found = {ARITHMETIC: {"hash": fingerprint.arithmetic()}}
    found |= {name: fingerprint.of_run(options) for name, options in cases.RUNS.items()}
    found |= {name: fingerprint.of_value(function) for name, function in cases.VALUES.items()}
    found |= from_a_process()
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(parts)}" for name, parts in found.items())
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{len(found) - 1} cases")


if __name__ == "__main__":
    sys.path.insert(0, str(FILE.parent))  # Python for Windows without an installer does not
    if sys.argv[1:] == ["--own-functions"]:
        json.dump(of_own_functions(), sys.stdout)
    else:
        main()
