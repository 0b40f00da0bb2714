"""Compilation of Python functions to machine code with numba.

`kernel` compiles a function at its first call. The compiled function releases the global interpreter lock and
is stored on disk for the next start; if no folder can be written, one warning is issued and the function is
compiled again at every start. Kernels are small and private, and are called by functions that check their
arguments. No kernel uses an instruction that some processors of its kind lack.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys
from numba.extending import intrinsic

from dealerkit.errors import CacheWarning


class _Cache(FunctionCache):
    """numba's cache on disk, loaded without initialising numba's compiler.

    The initialisation takes a quarter of a second, more than a small run. The compiler initialises
    itself if a kernel is not on disk.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # the machine code refers to these functions
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception:  # an incomplete file, or one of another release with other classes
            self.flush()
            return None


def kernel(function: Callable) -> Callable:
    """Return a function that is compiled at its first call, stored on disk, and runs without the lock."""
    compiled = numba.njit(nogil=True)(function)
    try:
        compiled._cache = _Cache(function)  # like `cache=True`
    except RuntimeError:  # numba found no writable folder
        _warn_once()
    return compiled


def inlined(function: Callable) -> Callable:
    """Return a function that is compiled as a part of each kernel that calls it, not by itself."""
    return numba.njit(inline="always")(function)


@functools.cache
def _warn_once() -> None:
    warnings.warn(
        "no folder for compiled code can be written, so the code is compiled at every start; "
        "set NUMBA_CACHE_DIR to a folder that can be written",
        CacheWarning,
        stacklevel=3,
    )


@intrinsic
def popcount(typingctx: Any, value: Any) -> Any:
    """Return the number of set bits of a uint64 (LLVM's ctpop, which is available on every processor)."""
    signature = types.uint64(types.uint64)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return signature, generate
