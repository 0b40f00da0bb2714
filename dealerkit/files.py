"""Atomic writing of files: a file appears under its name only when it is complete."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from dealerkit.errors import DealerkitError, FileError


@contextlib.contextmanager
def write_atomically(target: str | os.PathLike) -> Iterator[Path]:
    """Yield the path of a temporary file, which is renamed to `target` if no error occurs.

    If `target` is a pipe or a device, its own path is yielded. A FileError is raised if it is a folder or
    cannot be written, where possible before anything is written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with write_atomically(f"{folder}/a.txt") as path:
    ...         size = path.write_text("complete")
    ...     Path(folder, "a.txt").read_text()
    'complete'
    """
    path = Path(target)
    try:
        if path.is_dir():
            raise FileError(f"{target}: this is a folder; give the name of a file")
        if path.exists() and not path.is_file():
            yield path
            return
        if path.exists() and not os.access(path, os.W_OK):
            raise FileError(f"{target}: the file cannot be written")
        temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
        temporary.touch()
        try:
            yield temporary
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError) as reason:
        # A closed pipe is another output, usually standard output (`| head`), so `target` is not at fault.
        if isinstance(reason, DealerkitError | BrokenPipeError):
            raise
        raise FileError(f"{target}: {getattr(reason, 'strerror', None) or reason}") from reason
