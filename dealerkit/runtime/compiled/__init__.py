"""Functions compiled to machine code: kernels.

`kernel` compiles a function at its first call with each combination of argument types. The compiled function
releases the global interpreter lock. Kernels are small and private, and are called by functions that check
their arguments; they raise no errors. No kernel uses an instruction that some processors of its kind lack.

numba compiles the functions, but importing it takes longer than a small run. So the package contains the
machine code of kernels that most calls need (`shipped_code`), and the code of others is stored on disk
(`stored_code`). LLVM loads both without numba. `Kernel.__call__` calls this code with the addresses and
shapes of its arguments (`definitions`). If this is not possible (on another platform, with an argument of an
unusual type, or without a folder that belongs to the user), numba compiles, stores and calls the function in
its usual way (`numba_functions`). Both ways execute the same instructions. The environment variable
``DEALERKIT_KERNELS=numba`` selects numba for all kernels; ``DEALERKIT_KERNELS=local`` ignores only the code
in the package.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from dealerkit.runtime.compiled.definitions import Definition, Intrinsic, NativeFunction, Unsupported, flatten
from dealerkit.runtime.process import ForkSafeLock, cached_property

_LOADING = ForkSafeLock()  # reentrant, because a signal handler may call a kernel meanwhile


popcount: Any = Intrinsic("popcount")
multiply_high: Any = Intrinsic("multiply_high")
count_bits: Any = Intrinsic("count_bits")
lowest_bit: Any = Intrinsic("lowest_bit")
highest_bit: Any = Intrinsic("highest_bit")


class Kernel(Definition):
    """A function that is compiled at its first call with each combination of argument types.

    Parameters
    ----------
    function : function
        A function of a module, without default values. It may refer to numbers, arrays, other kernels and
        modules.
    is_inlined : bool
        Compile it as a part of each kernel that calls it, not by itself.
    """

    def __init__(self, function: FunctionType, is_inlined: bool = False) -> None:
        super().__init__(function, is_inlined)
        self.variants: dict[tuple, NativeFunction | None] = {}  # by argument types; None if numba calls it

    def __call__(self, *arguments: Any) -> Any:
        types: list[Any] = []
        values: list[Any] = []
        try:
            flatten(arguments, types, values)
        except Unsupported:
            return self._numba_function(*arguments)
        key = tuple(types)
        try:
            native = self.variants[key]
        except KeyError:
            native = self._prepare(key, arguments)
        return self._numba_function(*arguments) if native is None else native(values)

    def __reduce__(self) -> str:
        return self.function.__qualname__  # pickled like a function, by its name

    def _prepare(self, key: tuple, arguments: tuple) -> NativeFunction | None:
        """Load or compile the machine code for these types of arguments."""
        from dealerkit.runtime.compiled import stored_code

        with _LOADING:
            if key not in self.variants:
                self.variants[key] = stored_code.load(self, key, arguments)
        return self.variants[key]

    @cached_property
    def _numba_function(self) -> Any:
        """The function that numba compiles, stores and calls."""
        from dealerkit.runtime.compiled import numba_functions

        with _LOADING:
            return numba_functions.build_dispatcher(self, is_stored=True)


def kernel(function: Callable) -> Any:
    """Return a function that is compiled at its first call, stored on disk, and releases the global lock."""
    assert isinstance(function, FunctionType)
    return Kernel(function)


def inlined(function: Callable) -> Any:
    """Return a function that is compiled as a part of each kernel that calls it, not by itself."""
    assert isinstance(function, FunctionType)
    return Kernel(function, is_inlined=True)
