"""Error messages: the bags of an embedding, or the table that it looks up, do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("offsets-of-more-dimensions")
def offsets_of_more_dimensions(failure: Failure) -> Hits:
    yield failure.hit(say("offsets-vector-where-each"))
