"""Temporary files and folders that the next run removes if this one is killed.

Their process holds a lock of the system on each of them, which ends with the process, however it ends.
One whose lock is free has no process any more.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["claim", "name_temporary", "open_folder", "remove_stale"]

MAX_AGE = 86_400.0  # seconds without a change, where there are no locks
_SIDE_FILES = ("-wal", "-shm", "-journal")  # of SQLite
_PREFIX, _LOCK = "dealerkit", "lock"


def name_temporary(path: Path) -> Path:
    """Return a new random name, beside a file, of the form that `remove_stale` recognizes."""
    start, suffix = _split_name(path)
    return path.with_name(f"{start}{os.urandom(8).hex()}{suffix}")


def claim(path: Path) -> int | None:
    """Lock a file of this process; return the descriptor that holds the lock, or None without locks."""
    if fcntl is None:
        return None
    descriptor = None
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def remove_stale(path: Path) -> None:
    """Remove the temporary files beside a file that killed processes of this user have left."""
    start, suffix = _split_name(path)
    pattern = re.compile(re.escape(start) + "[0-9a-f]{16}" + re.escape(suffix))
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        for name in [entry.name for entry in entries if pattern.fullmatch(entry.name)]:
            file = path.with_name(name)
            if _is_stale(file):
                for stale in (file, *(file.with_name(name + end) for end in _SIDE_FILES)):
                    with contextlib.suppress(OSError):
                        stale.unlink()


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """Yield a temporary folder, and remove those of killed processes of this user.

    >>> with open_folder() as folder:
    ...     size = (folder / "a").write_text("text")
    >>> folder.exists()
    False
    """
    import shutil

    parent = Path(tempfile.gettempdir())
    user = os.getuid() if hasattr(os, "getuid") else 0
    pattern = re.compile(rf"{_PREFIX}-{user}-[a-z0-9_]{{8}}")
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for name in [entry.name for entry in entries if pattern.fullmatch(entry.name)]:
            if not (parent / name).is_symlink() and _is_stale(parent / name / _LOCK):
                shutil.rmtree(parent / name, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}-{user}-", ignore_cleanup_errors=True) as name:
        new = Path(name, "new")
        new.touch(0o600)
        descriptor = claim(new)
        new.rename(Path(name, _LOCK))  # it is locked from its first moment
        try:
            folder = Path(name, "files")
            folder.mkdir()
            yield folder
        finally:
            if descriptor is not None:
                os.close(descriptor)


def _split_name(path: Path) -> tuple[str, str]:
    """Return begin and end of the names of temporary files beside a file."""
    return f".{path.stem[:30]}.", path.suffix if len(path.suffix) < 20 else ""


def _is_stale(path: Path) -> bool:
    """Return whether a file belongs to this user and to no process."""
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or (hasattr(os, "getuid") and status.st_uid != os.geteuid()):
            return False
        if fcntl is None:
            return time.time() - status.st_mtime > MAX_AGE
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return time.time() - status.st_mtime > MAX_AGE
    finally:
        os.close(descriptor)
