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
from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys
from numba.extending import intrinsic

from dealerkit.errors import CacheWarning


class _Cache(FunctionCache):
    """numba's cache on disk, read without numba's tables of all it can compile.

    Filling them takes a quarter of a second, more than a small run; the compiler fills them
    itself when a kernel is not on disk.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # what the machine code of kernels refers to
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception:  # an unfinished file, or another release's, whose classes may be gone
            self.flush()
            return None


def kernel(function: Callable) -> Callable:
    """Compile a function at its first call, keep the result on disk, run it without the lock."""
    compiled = numba.njit(nogil=True)(function)
    try:
        compiled._cache = _Cache(function)  # as `cache=True` does
    except RuntimeError:  # numba found no folder that it may write
        _warn_once()
    return compiled


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
