"""Error messages: a tensor is made of an array that may not be written to."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("shared-for-reading")
def shared_for_reading(failure: Failure) -> Hits:
    array = failure.groups["what"] == "NumPy array"
    yield failure.hit(say("array-is-read-only") if array else say("buffer-is-read-only"))
