"""Error messages: a scripted model is saved or copied by pickle."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("goes-through-pickle")
def goes_through_pickle(failure: Failure) -> Hits:
    name = (failure.groups.get("name") or "").rpartition(".")[2]
    unnamed = say("scripted-module-pickled")
    yield failure.hit(say("scripted-model-pickled", name=name) if name else unnamed)
