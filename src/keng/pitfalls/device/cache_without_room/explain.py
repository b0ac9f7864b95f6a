"""Error messages: a server of language models finds no room for keys and values."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("beside-the-weights")
def beside_the_weights(failure: Failure) -> Hits:
    wants, room = failure.groups.get("wants"), failure.groups.get("room")
    says = "the weights leave no memory for keys and values"
    if wants and room:
        says = f"keys and values of {wants} tokens are wanted, and there is room for {room}"
    yield failure.hit(say("lower-max-model-len", says=says))


@explains("taken-by-others")
def taken_by_others(failure: Failure) -> Hits:
    free, total, part = (failure.groups[key] for key in ("free", "total", "part"))
    yield failure.hit(say("gib-free-share-asked", part=free, total=total, part_2=part))


@explains("freed-meanwhile")
def freed_meanwhile(failure: Failure) -> Hits:
    yield failure.hit(say("another-process-gave-memory"))
