"""Error messages: the service that joins the cards of a server is not running."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-yet-initialized")
def not_yet_initialized(failure: Failure) -> Hits:
    yield failure.hit(say("switches-between-cards-not"))
