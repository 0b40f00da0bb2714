"""Functions for which the compiler generates an instruction."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


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
