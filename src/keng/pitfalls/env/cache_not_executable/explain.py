"""Error messages: a folder for compiled code is mounted without the right to execute."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("may-not-be-executed")
def may_not_be_executed(failure: Failure) -> Hits:
    yield failure.hit(say("lies-on-file-system", file=failure.groups["file"]))
