"""A running program: bytes are added, and go round at 256."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import ByteOverflow


@watches("bytes.overflow")
def goes_round(seen: ByteOverflow) -> Hits:
    says = f"`{seen.sign}` on bytes goes round at 256, in {seen.share:.0%} of the elements"
    yield seen.hit(f"{says}: {seen.worst} becomes {seen.worst % 256}", share=seen.share)
