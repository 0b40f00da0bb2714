"""Files that appear when they are complete: written beside their place, then renamed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from dealerkit.errors import FileError


@contextlib.contextmanager
def write_atomically(target: str | os.PathLike) -> Iterator[Path]:
    """Give a path to write to; when all went well the file takes its place under its name.

    Parameters
    ----------
    target : str or os.PathLike
        A pipe or a device is written to directly; it is never replaced.

    Raises
    ------
    FileError
        A place that cannot be written, or a folder; at once where that can be known.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with write_atomically(f"{folder}/a.txt") as path:
    ...         size = path.write_text("all of it")
    ...     Path(folder, "a.txt").read_text()
    'all of it'
    """
    place = Path(target)
    try:
        if place.is_dir():
            raise FileError(f"{target}: this is a folder; give the name of a file")
        if place.exists() and not place.is_file():
            yield place
            return
        if place.exists() and not os.access(place, os.W_OK):
            raise FileError(f"{target}: the file cannot be written")
        beside = place.with_name(f".{place.stem}.{os.getpid()}{place.suffix}")
        beside.touch()
        try:
            yield beside
            os.replace(beside, place)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as reason:
        # A closed pipe is another place that was written to meanwhile: standard output, `| head`.
        if isinstance(reason, FileError | BrokenPipeError):
            raise
        raise FileError(f"{target}: {getattr(reason, 'strerror', None) or reason}") from reason
