"""Machine code of kernels on disk, loaded by LLVM.

A file has the code of one kernel for one combination of argument types: a checksum (BLAKE2), the type of the
result, and an object file; if numba has to call the kernel, it has only the checksum. The name of the file
contains digests of everything that the code depends on: the processor, Python and numba's settings; the types
of the arguments; the versions of numba and LLVM; the kernel, the kernels that it calls, and the values of the
global names in them. So a file is never out of date.

Machine code is executed without checks, so it is stored only in a folder that belongs to the user and that
nobody else can write to or replace: in `NUMBA_CACHE_DIR`, or else in the folder of this package's bytecode,
or else in the user's cache folder. This is done only on Linux and Windows on x86-64, where it is tested. On
other systems numba stores the code, in folders with the same protection (`numba_functions`). The code refers
to few functions outside of itself (`definitions.EXTERNALS`), which LLVM must find in the process.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.runtime.compiled.definitions import (
    EXTERNALS,
    IS_X86_64,
    Definition,
    NativeFunction,
    Unsupported,
    describe_types,
    digest,
    digest_code,
    list_parts,
)
from dealerkit.runtime.compiled.shipped_code import find_code
from dealerkit.runtime.ownership import is_own, is_own_folder

ENVIRONMENT = "DEALERKIT_KERNELS"
_CHECKSUM = 32  # bytes


def load(kernel: Definition, types: tuple, arguments: tuple) -> NativeFunction | None:
    """Return the machine code of a kernel for arguments of some types, and compile it if it is not on disk.

    Return None if numba has to call the function.
    """
    if not is_tested_platform():
        return None
    try:
        list_parts(types)
    except Unsupported:
        return None
    with contextlib.suppress(Unsupported):
        if shipped := find_code(kernel, types):
            address = _load_object(shipped.machine_code, shipped.symbol)
            return NativeFunction(kernel.name, address, types, shipped.result)
    folder = find_folder()
    if folder is None:
        return None
    try:
        # The name of the file depends on everything that the code depends on.
        setting, versions = describe_installation()
        variant = digest(f"{setting} {describe_types(types)}".encode(), 8)
        code = digest(f"{versions} {digest_code(kernel)}".encode())
        start, symbol = f"{kernel.name}-{variant}-", f"kernel_{variant}_{code}"
        # Read the code, or compile and store it.
        content = _read(folder / f"{start}{code}")
        if content is None:
            content = compile_code(kernel, types, arguments, symbol)
            _write(folder, start, code, content)
        result, _, machine_code = content.partition(b"\n")
        if not machine_code:
            return None
        return NativeFunction(kernel.name, _load_object(machine_code, symbol), types, result.decode())
    except (Unsupported, OSError):  # OSError: the description of the installation cannot be read
        return None


def compile_code(kernel: Definition, types: tuple, arguments: tuple, symbol: str) -> bytes:
    """Return the content of a kernel's file; it has no machine code if numba has to call the kernel."""
    from dealerkit.runtime.compiled.numba_functions import emit_code

    try:
        result, machine_code = emit_code(kernel, types, arguments, symbol)
    except Exception:  # other releases of numba may raise any error; it reports errors in kernels at the call
        return b""
    return result.encode() + b"\n" + machine_code[sys.platform]


def is_tested_platform() -> bool:
    """Return whether LLVM loads code without numba: a system where this is tested and not forbidden."""
    disabled = os.environ.get(ENVIRONMENT) == "numba" or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
    return sys.platform in EXTERNALS and IS_X86_64 and not disabled


@functools.cache
def find_folder() -> Path | None:
    """Return the folder of the files; None if there is none, or if numba stores the code."""
    if not is_tested_platform():
        return None
    for path in _list_folders():
        if not path.is_absolute():  # it begins with ~ if the user has no home folder
            continue
        with contextlib.suppress(OSError):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if is_own_folder(path) and os.access(path, os.W_OK):
                return path
    return None


def _list_folders() -> Iterator[Path]:
    if folder := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(folder).absolute() / "dealerkit"
        return
    yield Path(__file__).parent / "__pycache__"
    import platformdirs

    with contextlib.suppress(RuntimeError):  # the user has no home folder
        yield platformdirs.user_cache_path("dealerkit", appauthor=False) / "kernels"


def _read(path: Path) -> bytes | None:
    """Return the content of a file; None if it is missing or damaged, or if others can have written it."""
    try:
        with path.open("rb") as file:
            if not is_own(os.fstat(file.fileno())):
                return None
            stored = file.read()
    except OSError:
        return None
    content = stored[_CHECKSUM:]
    return content if digest(content).encode() == stored[:_CHECKSUM] else None


def _write(folder: Path, start: str, code: str, content: bytes) -> None:
    """Write a file, and delete those of earlier versions."""
    name = f"{start}{code}"
    temporary = folder / f".{name}.{os.urandom(8).hex()}"
    with contextlib.suppress(OSError):  # if the disk is full, the code is compiled again at the next start
        try:
            with open(temporary, "xb", opener=functools.partial(os.open, mode=0o600)) as file:
                file.write(digest(content).encode() + content)
            os.replace(temporary, folder / name)
        finally:
            temporary.unlink(missing_ok=True)
        for path in folder.glob(f"{start}*"):
            if path.name != name:
                path.unlink(missing_ok=True)
        for path in folder.glob(f".{start}*"):  # left behind by killed processes
            if time.time() - path.stat().st_mtime > 3600:
                path.unlink(missing_ok=True)


@functools.cache
def describe_installation() -> tuple[str, str]:
    """Return the settings and the versions that machine code depends on besides the kernel, as texts."""
    import llvmlite
    from llvmlite import binding

    numba = find_spec("numba")  # importing it, or reading its version from the metadata, takes long
    if numba is None or numba.origin is None:
        raise Unsupported
    release = Path(numba.origin).with_name("_version.py").read_bytes()
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    processor = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    own = [path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))]
    setting = sys.version, binding.get_process_triple(), processor, numba.origin, settings
    if not own:  # an installation without sources
        raise Unsupported
    versions = llvmlite.__version__, np.__version__, release, own
    return repr(setting), repr(versions)


@functools.cache
def _start_engine() -> Any:
    """Return LLVM's engine, which keeps the code of all kernels until the process ends."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    machine = target.create_target_machine(codemodel="jitdefault", jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    if sys.platform == "win32":  # LLVM looks for functions only in libraries that it knows
        binding.load_library_permanently("ucrtbase.dll")  # the C library, which Python has loaded before
    if not all(
        map(binding.address_of_symbol, EXTERNALS[sys.platform])
    ):  # LLVM would end the process if one were missing
        raise Unsupported
    return engine


def _load_object(machine_code: bytes, symbol: str) -> int:
    """Load an object file and return the address of a function in it."""
    from llvmlite import binding

    try:
        engine = _start_engine()
        engine.add_object_file(binding.ObjectFileRef.from_data(machine_code))
        engine.finalize_object()
        address: int = engine.get_function_address(symbol)
    except Exception as reason:  # LLVM cannot read the file, or has other functions in this release
        raise Unsupported from reason
    if not address:
        raise Unsupported
    return address
