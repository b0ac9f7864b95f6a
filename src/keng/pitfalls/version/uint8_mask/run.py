"""A running program: a mask is made of bytes instead of booleans."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import ByteIndex


@watches("index.bytes")
def masked_with_bytes(seen: ByteIndex) -> Hits:
    says = "a mask of bytes is used as an index"
    if seen.highest > 1:
        says = (
            f"a mask of bytes holds {seen.highest}: `~` has flipped its bits, and all of it is true"
        )
    yield seen.hit(says)
