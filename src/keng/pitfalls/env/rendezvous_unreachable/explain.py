"""Error messages: the address at which processes are to meet does not work."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("port-is-held")
def port_is_held(failure: Failure) -> Hits:
    advice = say("choose-another-port")
    yield failure.hit(say("port-held", port=failure.groups["port"], advice=advice))


@explains("some-port-is-held")
def some_port_is_held(failure: Failure) -> Hits:
    if "server socket has failed" not in failure.message:
        yield failure.hit(say("some-port-held", advice=say("choose-another-port")))
