"""Error messages: the user of a container has no name, and PyTorch asks for it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("number-alone")
def number_alone(failure: Failure) -> Hits:
    torchs = any("torch" in frame.path for frame in failure.frames)
    if torchs or not failure.frames:
        yield failure.hit(say("user-has-no-name", user=failure.groups["user"]))
