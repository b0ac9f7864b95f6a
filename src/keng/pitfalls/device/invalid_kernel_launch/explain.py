"""Error messages: a kernel is to be started with more threads, blocks or memory than the card has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("sizes-refused")
def sizes_refused(failure: Failure) -> Hits:
    says = say("kernel-started-sizes-card")
    if "too many resources" in failure.message:
        says = say("kernel-wants-more-registers")
    yield failure.hit(says)


@explains("tile-too-large")
def tile_too_large(failure: Failure) -> Hits:
    what, needs, has = (failure.groups[key] for key in ("what", "needs", "has"))
    yield failure.hit(say("kernel-triton-wants-card", has=needs, what=what, has_2=has))
