"""Machine code of kernels that is part of the package, so that the first start needs no compilation.

`tools/build_kernels.py` compiles the kernels that most calls need for processors of x86-64-v3 (Intel
since 2013, AMD since 2015), and writes a file for each system, `kernels-linux.bin` and `kernels-win32.bin`: a
line of JSON, with an entry for each kernel and combination of argument types, and the object files. An entry
is valid for the source files that defined the kernel when it was compiled, and for the values of the global
names in it. These do not depend on the release of Python, NumPy, numba or LLVM, and neither does the code,
which refers only to functions of the C library. After a change of a source file, its kernels are compiled as
if they were not part of the package (`stored_code`).
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sys
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

from dealerkit.runtime.compiled.definitions import (
    Definition,
    Unsupported,
    describe_types,
    describe_values,
    digest,
)

FILE = Path(__file__).with_name(f"kernels-{sys.platform}.bin")
PROCESSOR = "x86-64-v3"
FEATURES = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")  # added by v3


class ShippedCode(NamedTuple):
    """The code of a kernel for some types of arguments."""

    symbol: str
    result: str
    machine_code: bytes


def find_code(kernel: Definition, types: tuple) -> ShippedCode | None:
    """Return the code of a kernel from the package; None if there is none for this processor."""
    entries = list_entries()
    if not entries:
        return None
    try:
        entry = entries.get(name_entry(kernel, types))
    except (Unsupported, OSError):  # OSError if the installation has no sources
        return None
    if entry is None or not has_features():
        return None
    symbol, result, first, length = entry
    return ShippedCode(symbol, result, read_file(FILE)[1][first : first + length])


def name_entry(kernel: Definition, types: tuple) -> str:
    """Return the key of an entry: the kernel, the types of its arguments, and a digest of its definition."""
    return f"{kernel.name} ({describe_types(types)}) {digest_sources(kernel)}"


def digest_sources(kernel: Definition) -> str:
    """Return a digest that differs if the files that define the kernel, or values of names in it, differ."""
    return digest("\n".join(describe_values(kernel, set(), _describe_file)).encode())


def _describe_file(function: FunctionType) -> str:
    return _digest_file(function.__code__.co_filename)


@functools.cache
def _digest_file(name: str) -> str:
    return digest(Path(name).read_bytes().replace(b"\r\n", b"\n"))


def list_entries() -> dict[str, list]:
    """Return the entries by their keys; none if the environment says to compile kernels on this machine."""
    if os.environ.get("DEALERKIT_KERNELS") or any(
        name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR" for name in os.environ
    ):
        return {}
    return read_file(FILE)[0]


@functools.cache
def read_file(path: Path) -> tuple[dict[str, list], bytes]:
    """Return entries and machine code of a file; none if it is missing, damaged or of another system."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        line, _, code = path.read_bytes().partition(b"\n")
        head = json.loads(line)
        if head["system"] == sys.platform and head["digest"] == digest(code):
            return head["kernels"], code
    return {}, b""


@functools.cache
def has_features() -> bool:
    """Return whether this processor has the instructions of x86-64-v3."""
    from llvmlite import binding

    features = binding.get_host_cpu_features()
    return all(features.get(name, False) for name in FEATURES)
