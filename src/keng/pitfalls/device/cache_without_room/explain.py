"""Error messages: a server of language models finds no room for keys and values."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("beside-the-weights")
def beside_the_weights(failure: Failure) -> Hits:
    wants, room = failure.groups.get("wants"), failure.groups.get("room")
    small = say("kv-cache-too-small", wants=wants, room=room)
    yield failure.hit(small if wants and room else say("no-memory-for-kv-cache"))


@explains("taken-by-others")
def taken_by_others(failure: Failure) -> Hits:
    free, total, part = (failure.groups[key] for key in ("free", "total", "part"))
    yield failure.hit(say("memory-held-by-others", free=free, total=total, part=part))
