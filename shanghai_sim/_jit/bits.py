"""What numba lacks: bit counts, and scratch memory without reference counts."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from shanghai_sim._jit.switch import JIT

if JIT:

    @intrinsic
    def popcount(typingctx, x):  # type: ignore[no-untyped-def]
        """Return the number of set bits of a non-negative int64."""

        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest_bit(typingctx, x):  # type: ignore[no-untyped-def]
        """Return the index of the lowest set bit of an int64 other than 0."""

        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

    @intrinsic(prefer_literal=True)
    def scratch(typingctx, n):  # type: ignore[no-untyped-def]
        """Return an array of n int64, their values not set; n is a literal, or a global of the module.

        It lies on the stack, so that inner kernels may have it and pass it on; it must not be returned.
        """
        if not isinstance(n, types.IntegerLiteral):
            return None
        array, size = types.Array(types.int64, 1, "C"), n.literal_value

        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            word = ir.IntType(64)
            data = cgutils.alloca_once(builder, word, size=ir.Constant(word, size))
            made = arrayobj.make_array(array)(context, builder)
            arrayobj.populate_array(
                made, data, [ir.Constant(word, size)], [ir.Constant(word, 8)], ir.Constant(word, 8), None
            )
            return made._getvalue()

        return array(n), codegen

else:

    def popcount(x: int) -> int:
        """Return the number of set bits of a non-negative int64."""
        return int(x).bit_count()

    def lowest_bit(x: int) -> int:
        """Return the index of the lowest set bit of an int64 other than 0."""
        return (int(x) & -int(x)).bit_length() - 1

    def scratch(n: int) -> np.ndarray:
        """Return an array of n int64."""
        return np.zeros(n, np.int64)
