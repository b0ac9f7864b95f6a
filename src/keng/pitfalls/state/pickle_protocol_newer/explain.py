"""Error messages: a checkpoint is written in a pickle protocol that plain loading does not read."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("read-by-the-plain-reader")
def read_by_the_plain_reader(failure: Failure) -> Hits:
    protocol = failure.groups.get("protocol")
    known = say("file-whole-written-pickle", protocol=protocol)
    yield failure.hit(known if protocol else say("written-by-newer-protocol"))
