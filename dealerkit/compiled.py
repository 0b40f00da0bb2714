"""The one place where Python becomes machine code.

`kernel` compiles a function with numba when it is first called: without the
global interpreter lock, and kept on disk for the next start. Where no folder can
be written the compiled code lives as long as the process, with one warning.
Kernels are small and private; each is wrapped by a function that checks its
arguments. None uses an instruction that a plain processor of its kind lacks.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

from dealerkit.errors import CacheWarning


def kernel(function: Callable) -> Callable:
    """Compile a function at its first call, keep the result on disk, run it without the lock."""
    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba found no folder that it may write
        _warn_once()
        return numba.njit(nogil=True)(function)


@functools.cache
def _warn_once() -> None:
    warnings.warn(
        "no folder for compiled code can be written, so every start compiles anew; "
        "set NUMBA_CACHE_DIR to one that can",
        CacheWarning,
        stacklevel=3,
    )


@intrinsic
def popcount(typingctx: Any, value: Any) -> Any:
    """Number of bits set in a uint64 (LLVM's ctpop, which every processor has in some form)."""
    signature = types.uint64(types.uint64)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return signature, generate


def without_linear_algebra() -> None:
    """Spare a process numba's search for BLAS, which loads scipy.linalg: two tenths of a second.

    For programs of our own, such as the command: kernels in this process cannot call `np.dot`.
    """
    from numba.np import linalg

    search = linalg.ensure_blas

    def refuse() -> None:
        raise ImportError("no linear algebra in this process")

    linalg.ensure_blas = refuse
    try:
        import numba.np.arraymath  # noqa: F401  (it searches when it is imported)
    finally:
        linalg.ensure_blas = search
