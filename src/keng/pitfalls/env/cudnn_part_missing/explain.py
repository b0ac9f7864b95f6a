"""Error messages: one of the libraries of cuDNN is not found."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("part-of-cudnn-not-found")
def part_of_cudnn_not_found(failure: Failure) -> Hits:
    if failure.groups["library"] == "zlibwapi.dll":
        yield failure.hit(say("cudnn-system-was-loaded"))
        return
    yield failure.hit(say("cudnn-does-not-find", library=failure.groups["library"]))
