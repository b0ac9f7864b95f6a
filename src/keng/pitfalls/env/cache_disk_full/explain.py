"""Error messages: the disk of a cache or of the temporary folder is full."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-room-for-a-download")
def no_room_for_a_download(failure: Failure) -> Hits:
    if any(re.search(r"[/\\](?:pip|huggingface_hub|torch)[/\\]", f.path) for f in failure.frames):
        yield failure.hit(
            "the disk is full while a package or weights are downloaded: make room, or TMPDIR and HF_HOME elsewhere"
        )


@explains("no-room-for-a-cache")
def no_room_for_a_cache(failure: Failure) -> Hits:
    yield failure.hit(f"the disk of {failure.groups['path']} is full: make room, or move the cache")


@explains("no-room-somewhere")
def no_room_somewhere(failure: Failure) -> Hits:
    yield failure.hit(
        "a disk is full, and the message does not say which: `df -h` of the folder that is written to, of "
        "/tmp, and of the caches"
    )


@explains("no-room-for-weights")
def no_room_for_weights(failure: Failure) -> Hits:
    size, folder, free = (failure.groups.get(key) for key in ("size", "folder", "free"))
    told = f" ({size} to come, {free} in {folder})" if size else ""
    yield failure.hit(
        f"the disk has no room for the weights{told}, and what is written is cut off: HF_HOME on another disk, or hf cache rm"
    )
