"""Compiling kernels with numba, with instructions and a handling of interrupts that numba lacks.

Importing this module takes longer than a small run.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import struct
import sys
import threading
from collections.abc import Iterator, Sequence
from types import FrameType, FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import event
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime import rtsys
from numba.extending import intrinsic

from dealerkit.errors import CacheWarning, warn_caller
from dealerkit.runtime.compiled.definitions import (
    EXTERNALS,
    Definition,
    Intrinsic,
    Unsupported,
    digest_code,
    list_parts,
)
from dealerkit.runtime.ownership import is_own, is_own_folder

_DESTRUCTOR = "NRT_MemInfo_call_dtor"  # a function of numba, called only for arrays with a reference count


class _Guard(event.Listener):
    """Delays an interrupt that arrives while numba compiles to the end of the compilation.

    Without the delay, the interrupt could leave numba's tables of functions half filled, so that later
    compilations in the process fail, or it could be lost in a function that LLVM calls.
    """

    def __init__(self) -> None:
        self._depth = 0  # number of compilations inside each other
        self._handler: Any = None
        self._delayed: tuple[int, FrameType | None] | None = None

    def on_start(self, event: event.Event) -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread receives interrupts
        self._depth += 1
        handler = signal.getsignal(signal.SIGINT)
        if self._depth == 1 and callable(handler):
            self._handler = handler
            signal.signal(signal.SIGINT, self._handle)

    def on_end(self, event: event.Event) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth -= 1
        if self._depth or self._handler is None:
            return
        handler, delayed, self._handler, self._delayed = self._handler, self._delayed, None, None
        signal.signal(signal.SIGINT, handler)
        if delayed is not None:
            handler(*delayed)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._delayed = number, frame


event.register("numba:compiler_lock", _Guard())


@intrinsic
def popcount(typingctx: Any, value: Any) -> Any:
    """Return the number of set bits of a uint64 (LLVM's ctpop, which is available on every processor)."""
    signature = types.uint64(types.uint64)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return signature, generate


@intrinsic
def multiply_high(typingctx: Any, first: Any, second: Any) -> Any:
    """Return the upper 64 bits of the product of two uint64 (one instruction on 64-bit processors)."""
    signature = types.uint64(types.uint64, types.uint64)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return signature, generate


@intrinsic
def count_bits(typingctx: Any, value: Any) -> Any:
    """Return the number of set bits of an int64, as int64."""
    signature = types.int64(types.int64)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return signature, generate


@intrinsic
def lowest_bit(typingctx: Any, value: Any) -> Any:
    """Return the place of the lowest set bit of an int64, which must not be 0."""
    signature = types.int64(types.int64)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return signature, generate


@intrinsic
def highest_bit(typingctx: Any, value: Any) -> Any:
    """Return the place of the highest set bit of an int64, which must not be 0."""
    signature = types.int64(types.int64)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.xor(zeros, ir.Constant(ir.IntType(64), 63))

    return signature, generate


class _OwnFiles(IndexDataCacheFile):
    """The files of numba's cache; they are pickles, so they are read only if nobody else can write them."""

    def _load_index(self) -> Any:
        return super()._load_index() if _is_own_file(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        return super()._load_data(name) if _is_own_file(self._data_path(name)) else None


def _is_own_file(path: str) -> bool:
    try:
        return is_own(os.lstat(path))
    except OSError:  # there is none
        return False


class _Cache(FunctionCache):
    """numba's cache on disk, loaded without initialising numba's compiler.

    The initialisation takes a quarter of a second, which is more than a small run. If a kernel is not on
    disk, the compiler initialises itself. Functions are compiled again if a kernel that they call has
    changed.

    Raises
    ------
    RuntimeError
        There is no folder that only this user can write to. In other folders, somebody else could replace a
        file between its check and its reading.
    """

    def __init__(self, kernel: Definition) -> None:
        super().__init__(kernel.function)
        if not is_own_folder(self._cache_path):
            raise RuntimeError(f"others may write to {self._cache_path}")
        locator, name = self._impl.locator, self._impl.filename_base
        self._cache_file = _OwnFiles(self._cache_path, name, locator.get_source_stamp())
        self._code = _digest(kernel)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return super()._index_key(sig, codegen), self._code

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # the machine code refers to these functions
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception:  # the file is incomplete, or from a release with other classes
            self.flush()
            return None


_INTRINSICS = {
    "popcount": popcount, "multiply_high": multiply_high, "count_bits": count_bits, "lowest_bit": lowest_bit,
    "highest_bit": highest_bit,
}  # fmt: skip
# With NUMBA_DISABLE_JIT, kernels are functions of Python.
_PLAIN = {
    "popcount": lambda word: np.uint64(np.bitwise_count(word)),
    "multiply_high": lambda a, b: np.uint64(int(a) * int(b) >> 64),
    "count_bits": lambda value: int(value).bit_count(),
    "lowest_bit": lambda value: (int(value) & -int(value)).bit_length() - 1,
    "highest_bit": lambda value: int(value).bit_length() - 1,
}


def build_dispatcher(kernel: Definition, is_stored: bool) -> Any:
    """Return numba's function for a kernel; numba stores its code if `is_stored`."""
    # Copy the function, so that the kernels that it calls become numba's.
    function = kernel.function
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        value = names.get(name)
        if isinstance(value, Definition):
            names[name] = _build_callee(value, _digest(value))
        elif isinstance(value, Intrinsic):
            names[name] = _PLAIN[value.name] if numba.config.DISABLE_JIT else _INTRINSICS[value.name]
    copy = FunctionType(function.__code__, names, function.__name__)
    functools.update_wrapper(copy, function)
    # It is compiled when it is called, and numba's cache stores it if `is_stored`. A function that only
    # machine code calls needs no wrapper for Python, and none needs one for C: wrappers are a third of the
    # compilation.
    dispatcher = numba.njit(
        nogil=True,
        inline="always" if kernel.is_inlined else "never",
        no_cpython_wrapper=not is_stored,
        no_cfunc_wrapper=True,
    )(copy)
    if not hasattr(dispatcher, "_cache"):  # with NUMBA_DISABLE_JIT, it is the function itself; integers wrap
        return np.errstate(over="ignore", under="ignore")(dispatcher)
    if is_stored:
        try:
            dispatcher._cache = _Cache(kernel)  # like `cache=True`
        except RuntimeError:  # there is no folder that only this user can write to
            warn_of_no_folder()
    return dispatcher


@functools.cache
def _build_callee(kernel: Definition, _code: str) -> Any:
    """Return numba's function for a kernel, and another one after the values that it refers to change."""
    return build_dispatcher(kernel, is_stored=False)


def _digest(kernel: Definition) -> str:
    try:
        return digest_code(kernel)
    except Unsupported:
        return ""


@functools.cache
def warn_of_no_folder() -> None:
    """Warn once that compiled code is not stored."""
    warn_caller(
        "there is no folder for compiled code that only you can write to, so the code is compiled at every "
        "start; set NUMBA_CACHE_DIR to such a folder",
        CacheWarning,
    )


def emit_code(
    kernel: Definition, argument_types: Sequence, arguments: Sequence, symbol: str,
    systems: Sequence[str] = (sys.platform,),
) -> tuple[str, dict[str, bytes]]:  # fmt: skip
    """Compile a kernel for the types of some arguments.

    Parameters
    ----------
    kernel : Definition
    argument_types : sequence
        Types of the arguments, from `definitions.flatten`.
    arguments : sequence
    symbol : str
        Name of the function in the object files.
    systems : sequence of str
        Names of systems, such as ``linux``. The code for all of them is made from the same instructions of
        LLVM, for processors of the same kind.

    Returns
    -------
    result : str
        Type of the result, as `definitions.NativeFunction` takes it.
    machine_code : dict of bytes
        For each system, an object file that defines `symbol` and refers only to `definitions.EXTERNALS`.

    Raises
    ------
    Unsupported
        The function has another calling convention than `definitions` describes, needs numba's functions,
        refers to an address of this process, or may raise an error other than ZeroDivisionError.
    """
    # Compile, and refuse a result that is not as `definitions` describes it.
    signature = tuple(numba.typeof(argument) for argument in arguments)
    dispatcher = build_dispatcher(kernel, is_stored=False)
    dispatcher.compile(signature)
    overload = dispatcher.overloads[signature]
    if overload.library.has_dynamic_globals:  # the address of a global array that is large or not contiguous
        raise Unsupported
    models = dispatcher.targetctx.data_model_manager
    if models[types.Array(types.int64, 1, "C")]._fields != _ARRAY_PARTS:
        raise Unsupported
    # The function must take the parts of its arguments, one after another.
    assembly, name = dispatcher.inspect_llvm(signature), overload.fndesc.llvm_func_name
    function = binding.parse_assembly(assembly).get_function(name)
    parts = ["ptr", "ptr", *(_PART_NAMES[part] for part in list_parts(argument_types))]
    if [_name_part(argument) for argument in function.arguments] != parts:
        raise Unsupported
    # Make an object file from it for this processor on each system.
    _, processor, features = dispatcher.targetctx.codegen().magic_tuple()
    machine_code = {}
    for system in systems:
        machine = binding.Target.from_triple(_TRIPLES[system]).create_target_machine(
            cpu=processor, features=features, opt=3, codemodel="jitdefault", jit=True, reloc="static"
        )
        module = binding.parse_assembly(assembly)
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        module.get_function(name).name = symbol
        _remove_others(module, symbol, machine)
        machine_code[system] = machine.emit_object(module)
        if not EXTERNALS[system].issuperset(list_externals(machine_code[system])):
            raise Unsupported
    return _name_result(overload.signature.return_type), machine_code


# LLVM's names of the systems. On Windows, too, it loads only object files in the format of Linux (ELF).
_TRIPLES = {"linux": "x86_64-unknown-linux-gnu", "win32": "x86_64-pc-windows-msvc-elf"}
_PART_NAMES = {
    ctypes.c_void_p: "ptr", ctypes.c_ssize_t: "i64", ctypes.c_int64: "i64", ctypes.c_uint64: "i64",
    ctypes.c_double: "double", ctypes.c_bool: "i8",
}  # fmt: skip


_ARRAY_PARTS = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")


def _name_part(argument: Any) -> str:
    name = str(argument.type)
    return "ptr" if name.endswith("*") else name


def _name_result(result: Any) -> str:
    return f"{result.dtype} {result.count}" if isinstance(result, types.UniTuple) else str(result)


def _remove_others(module: Any, symbol: str, machine: Any) -> None:
    """Remove functions that a function does not need, such as its wrappers for Python."""
    for destructor in module.functions:
        if destructor.is_declaration and destructor.name == _DESTRUCTOR:
            (argument,) = destructor.arguments
            text = f"define void @{_DESTRUCTOR}({argument.type} %0) {{ ret void }}"
            module.link_in(binding.parse_assembly(text))
            break
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name != symbol:
            value.linkage = "internal"
    passes = binding.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, binding.create_pass_builder(machine, binding.create_pipeline_tuning_options()))
    for value in module.global_variables:
        is_error = value.name.startswith(".const.pickledata.") and not value.name.endswith(".sha1")
        if is_error and "ZeroDivisionError" not in str(value):
            raise Unsupported


def list_externals(machine_code: bytes) -> Iterator[str]:
    """Yield the names that an object file (ELF, 64 bits) refers to but does not define."""
    (start,), (size, number) = (
        struct.unpack_from("=Q", machine_code, 40),
        struct.unpack_from("=HH", machine_code, 58),
    )
    sections = [struct.unpack_from("=IIQQQQIIQQ", machine_code, start + i * size) for i in range(number)]
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind != 2:  # SHT_SYMTAB
            continue
        names = sections[link][4]
        for name, _, _, section, *_ in struct.iter_unpack("=IBBHQQ", machine_code[offset : offset + length]):
            if name and not section:  # SHN_UNDEF
                yield machine_code[names + name : machine_code.index(b"\0", names + name)].decode()
