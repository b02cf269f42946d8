"""Many arrays behind one argument: numba compiles a kernel with sixty array arguments for minutes, with one in a moment.

`Arrays` holds them and a table of addresses; inside a kernel `field(SPEC, "name")(table)` is the array again. A spec lists
(name, dtype, dimensions).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic

Spec = Sequence[tuple[str, type, int]]


@intrinsic
def _pointer(_context, address):  # type: ignore[no-untyped-def]
    """An integer as an address."""

    def code(context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), code


def field(spec: Spec, name: str):  # type: ignore[no-untyped-def]
    """A kernel that gives the array `name` of a table of this spec."""
    at = 3 * next(index for index, (known, _, _) in enumerate(spec) if known == name)
    _, dtype, dimensions = spec[at // 3]

    if dimensions == 1:

        @njit
        def view(table):  # type: ignore[no-untyped-def]
            return carray(_pointer(table[at]), (table[at + 1],), dtype)

    else:

        @njit
        def view(table):  # type: ignore[no-untyped-def]
            return carray(_pointer(table[at]), (table[at + 1], table[at + 2]), dtype)

    return view


class Arrays:
    """`table` int64[3 * fields]: address, rows, columns of each; valid as long as this object lives."""

    def __init__(self, spec: Spec, *arrays: np.ndarray):
        self._at = {name: index for index, (name, _, _) in enumerate(spec)}
        self._spec = spec
        self._held: list[np.ndarray] = [np.empty(0)] * len(spec)
        self.table = np.zeros(3 * len(spec), np.int64)
        for (name, _, _), array in zip(spec, arrays, strict=True):
            self[name] = array

    def __getitem__(self, name: str) -> np.ndarray:
        return self._held[self._at[name]]

    def __setitem__(self, name: str, array: np.ndarray) -> None:
        at = self._at[name]
        held: np.ndarray = np.ascontiguousarray(array, self._spec[at][1])
        self._held[at] = held
        self.table[3 * at : 3 * at + 3] = held.ctypes.data, held.shape[0], held.shape[-1]
