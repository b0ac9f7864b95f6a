"""Error messages: a trainer cannot tell which tokens of a text are to be learned."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("border-is-off")
def border_is_off(failure: Failure) -> Hits:
    yield failure.hit(say("prompt-together-begin-other", answer=failure.groups["answer"]))
