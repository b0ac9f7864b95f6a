"""Error messages: a checkpoint cannot be written."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-such-folder")
def no_such_folder(failure: Failure) -> Hits:
    why, folder = failure.groups.get("why", "").strip(), failure.groups.get("folder")
    if folder:
        yield failure.hit(say("file-s-folder-not", folder=folder))
    elif why:
        yield failure.hit(say("file-not-made-because", why=why.lower()))
    else:
        yield failure.hit(say("file-not-made"))


@explains("into-no-file")
def into_no_file(failure: Failure) -> Hits:
    if any(frame.path.endswith("serialization.py") for frame in failure.frames):
        yield failure.hit(say("arguments-exchanged"))
