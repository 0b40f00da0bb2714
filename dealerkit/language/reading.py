"""A script from wherever it is: its text, its file, or nodes that were read before."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from dealerkit.errors import ArgumentError, FileError
from dealerkit.language.dialects import Rules
from dealerkit.language.nodes import Script
from dealerkit.language.parser import MAX_BYTES, parse


def read_script(
    script: str | bytes | os.PathLike | Script,
    rules: Rules,
    params: Sequence[str | None] = (),
    max_bytes: int = MAX_BYTES,
) -> Script:
    """Parse a script: a str is its text, bytes its encoded text, an os.PathLike its file.

    Raises
    ------
    ArgumentError
        Something else.
    FileError
        A file that cannot be read, or is larger than `max_bytes`.
    ScriptError
        A mistake in the script, with its place.
    """
    if isinstance(script, Script):
        if params:
            raise ArgumentError("this script was read already; give params to parse")
        return script
    if isinstance(script, str):
        return parse(script, rules, params=params, max_bytes=max_bytes)
    name = None
    if isinstance(script, os.PathLike):
        path = Path(script)
        name = str(path)
        try:
            with path.open("rb") as stream:
                script = stream.read(max_bytes + 1)
        except (OSError, ValueError) as reason:
            raise FileError(f"{path}: {getattr(reason, 'strerror', None) or reason}") from reason
    if not isinstance(script, bytes):
        raise ArgumentError(f"a script is its text, the path of its file or a Script, not {script!r:.40}")
    if len(script) > max_bytes:
        raise FileError(f"{name or 'standard input'}: the script is larger than {max_bytes:,} bytes")
    try:
        text = script.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = script.decode("latin-1")  # what old scripts are written in; every byte has a meaning
    return parse(text, rules, file=name, params=params, max_bytes=max_bytes)


def given_script(file: str | None, max_bytes: int = MAX_BYTES) -> bytes | Path:
    """The script of a command line: a file, or standard input where it is absent or -."""
    if file not in (None, "-"):
        return Path(file)
    return sys.stdin.buffer.read(max_bytes + 1)


def numbered_texts(texts: Sequence[str]) -> list[str | None]:
    """Values of script variables from texts such as ``0=spades``.

    >>> numbered_texts(["2=spades", "0=north"])
    ['north', None, 'spades']
    """
    numbered = {}
    for text in texts:
        if text[:1] not in tuple("0123456789") or text[1:2] != "=":
            raise ArgumentError(f"--param takes a digit, '=' and a text, as 0=spades; not {text!r}")
        numbered[int(text[0])] = text[2:]
    return [numbered.get(k) for k in range(max(numbered, default=-1) + 1)]
