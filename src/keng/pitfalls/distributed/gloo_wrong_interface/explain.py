"""Error messages: the processes of gloo meet on network interfaces that do not reach each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-reached")
def not_reached(failure: Failure) -> Hits:
    yield failure.hit(say("gloo-has-taken-network"))


@explains("without-a-name")
def without_a_name(failure: Failure) -> Hits:
    yield failure.hit(say("gloo-finds-no-address"))
