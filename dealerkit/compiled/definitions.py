"""Kernels as they are defined, before they are compiled, and what their machine code depends on."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from dealerkit.compiled.calling import Unsupported


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

    The kernels that it calls count as parts of it. Raises Unsupported if a global name has a value of another
    kind than kernels refer to.
    """
    return hashlib.sha256("\n".join(_describe_code(kernel, set())).encode()).hexdigest()[:32]


def _describe_code(kernel: Definition, described: set[str]) -> Iterator[str]:
    """Yield texts that differ for kernels with different instructions, names or global values.

    Raises Unsupported if a global name has a value of another kind than kernels refer to.
    """
    described.add(kernel.name)
    function = kernel.function
    if function.__closure__ or function.__defaults__ or function.__kwdefaults__:
        raise Unsupported
    yield f"{kernel.name} {kernel.is_inlined} {_describe_instructions(function.__code__)}"
    for name in function.__code__.co_names:
        if name not in function.__globals__:
            continue  # a function of Python, or an attribute
        value = function.__globals__[name]
        if isinstance(value, Definition):
            yield f"{name}: {value.name}"
            if value.name not in described:
                yield from _describe_code(value, described)
        elif isinstance(value, np.ndarray) and value.dtype.kind in "iufb":
            yield f"{name}: {value.dtype.str} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        elif isinstance(value, Intrinsic | int | float | str | np.generic):
            yield f"{name}: {value!r}"
        elif isinstance(value, ModuleType | type | BuiltinFunctionType):
            yield f"{name}: {value.__name__}"
        else:
            raise Unsupported


def _describe_instructions(code: CodeType) -> str:
    if any(isinstance(constant, CodeType) for constant in code.co_consts):
        raise Unsupported
    return f"{code.co_code.hex()} {code.co_consts} {code.co_names} {code.co_varnames} {code.co_argcount}"
