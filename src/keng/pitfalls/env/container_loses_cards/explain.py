"""Error messages: a container that runs loses its cards."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("taken-by-systemd")
def taken_by_systemd(failure: Failure) -> Hits:
    yield failure.hit(say("container-has-lost-cards"))
