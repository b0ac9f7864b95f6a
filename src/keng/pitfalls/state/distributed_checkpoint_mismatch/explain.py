"""Error messages: a distributed checkpoint does not hold what is loaded from it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-size")
def of_another_size(failure: Failure) -> Hits:
    saved, now, name = (failure.groups[key] for key in ("saved", "now", "name"))
    yield failure.hit(say("was-saved-model-same", now=name, saved=saved, now_2=now))
