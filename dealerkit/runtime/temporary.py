"""Temporary files and folders that the next run removes if this one is killed.

The process that made them holds a lock on each of them, which ends when the process ends, for whatever
reason. So if the lock is free, the process no longer exists.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

if sys.platform == "win32":
    from dealerkit.runtime import windows

__all__ = [
    "OLD",
    "claim",
    "name_temporary",
    "open_beside",
    "open_folder",
    "release",
    "remove_stale",
    "remove_stale_folders",
]

OLD = "old"  # in a temporary folder: the folder that is being replaced

MAX_AGE = 86_400.0  # seconds without a change after which a file is stale on systems without locks
_SIDE_FILES = ("-wal", "-shm", "-journal")  # of SQLite
_PREFIX, _LOCK = "dealerkit", "lock"


def name_temporary(path: Path) -> Path:
    """Return the path of a new file beside a file, with a random name that `remove_stale` recognizes."""
    start, suffix = _split_name(path)
    return path.with_name(f"{start}{os.urandom(8).hex()}{suffix}")


def claim(path: Path) -> int | None:
    """Lock a file of this process; return the argument of `release`, or None if the system has no locks."""
    if sys.platform == "win32":
        return windows.hold_file(path)
    import fcntl

    descriptor = None
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def release(lock: int | None) -> None:
    """Release a lock of `claim`."""
    if lock is None:
        return
    if sys.platform == "win32":
        windows.release_file(lock)
    else:
        os.close(lock)


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
def open_beside(path: Path, key: str = "") -> Iterator[Path]:
    """Yield a temporary folder beside a folder; with a `key`, it remains if an error occurs."""
    start, suffix = _split_name(path)
    folder = path.with_name(f"{start}{key}{suffix}") if key else name_temporary(path)
    folder.mkdir(exist_ok=bool(key))
    (folder / _LOCK).touch(0o600)
    lock, is_kept = claim(folder / _LOCK), False
    _put_back(folder, path)
    try:
        yield folder
    except BaseException:
        is_kept = bool(key)
        raise
    finally:
        release(lock)  # Windows cannot remove a folder that contains an open file
        if not is_kept:
            _remove_folder(folder, path)


def remove_stale_folders(path: Path, key: str = "") -> None:
    """Remove temporary folders that killed processes have left beside a folder, except that of the key."""
    start, suffix = _split_name(path)
    pattern = re.compile(re.escape(start) + "[0-9a-f]{16}" + re.escape(suffix))
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        names = [entry.name for entry in entries if pattern.fullmatch(entry.name)]
        for folder in [path.with_name(name) for name in names if name != f"{start}{key}{suffix}"]:
            if not folder.is_symlink() and _is_stale(folder / _LOCK):
                _remove_folder(folder, path)


def _put_back(folder: Path, path: Path) -> None:
    """Put back the folder that a killed process had moved away but not yet replaced."""
    if (folder / OLD).exists() and not path.exists():
        os.rename(folder / OLD, path)


def _remove_folder(folder: Path, path: Path) -> None:
    """Remove a temporary folder, after putting back a folder that was moved into it but not replaced."""
    import shutil

    with contextlib.suppress(OSError):
        _put_back(folder, path)
        removed = name_temporary(path)
        os.rename(folder, removed)  # from now on no other process creates files in it
        folder = removed
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """Yield a temporary folder, and remove those that killed processes of this user have left.

    >>> with open_folder() as folder:
    ...     size = (folder / "a").write_text("text")
    >>> folder.exists()
    False
    """
    import shutil
    import tempfile

    # Remove the folders whose lock no process holds.
    parent = Path(tempfile.gettempdir())
    user = os.getuid() if hasattr(os, "getuid") else 0
    pattern = re.compile(rf"{_PREFIX}-{user}-[a-z0-9_]{{8}}")
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for name in [entry.name for entry in entries if pattern.fullmatch(entry.name)]:
            if not (parent / name).is_symlink() and _is_stale(parent / name / _LOCK):
                shutil.rmtree(parent / name, ignore_errors=True)
    # Make a folder with a lock.
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}-{user}-", ignore_cleanup_errors=True) as name:
        new = Path(name, "new")
        new.touch(0o600)
        lock = claim(new)
        new.rename(Path(name, _LOCK))  # a file with this name is locked from the beginning
        try:
            folder = Path(name, "files")
            folder.mkdir()
            yield folder
        finally:
            release(lock)


def _split_name(path: Path) -> tuple[str, str]:
    """Return the beginning and the end of the names of temporary files beside a file."""
    return f".{path.stem[:30]}.", path.suffix if len(path.suffix) < 20 else ""


def _is_stale(path: Path) -> bool:
    """Return whether a file belongs to this user but to no running process."""
    # Open nothing but a plain file of this user.
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            return False
        if sys.platform == "win32":
            alone = windows.hold_file(path, is_shared=False)
            release(alone)
            return alone is not None
        if status.st_uid != os.geteuid():
            return False
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return time.time() - status.st_mtime > MAX_AGE
    finally:
        os.close(descriptor)
