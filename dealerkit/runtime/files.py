"""Opening and writing files: a written file appears under its name only when it is complete."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from dealerkit.errors import DealerkitError, FileError, describe_system_error
from dealerkit.runtime.process import ForkSafeLock
from dealerkit.runtime.temporary import (
    OLD,
    claim,
    name_temporary,
    open_beside,
    release,
    remove_stale,
    remove_stale_folders,
)

before_replacing: list[Callable[[Path], None]] = []  # called with the path of a file before it is replaced


PIPE_SECONDS = 10.0  # time that a pipe may take to its first byte


@contextlib.contextmanager
def write_atomically(target: str | os.PathLike) -> Iterator[Path]:
    """Yield the path of a temporary file, which is renamed to `target` if no error occurs.

    This is `replace_file`, except that errors of the system in the block are raised as FileError of this
    file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with write_atomically(f"{folder}/a.txt") as path:
    ...         size = path.write_text("complete")
    ...     Path(folder, "a.txt").read_text()
    'complete'
    """
    with name_in_errors(target), replace_file(target) as path:
        yield path


def write_text(target: str | os.PathLike, text: str) -> None:
    r"""Write a text to a file in UTF-8 with its own line ends, by `write_atomically`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(f"{folder}/a.txt", "♠ AK\n")
    ...     Path(folder, "a.txt").read_bytes()
    b'\xe2\x99\xa0 AK\n'
    """
    with write_atomically(target) as path:
        path.write_text(text, encoding="utf-8", newline="")


@contextlib.contextmanager
def name_in_errors(target: str | os.PathLike) -> Iterator[None]:
    """Raise errors of the system as FileError with the name of the file.

    The error of a closed pipe is about another output, usually standard output (`| head`), so it is raised
    unchanged.
    """
    try:
        yield
    except (DealerkitError, BrokenPipeError):
        raise
    except (OSError, ValueError) as reason:
        raise FileError(f"{target}: {describe_system_error(reason)}") from reason


@contextlib.contextmanager
def replace_file(target: str | os.PathLike) -> Iterator[Path]:
    """Yield the path of a new file in the same folder, which replaces `target` if no error occurs.

    A symbolic link remains, and the file that it points to is replaced. The mode of an existing file is kept.
    Temporary files that killed processes have left for this target are removed. If `target` is a pipe, a
    device or an open file (``/dev/stdout``), its own path is yielded.

    Raises
    ------
    FileError
        The target is a folder, cannot be written, or is being written already. If possible, this is raised
        before the block runs. Errors in the block are raised unchanged.
    """
    with contextlib.ExitStack() as stack:
        with name_in_errors(target):
            path = _find_file(Path(target))
            if path is not None:
                stack.enter_context(_lock(path, target))
                remove_stale(path)
                temporary = _create_beside(path)
                stack.callback(temporary.unlink, missing_ok=True)
                stack.callback(release, claim(temporary))
        if path is None:
            yield Path(target)
            return
        yield temporary
        with name_in_errors(target):
            for prepare in before_replacing:
                prepare(path)
            os.replace(temporary, path)


@contextlib.contextmanager
def replace_folder(
    target: str | os.PathLike, name: str, check: Callable[[Path], None], key: str = ""
) -> Iterator[Path]:
    """Yield the path of a temporary folder; its folder `name` replaces `target` if no error occurs.

    Temporary folders that killed processes have left for this target are removed.

    Parameters
    ----------
    target : str or os.PathLike
        The folder that is made or replaced.
    name : str
        Name of the new folder inside the temporary one.
    check : callable
        Called with the path of an existing target; it raises an error if the folder must not be replaced.
    key : str
        Sixteen hexadecimal digits, or empty. With a key, the temporary folder remains if an error occurs, and
        the next call with the same key continues in it.

    Raises
    ------
    FileError
        The target is a file, cannot be replaced, or is being written already. Errors in the block are raised
        unchanged.
    """
    with contextlib.ExitStack() as stack:
        with name_in_errors(target):
            # Check that an existing folder may be replaced, and that only this process replaces it.
            path = Path(os.path.realpath(target))
            if path.exists() and not path.is_dir():
                raise FileError(f"{target}: this is a file; give the name of a folder")
            stack.enter_context(_lock(path, target))
            remove_stale_folders(path, key)
            if path.is_dir():
                if os.path.ismount(path) or not os.access(path, os.W_OK):
                    raise FileError(f"{target}: this folder cannot be replaced; give the name of a new one")
                check(path)
            # Make the new folder beside it.
            folder = stack.enter_context(open_beside(path, key))
            new = folder / name
            new.mkdir(exist_ok=bool(key))
            if path.is_dir():
                _copy_mode(os.stat(path), new)
        yield folder
        with name_in_errors(target):
            if path.exists():
                os.rename(path, folder / OLD)
            os.rename(new, path)


def open_input(path: str | os.PathLike, accepts_pipes: bool = False) -> BinaryIO:
    """Open a file for reading, without waiting for ever for a pipe that nobody writes to.

    A named pipe must have data within `PIPE_SECONDS`. A pipe that a shell has opened (``/dev/fd/63``) has a
    writer, so there is no limit for it.

    Raises
    ------
    FileError
        The file is a pipe or a device although these are not accepted, or a pipe has no data in time.
    OSError
        The file cannot be opened.
    """
    mode = os.stat(path).st_mode
    if not accepts_pipes and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        kind = "a pipe" if stat.S_ISFIFO(mode) else "a device"  # some devices have no end
        raise FileError(f"{path}: this is {kind}, not a file; save the content as a file, and read that file")
    if not stat.S_ISFIFO(mode):
        return open(path, "rb")
    if sys.platform == "win32" or os.path.realpath(path).startswith("/proc/"):
        return open(path, "rb")
    import select

    file = open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")  # noqa: SIM115 - the caller closes it
    poll = select.poll()
    poll.register(file, select.POLLIN)
    if not poll.poll(1000 * PIPE_SECONDS):
        file.close()
        raise FileError(f"{path}: nothing is written to this pipe; start the program that writes to it")
    os.set_blocking(file.fileno(), True)
    return file


class CountedFile(io.BufferedWriter):
    """A binary file for writing whose `tell` also works for a pipe, because pyarrow needs it."""

    def __init__(self, path: str | os.PathLike) -> None:
        super().__init__(io.FileIO(path, "w"))
        self._n_bytes = 0

    def write(self, data: Any) -> int:
        """Write bytes; return their number."""
        n_written = super().write(data)
        self._n_bytes += n_written
        return n_written

    def tell(self) -> int:
        """Return the number of bytes written."""
        return self._n_bytes


def _find_file(target: Path) -> Path | None:
    """Return the path of a file without symbolic links; None if, like a pipe, it cannot be replaced."""
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(target).st_mode  # raises an error if links form a circle
        if stat.S_ISDIR(mode):
            raise FileError(f"{target}: this is a folder; give the name of a file")
        if not stat.S_ISREG(mode):
            return None
        if not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise FileError(f"{target}: the file cannot be written")
    path = target
    while path.is_symlink():
        if os.path.realpath(path.parent).startswith(("/proc/", "/dev/fd")):
            return None  # an open file of this process, which other processes may also write to
        path = path.parent / os.readlink(path)
    return Path(os.path.realpath(target))


def _create_beside(path: Path) -> Path:
    """Create an empty file with a random name in the folder of a file, with the file's mode if it exists."""
    before = os.stat(path) if path.exists() else None
    temporary = name_temporary(path)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    try:
        # Whoever cannot read the file that it replaces must never be able to read it.
        os.close(os.open(temporary, flags, 0o666 if before is None else before.st_mode & 0o600))
    except PermissionError as reason:
        raise FileError(
            f"{path}: no file can be created in the folder {path.parent} ({describe_system_error(reason)})"
        ) from reason
    if before is not None:
        _copy_mode(before, temporary)
    return temporary


