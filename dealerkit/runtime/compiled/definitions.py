"""Definitions of kernels, what their machine code depends on, and calls of this code by ctypes.

A function that numba compiled takes the address of the result, the address of a description of an error, and
the arguments in parts, and returns a status. The parts of an array are its reference count and its owner
(both null here), the number of elements, the bytes of an element, the address, the shape and the strides;
those of a tuple are the parts of its elements. Before code is stored, its parts are compared with these
(`numba_functions.emit_code`), so a release of numba with another convention is noticed.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

try:
    from _blake2 import blake2b  # hashlib would load OpenSSL for it, which takes longer than all digests
except ImportError:
    from hashlib import blake2b

# Functions of the C library that the code may call on each system. numba has its own `fmod`; both are exact,
# so their results are equal, except for the sign of a result that is not a number. On Windows, functions with
# many local variables call `__chkstk`, which makes room for them on the stack.
_C_LIBRARY = frozenset({"memcpy", "memmove", "memset", "fmod"})
EXTERNALS = {"linux": _C_LIBRARY, "win32": _C_LIBRARY | {"__chkstk"}}
C_ORDER, F_ORDER, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400  # NumPy's flags of arrays
_FLAGS = C_ORDER | F_ORDER | ALIGNED | WRITEABLE
_OK, _NONE = 0, -2  # statuses: there is a result; the result is None
_SCALARS: dict[type, Any] = {
    int: ctypes.c_int64, np.int64: ctypes.c_int64, np.uint64: ctypes.c_uint64, float: ctypes.c_double,
    np.float64: ctypes.c_double, bool: ctypes.c_bool,
}  # fmt: skip
_CONVERTERS: dict[type, Callable] = {np.int64: int, np.uint64: int, np.float64: float}
_RESULTS: dict[str, Any] = {
    "int64": ctypes.c_int64, "uint64": ctypes.c_uint64, "float64": ctypes.c_double, "none": ctypes.c_void_p,
}  # fmt: skip

if sys.platform == "win32":  # the module `platform` would start a program
    IS_X86_64 = "AMD64" in sys.version
else:
    IS_X86_64 = os.uname().machine == "x86_64" and sys.maxsize > 1 << 32


class Unsupported(Exception):
    """The machine code cannot be called by ctypes, so numba has to call it."""


class Definition:
    """The function of a kernel, whether it is compiled as a part of its callers, and its name."""

    def __init__(self, function: FunctionType, is_inlined: bool = False) -> None:
        functools.update_wrapper(self, function)  # type: ignore[arg-type]
        self.function, self.is_inlined = function, is_inlined
        self.name = f"{function.__module__}.{function.__qualname__}"


@dataclass(frozen=True)
class Intrinsic:
    """A function of `compiled.numba_functions` for which the compiler generates an instruction."""

    name: str

    def __call__(self, *_: Any) -> Any:
        raise TypeError(f"{self.name} can be called only in kernels")


def digest_code(kernel: Definition) -> str:
    """Return a digest that differs for kernels with different instructions, names or global values.

    The kernels that it calls count as parts of it.

    Raises
    ------
    Unsupported
        A global name, or an attribute of a module, has a value of a kind that kernels do not refer to.
    """
    return digest("\n".join(describe_values(kernel, set(), describe_function)).encode())


def digest(data: bytes, size: int = 16) -> str:
    """Return a digest of `size` bytes as hexadecimal digits."""
    text: str = blake2b(data, digest_size=size).hexdigest()
    return text


def describe_values(
    kernel: Definition, described: set[Definition], describe: Callable[[FunctionType], str]
) -> Iterator[str]:
    """Yield texts that differ for kernels with different definitions or different values of global names.

    Parameters
    ----------
    kernel : Definition
    described : set of Definition
        The kernels that were described before; this kernel and those that it calls are added.
    describe : callable
        Returns the definition of a function as text: its instructions, or a digest of its file.
    """
    described.add(kernel)
    function = kernel.function
    if function.__closure__ or function.__defaults__ or function.__kwdefaults__:
        raise Unsupported
    yield f"{kernel.name} {kernel.is_inlined} {describe(function)}"
    names = sorted(set(function.__code__.co_names))  # their order depends on the release of Python
    yield from _describe_names(names, function.__globals__, described, describe)


def _describe_names(
    names: Sequence[str], values: Mapping[str, Any], described: set[Definition],
    describe: Callable[[FunctionType], str],
) -> Iterator[str]:  # fmt: skip
    """Yield texts that differ for different values of those names that have one."""
    for name in names:
        if name not in values:
            continue  # a function of Python or an attribute
        value = values[name]
        kind = type(value)
        if isinstance(value, Definition):
            yield f"{name}: {value.name}"
            if value not in described:  # two kernels may have the same name
                yield from describe_values(value, described, describe)
        elif kind is np.ndarray and value.dtype.kind in "iufb":
            yield f"{name}: {value.dtype.str} {value.shape} {digest(value.tobytes())}"
        elif kind in (Intrinsic, int, float, bool, str) or isinstance(value, np.generic):
            yield f"{name}: {kind.__name__} {value!r}"
        elif isinstance(value, ModuleType | type | BuiltinFunctionType) and _is_of_release(value):
            yield f"{name}: {value.__name__}"
        elif isinstance(value, ModuleType):
            yield f"{name}: {value.__name__}"
            inner = [item for item in map(vars(value).get, names) if isinstance(item, ModuleType)]
            if not all(map(_is_of_release, inner)):
                raise Unsupported
            yield from _describe_names(names, vars(value), described, describe)
        else:
            raise Unsupported


def _is_of_release(value: Any) -> bool:
    """Return whether a module, class or function is of Python or NumPy, whose releases are in the key."""
    module = value.__name__ if isinstance(value, ModuleType) else str(value.__module__)
    return module.partition(".")[0] in ("builtins", "math", "numpy")


def describe_function(function: FunctionType) -> str:
    """Return the instructions of a function as text, which differs between releases of Python."""
    code = function.__code__
    if any(isinstance(constant, CodeType) for constant in code.co_consts):
        raise Unsupported
    blocks = code.co_exceptiontable.hex()
    return (
        f"{code.co_code.hex()} {code.co_consts} {code.co_names} {code.co_varnames} {code.co_argcount}"
        f" {code.co_flags} {blocks}"
    )


def flatten(arguments: Sequence[Any], types: list[Any], values: list[Any]) -> None:
    """Append the types of some arguments to `types` and their parts to `values`.

    If arguments have different types for numba, they have different types here.

    Raises
    ------
    Unsupported
        An argument has a type that is rare for kernels.

    Examples
    --------
    >>> types, values = [], []
    >>> flatten([np.zeros((2, 3), np.int8), 7], types, values)
    >>> types, values[:4], values[5:]
    ([(dtype('int8'), 2, 1281), <class 'int'>], [None, None, 6, 1], [2, 3, 3, 1, 7])
    """
    for argument in arguments:
        kind = type(argument)
        if kind is np.ndarray:
            flags = argument.flags.num & _FLAGS
            if flags & C_ORDER:  # an array with a single row has both orders, and numba takes it as C order
                flags &= ~F_ORDER
            types.append((argument.dtype, argument.ndim, flags))
            values += (None, None, argument.size, argument.itemsize, argument.ctypes.data)
            values += argument.shape
            values += argument.strides
        elif kind in _SCALARS:
            if kind is int and not -(1 << 63) <= argument < 1 << 63:
                raise Unsupported
            types.append(kind)
            convert = _CONVERTERS.get(kind)
            values.append(convert(argument) if convert else argument)
        elif isinstance(argument, tuple):
            types.append((kind, len(argument)))
            flatten(argument, types, values)
        else:
            raise Unsupported


def list_parts(types: Sequence[Any]) -> list[Any]:
    """Return the ctypes types of the parts of arguments of some types.

    Raises
    ------
    Unsupported
        An array has elements other than numbers and truth values in the byte order of the machine.
    """
    parts: list[Any] = []
    for item in types:
        if isinstance(item, type):
            parts.append(_SCALARS[item])
        elif len(item) == 3:
            dtype, n_axes, _ = item
            if dtype.kind not in "iufb" or not dtype.isnative:
                raise Unsupported
            size, address = ctypes.c_ssize_t, ctypes.c_void_p
            parts += [address, address, size, size, address, *[size] * (2 * n_axes)]
    return parts


def describe_types(types: Sequence[Any]) -> str:
    """Return a text that differs for types for which numba compiles different code."""
    return ", ".join(map(_describe_type, types))


def _describe_type(item: Any) -> str:
    if isinstance(item, type):
        return item.__name__
    if len(item) == 3:
        return f"{item[0].str} {item[1]} axes {item[2]:x}"
    kind, length = item
    return f"{kind.__module__}.{kind.__qualname__} of {length} {getattr(kind, '_fields', '')}"


class NativeFunction:
    """Machine code that can be called.

    Parameters
    ----------
    name : str
        Name of the kernel, for messages.
    address : int
        Address of the code.
    types : sequence
        Types of the arguments, from `flatten`.
    result : str
        numba's name of the type of the result, followed by the number of values if it is a tuple, such as
        ``int64 2``.

    Raises
    ------
    Unsupported
        The result has another type.
    """

    def __init__(self, name: str, address: int, types: Sequence[Any], result: str) -> None:
        kind, _, length = result.partition(" ")
        if kind not in _RESULTS:
            raise Unsupported
        self.name = name
        self._length = int(length or 0)
        self._result = _RESULTS[kind] * max(self._length, 1)
        pointers = [ctypes.c_void_p, ctypes.c_void_p]
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, *pointers, *list_parts(types))
        self._call = prototype(address)  # ctypes releases the global interpreter lock

    def __call__(self, values: Sequence[Any]) -> Any:
        """Call the code with the parts of its arguments; return its result."""
        result, error = self._result(), ctypes.c_void_p()
        status = self._call(ctypes.addressof(result), ctypes.addressof(error), *values)
        if status == _NONE:
            return None
        if status != _OK:  # code that may raise any other error is not stored
            raise ZeroDivisionError(f"division by zero in {self.name}")
        return tuple(result) if self._length else result[0]
