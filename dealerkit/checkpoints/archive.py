"""Zip files of arrays and texts: saved results and checkpoints. Nothing in them is ever executed."""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from collections.abc import Mapping

import numpy as np

from dealerkit.statistics.saved_state import Store

# What reading a damaged file may raise.
DAMAGE = (
    ArithmeticError, AttributeError, EOFError, LookupError, NotImplementedError, OSError, RecursionError,
    RuntimeError, TypeError, ValueError, zipfile.BadZipFile, zlib.error,
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
    """Write arrays of numbers under their names."""
    for name, array in arrays.items():
        with file.open(name, "w", force_zip64=True) as stream:
            np.lib.format.write_array(stream, np.ascontiguousarray(array), (1, 0), allow_pickle=False)


class Arrays:
    """The arrays of a file by their name."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file, self._names = file, set(file.namelist())

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def __call__(self, name: str) -> np.ndarray:
        """Return an array; its size is checked before anything is allocated."""
        data = self._file.read(name)
        stream = io.BytesIO(data)
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError(f"{name} has another format")
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
        if dtype.kind not in "iufb" or math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
            raise ValueError(f"{name} has a wrong size")
        return np.frombuffer(data, dtype, offset=stream.tell()).reshape(shape).copy()