def _copy_mode(before: os.stat_result, path: Path) -> None:
    """Give a file the owner, the group and the mode of another, as far as the system permits."""
    if sys.platform != "win32":
        for owner in (before.st_uid, -1):
            with contextlib.suppress(OSError):
                os.chown(path, owner, before.st_gid)
                break
    mode = before.st_mode & 0o777
    if os.stat(path).st_gid != before.st_gid:
        mode &= ~0o070  # these permissions were for another group
    with contextlib.suppress(OSError):  # the file system may have no modes
        os.chmod(path, mode)


_in_use: set[str] = set()  # files that this process is writing
_in_use_lock = ForkSafeLock()


@contextlib.contextmanager
def _lock(path: Path, target: str | os.PathLike) -> Iterator[None]:
    """Raise a FileError if the file is being written, by this process or by another one of the user.

    Processes exclude each other by locks on single bytes of one empty file. Such a lock ends when its process
    ends, for whatever reason. If the system has no locks, only this process is considered.
    """
    name = os.path.normcase(path)
    with _in_use_lock:
        is_free = name not in _in_use and _lock_byte(name)
        if is_free:
            _in_use.add(name)
    if not is_free:
        raise FileError(
            f"{target}: this file is being written already; wait until it is complete, or give another name"
        )
    try:
        yield
    finally:
        with _in_use_lock:
            _in_use.remove(name)
            _lock_byte(name, release=True)


@functools.cache
def _open_lock_file() -> int | None:
    """Return the descriptor of the user's file of locks; it stays open, as closing it would end all locks."""
    import platformdirs

    try:
        folder = platformdirs.user_cache_path("dealerkit", appauthor=False)
        folder.mkdir(parents=True, exist_ok=True)
        return os.open(folder / "locks", os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError:
        return None


def _lock_byte(name: str, release: bool = False) -> bool:
    """Lock or release the byte of a name; return False if another process has locked it."""
    descriptor = _open_lock_file()
    if descriptor is None:
        return True
    place = zlib.crc32(os.fsencode(name)) >> 1
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, place, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK if release else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.lockf(descriptor, fcntl.LOCK_UN if release else fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except (BlockingIOError, PermissionError):
        return release
    except OSError:  # the file system has no locks
        return True
    return True
