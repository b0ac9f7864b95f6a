"""A running program: a copy that is not to block has no pinned memory, or is read too soon."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import DeviceCopy


@watches("device.copy")
def copied_from_ordinary_memory(copy: DeviceCopy) -> Hits:
    says = (
        f"{copy.bytes / 1024:.0f} KiB are copied with non_blocking=True out of memory that is not"
    )
    yield copy.hit(f"{says} pinned: the copy blocks as always")
