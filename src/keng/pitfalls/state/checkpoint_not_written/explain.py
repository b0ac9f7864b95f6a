"""Error messages: a checkpoint cannot be written."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-room")
def no_room(failure: Failure) -> Hits:
    yield failure.hit(say("there-no-room-whole"))


@explains("no-such-folder")
def no_such_folder(failure: Failure) -> Hits:
    why, folder = failure.groups.get("why", "").strip(), failure.groups.get("folder")
    if folder:
        yield failure.hit(say("file-s-folder-not", folder=folder))
        return
    yield failure.hit(
        f"the file cannot be made{f' ({why.lower()})' if why else ''}: its folder is not there or may not be written, it is a folder itself, or its "
        "name has what the system forbids, as : under Windows"
    )


ORDER = "torch.save takes the object first and the file second: the two are exchanged, or the file is no path"


@explains("into-no-file")
def into_no_file(failure: Failure) -> Hits:
    if any(frame.path.endswith("serialization.py") for frame in failure.frames):
        yield failure.hit(ORDER)
