"""A script from wherever it is: its text, its file, or nodes that were read before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from dealerkit.errors import FileError
from dealerkit.language.dialects import Rules
from dealerkit.language.nodes import Script
from dealerkit.language.parser import MAX_BYTES, parse


def read_script(
    script: str | os.PathLike | Script, rules: Rules, params: Sequence[str] = (), max_bytes: int = MAX_BYTES
) -> Script:
    """Parse a script: a str is its text, an os.PathLike its file.

    Raises
    ------
    FileError
        A file that cannot be read, or is larger than `max_bytes`.
    ScriptError
        A mistake in the script, with its place.
    """
    if isinstance(script, Script):
        return script
    if not isinstance(script, os.PathLike):
        return parse(script, rules, params=params, max_bytes=max_bytes)
    path = Path(script)
    try:
        with path.open("rb") as stream:
            data = stream.read(max_bytes + 1)
    except OSError as reason:
        raise FileError(f"{path}: {reason.strerror or reason}") from reason
    if len(data) > max_bytes:
        raise FileError(f"{path}: the script is larger than {max_bytes:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # what old scripts are written in; every byte has a meaning
    return parse(text, rules, file=str(path), params=params, max_bytes=max_bytes)
