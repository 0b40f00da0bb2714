"""Scripts named on the command line, one after the other as one script."""

from __future__ import annotations

import functools
import operator
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from dealerkit.language.script import Script
from dealerkit.language.source import MAX_BYTES


def script_argument(file: str | None, max_bytes: int = MAX_BYTES) -> bytes | Path:
    """Return the script of a command line: a file, or standard input where it is absent or -."""
    if file not in (None, "-"):
        return Path(file)
    return sys.stdin.buffer.read(max_bytes + 1)


def read_with(
    before: Sequence[str],
    script: str | bytes | os.PathLike | Script,
    dialect: str = "modern",
    params: Sequence[str | None] = (),
) -> Script:
    """The script, with those before it whose names it uses: ``before[0] + ... + script``.

    Parameters
    ----------
    before : sequence of str
        Names of files.
    script : str, bytes, os.PathLike or Script
        Text, the bytes of a file, file, or a script that was read before.
    dialect : {"modern", "v1", "v2"}
        Of all of them.
    params : sequence of str
        Values of the script variables ``$0`` to ``$9`` in all of them.

    Raises
    ------
    FileError
        A file that cannot be read.
    ScriptError
        A mistake in one of them, or a name that two of them define.
    """
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.parser import read_script

    read = functools.partial(read_script, rules=find_rules(dialect), params=params)
    return functools.reduce(operator.add, [*(read(Path(name)) for name in before), read(script)])
