"""Error messages: a checkpoint that is split over processes is loaded by another number of them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("other-number-of-files")
def other_number_of_files(failure: Failure) -> Hits:
    files, world = failure.groups["files"], failure.groups["world"]
    if files == "0":
        yield failure.hit(say("there-no-file-weights"))
        return
    yield failure.hit(say("model-lies-files-many", world=files, world_2=world))


@explains("state-of-other-processes")
def state_of_other_processes(failure: Failure) -> Hits:
    saved, world = failure.groups["saved"], failure.groups["world"]
    yield failure.hit(say("processes-have-saved-optimizer", world=saved, world_2=world))
