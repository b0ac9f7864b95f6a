"""NumPy's scalars, as a best accuracy is often saved: what number it is."""

from __future__ import annotations

import struct

from keng.ckpt.nodes import Opaque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAMES = ("numpy._core.multiarray.scalar", "numpy.core.multiarray.scalar")
KINDS = dict(zip("f8 f4 f2 b1 i8 i4 i2 i1 u8 u4 u2 u1".split(), "dfe?qihbQIHB", strict=True))
"""How `struct` calls what NumPy calls so."""


def number(value: Opaque) -> Any:
    """None where it is none."""
    if str(value.name) not in NAMES:
        return None
    match value.args:
        case (Opaque(args=(str(kind), *_)) as dtype, bytes(data)) if kind in KINDS:
            big = isinstance(dtype.state, tuple) and ">" in dtype.state
            layout = (">" if big else "<") + KINDS[kind]
            return struct.unpack(layout, data)[0] if len(data) == struct.calcsize(layout) else None
    return None
