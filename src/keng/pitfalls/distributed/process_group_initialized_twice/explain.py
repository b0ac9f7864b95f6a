"""Error messages: the process group is made a second time."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("made-before")
def made_before(failure: Failure) -> Hits:
    yield failure.hit(say("default-group-there-already"))
