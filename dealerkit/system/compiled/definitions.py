"""Kernels as they are defined, before they are compiled, and what their machine code depends on."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from dealerkit.system.compiled.calling import Unsupported


class Definition:
    """The function of a kernel, whether it is compiled as a part of its callers, and its name."""

    def __init__(self, function: FunctionType, is_inlined: bool = False) -> None:
        functools.update_wrapper(self, function)  # type: ignore[arg-type]
        self.function, self.is_inlined = function, is_inlined
        self.name = f"{function.__module__}.{function.__qualname__}"


@dataclass(frozen=True)
class Intrinsic:
    """A function of `compiled.intrinsics`, for which the compiler generates an instruction."""

    name: str

    def __call__(self, *_: Any) -> Any:
        raise TypeError(f"{self.name} can be called in kernels only")


def digest_code(kernel: Definition) -> str:
    """Return a digest that differs for kernels with different instructions, names or global values.

    The kernels that it calls count as parts of it. Raises Unsupported if a global name, or an attribute of a
    module, has a value of another kind than kernels refer to.
    """
    return hashlib.sha256("\n".join(_describe_code(kernel, set())).encode()).hexdigest()[:32]


def _describe_code(kernel: Definition, described: set[Definition]) -> Iterator[str]:
    """Yield texts that differ for kernels with different instructions, names or global values."""
    described.add(kernel)
    function = kernel.function
    if function.__closure__ or function.__defaults__ or function.__kwdefaults__:
        raise Unsupported
    yield f"{kernel.name} {kernel.is_inlined} {_describe_instructions(function.__code__)}"
    yield from _describe_names(function.__code__.co_names, function.__globals__, described)


def _describe_names(
    names: Sequence[str], values: Mapping[str, Any], described: set[Definition]
) -> Iterator[str]:
    """Yield texts that differ for different values of those names that have one."""
    for name in names:
        if name not in values:
            continue  # a function of Python, or an attribute
        value = values[name]
        kind = type(value)
        if isinstance(value, Definition):
            yield f"{name}: {value.name}"
            if value not in described:  # two kernels may have the same name
                yield from _describe_code(value, described)
        elif kind is np.ndarray and value.dtype.kind in "iufb":
            yield f"{name}: {value.dtype.str} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        elif kind in (Intrinsic, int, float, bool, str) or isinstance(value, np.generic):
            yield f"{name}: {kind.__name__} {value!r}"
        elif isinstance(value, ModuleType | type | BuiltinFunctionType) and _is_of_release(value):
            yield f"{name}: {value.__name__}"
        elif isinstance(value, ModuleType):
            yield f"{name}: {value.__name__}"
            inner = [item for item in map(vars(value).get, names) if isinstance(item, ModuleType)]
            if not all(map(_is_of_release, inner)):
                raise Unsupported
            yield from _describe_names(names, vars(value), described)
        else:
            raise Unsupported


def _is_of_release(value: Any) -> bool:
    """Whether a module, class or function is of Python or NumPy, whose releases are part of the key."""
    module = value.__name__ if isinstance(value, ModuleType) else str(value.__module__)
    return module.partition(".")[0] in ("builtins", "math", "numpy")


def _describe_instructions(code: CodeType) -> str:
    if any(isinstance(constant, CodeType) for constant in code.co_consts):
        raise Unsupported
    blocks = code.co_exceptiontable.hex()
    return (
        f"{code.co_code.hex()} {code.co_consts} {code.co_names} {code.co_varnames} {code.co_argcount}"
        f" {code.co_flags} {blocks}"
    )
