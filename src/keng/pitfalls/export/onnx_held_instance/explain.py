"""Error messages: the TorchScript exporter is given an object that is not what it seems."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("held-elsewhere")
def held_elsewhere(failure: Failure) -> Hits:
    says = say("something-else-holds-object")
    yield failure.hit(says)
