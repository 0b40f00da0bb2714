"""The file of a checkpoint: the call that it belongs to, and the state of the computation.

A checkpoint belongs to one call. If the arguments or the version of dealerkit differ, the file is refused. It
is written under another name and then renamed, so there is a complete checkpoint at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
import os
import time
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.errors import ArgumentError, FileError, quote
from dealerkit.runtime.files import name_in_errors, open_input, write_atomically
from dealerkit.statistics.saved_state import Store

FORMAT, FORMAT_VERSION = "dealerkit checkpoint", 1
SAVE_SECONDS = 10.0  # least time between two checkpoints
SAVE_SHARE = 0.02  # largest share of the time that is spent on writing them


class CheckpointFile:
    """The checkpoint of one call.

    Parameters
    ----------
    path : str or os.PathLike
    purpose : str
        The function that computes: ``run``, ``estimate`` ...
    arguments : mapping
        The arguments by name that must be equal in the call that continues.

    Raises
    ------
    ArgumentError
        The path is not the name of a file.
    FileError
        The folder does not exist.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = CheckpointFile(f"{folder}/a.checkpoint", "example", {"seed": 1})
    ...     file.save(lambda store: {"sums": store(np.arange(3))})
    ...     with file.open() as (state, fetch):
    ...         fetch(state["sums"])
    array([0, 1, 2])
    """

    def __init__(self, path: str | os.PathLike, purpose: str, arguments: Mapping[str, Any]) -> None:
        from dealerkit import __version__

        check_path(path)
        self.path, self._purpose = path, purpose
        call = {"of": purpose, "dealerkit": __version__} | describe_arguments(arguments)
        self._call = json.loads(json.dumps(call))
        self._saved_at = time.monotonic()
        self._interval = SAVE_SECONDS

    @contextlib.contextmanager
    def open(self) -> Iterator[tuple[dict[str, Any], Arrays] | None]:
        """Yield the state and a function that returns its arrays, or None if there is no file yet.

        Raises
        ------
        FileError
            The file belongs to another call, is damaged, or is not a checkpoint. Errors that wrong values
            cause in the block become FileErrors, too.
        """
        if not os.path.exists(self.path):
            yield None
            return
        with name_in_errors(self.path), open_input(self.path) as stream:
            content, file = _read(stream, self.path)
            self._check(content["call"])
            try:
                yield content["state"], Arrays(file)
            except DAMAGE as error:
                raise name_damage(self.path, error) from error

    def _check(self, saved: dict[str, Any]) -> None:
        """Raise FileError unless the file belongs to this call."""
        for name, value in self._call.items():
            if name not in saved or saved[name] != value:
                if name == "of":
                    call = f"dk.{saved.get(name)}, not to dk.{value}"
                else:
                    values = f"{name}={quote(saved.get(name), 80)} instead of {quote(value, 80)}"
                    call = f"another call of dk.{self._purpose}, with {values}"
                raise FileError(
                    f"{self.path}: this checkpoint belongs to {call}; give another file, or delete this one"
                )

    def save_sometimes(self, describe: Callable[[Store], dict[str, Any]]) -> bool:
        """Write the file if the last one is old enough, and return whether it was; see `save`."""
        is_due = time.monotonic() - self._saved_at >= self._interval
        if is_due:
            self.save(describe)
        return is_due

    def save(self, describe: Callable[[Store], dict[str, Any]]) -> None:
        """Write the file.

        Parameters
        ----------
        describe : callable
            Returns the state as values that JSON can represent. Its argument is a function that stores an
            array and returns its name.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        began = time.monotonic()
        arrays: dict[str, np.ndarray] = {}
        state = describe(store_in(arrays))
        content = {"format": FORMAT, "version": FORMAT_VERSION, "call": self._call, "state": state}
        with write_atomically(self.path) as temporary, open(temporary, "wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as file:
                file.writestr("checkpoint.json", json.dumps(content, ensure_ascii=False))
                write_arrays(file, arrays)
            stream.flush()
            os.fsync(stream.fileno())  # even if the power fails, a file under this name is complete
        self._saved_at = time.monotonic()
        self._interval = max(SAVE_SECONDS, (self._saved_at - began) / SAVE_SHARE)


def read_seed(path: str | os.PathLike) -> int | None:
    """Return the seed of the run that a checkpoint belongs to; None if there is no file yet.

    Raises
    ------
    FileError
        The file is damaged, or is not a checkpoint.
    """
    check_path(path)
    if not os.path.exists(path):
        return None
    with name_in_errors(path), open_input(path) as stream:
        seed = _read(stream, path)[0]["call"].get("seed")
    return seed if isinstance(seed, int) else None


def check_path(path: Any) -> None:
    """Raise ArgumentError if a value cannot be the name of a file, FileError if its folder does not exist."""
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(
            f"checkpoint is {quote(path)}; give the name of a file, such as 'study.checkpoint'"
        )
    if not Path(os.fsdecode(path)).absolute().parent.is_dir():
        raise FileError(f"{path}: there is no such folder; create it first")


def describe_arguments(value: Any) -> Any:
    """Return arguments as values that JSON can represent, which differ if the arguments differ.

    Arrays and deals are described by a digest, files by their text, and functions by their name.

    >>> describe_arguments({"precision": 0.5, "of": [None, "3NT"], "seats": np.arange(2)})
    {'precision': 0.5, 'of': [None, '3NT'], 'seats': 'int64 (2,) 9d34149fbd1fe777'}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(name): describe_arguments(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [describe_arguments(part) for part in value]
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return describe_arguments(value.tolist())
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"{value.dtype} {value.shape} {digest[:16]}"
    if isinstance(getattr(value, "hands", None), np.ndarray):
        names = ("hands", "tables", "vulnerable", "dealer", "board", "weight", "cluster")
        return [describe_arguments(getattr(value, name, None)) for name in names]
    if isinstance(value, os.PathLike):
        with name_in_errors(value):
            return Path(value).read_bytes().decode(errors="replace")
    return getattr(value, "__qualname__", None) or repr(value)


def _read(stream: Any, path: object) -> tuple[dict[str, Any], zipfile.ZipFile]:
    """Return the content of an open file and its archive; raise FileError if it is not a checkpoint."""
    try:
        file = zipfile.ZipFile(stream)
        _check_sizes(file, os.fstat(stream.fileno()).st_size)
        content = json.loads(file.read("checkpoint.json"))
        if content["format"] != FORMAT:
            raise ValueError("it is not a checkpoint")
        if content["version"] != FORMAT_VERSION:
            raise FileError(
                f"{path}: this checkpoint is from another version of dealerkit; finish the computation with "
                "that version, or delete the file to begin again"
            )
        if not isinstance(content["call"], dict) or not isinstance(content["state"], dict):
            raise TypeError("its state is missing")
    except DAMAGE as error:
        raise name_damage(path, error) from error
    return content, file


def _check_sizes(file: zipfile.ZipFile, n_bytes: int) -> None:
    """Raise ValueError if members are compressed or larger than the file; `save` compresses nothing."""
    members = file.infolist()
    is_plain = all(member.compress_type == zipfile.ZIP_STORED for member in members)
    if not is_plain or sum(member.file_size for member in members) > n_bytes:
        raise ValueError("its members are compressed, or larger than the file")
    if len({member.header_offset for member in members}) < len(members):
        raise ValueError("two of its members consist of the same bytes")


def name_damage(path: object, error: Exception) -> FileError:
    """Return the error about a file that is not a checkpoint or is damaged."""
    reason = str(error).partition("\n")[0] or type(error).__name__
    return FileError(
        f"{path}: this is not a checkpoint, or it is damaged ({reason:.200}); give another file, or delete "
        "this one to begin again"
    )


# The errors that reading a damaged file may raise.
DAMAGE = (
    ArithmeticError, AttributeError, EOFError, LookupError, NotImplementedError, OSError, RecursionError,
    MemoryError, RuntimeError, SyntaxError, TypeError, ValueError, tokenize.TokenError, zipfile.BadZipFile,
    zlib.error,
)  # fmt: skip


def store_in(arrays: dict[str, np.ndarray]) -> Store:
    """Return a function that adds an array to a dict and returns its name.

    >>> arrays = {}
    >>> store_in(arrays)(np.arange(3)), list(arrays)
    ('state/0.npy', ['state/0.npy'])
    """

    def store(array: np.ndarray) -> str:
        name = f"state/{len(arrays)}.npy"
        arrays[name] = np.asarray(array)
        return name

    return store


def write_arrays(file: zipfile.ZipFile, arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays of numbers to an archive under their names."""
    for name, array in arrays.items():
        with file.open(name, "w", force_zip64=True) as stream:
            np.lib.format.write_array(stream, np.ascontiguousarray(array), (1, 0), allow_pickle=False)


class Arrays:
    """The arrays of a checkpoint file, by name."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file, self._names = file, set(file.namelist())

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def __call__(self, name: str) -> np.ndarray:
        """Return an array, after checking its size before anything is allocated.

        Raises
        ------
        KeyError, ValueError
            The file has no such array, or the array is damaged.
        """
        data = self._file.read(name)
        stream = io.BytesIO(data)
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError(f"{name} has another format")
        with warnings.catch_warnings():  # numpy warns of headers that look as if from Python 2
            warnings.simplefilter("ignore", UserWarning)
            shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
        if dtype.kind not in "iufb" or math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
            raise ValueError(f"{name} has a wrong size")
        return np.frombuffer(data, dtype, offset=stream.tell()).reshape(shape).copy()
