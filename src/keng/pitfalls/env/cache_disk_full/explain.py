"""Error messages: the disk of a cache or of the temporary folder is full."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-room-for-a-download")
def no_room_for_a_download(failure: Failure) -> Hits:
    if any(re.search(r"[/\\](?:pip|huggingface_hub|torch)[/\\]", f.path) for f in failure.frames):
        yield failure.hit(say("full-while-downloading"))


@explains("no-room-for-weights")
def no_room_for_weights(failure: Failure) -> Hits:
    size, folder, free = (failure.groups.get(key) for key in ("size", "folder", "free"))
    known = say("no-room-for-download", size=size, folder=folder, free=free)
    yield failure.hit(known if size else say("no-room-for-weights"))
