"""Error messages: a kernel is to be started with more threads, blocks or memory than the card has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("sizes-refused")
def sizes_refused(failure: Failure) -> Hits:
    registers = "too many resources" in failure.message
    yield failure.hit(say("too-many-registers") if registers else say("sizes-rejected"))


@explains("tile-too-large")
def tile_too_large(failure: Failure) -> Hits:
    what, needs, has = (failure.groups[key] for key in ("what", "needs", "has"))
    yield failure.hit(say("triton-tile-too-large", what=what, needs=needs, has=has))
