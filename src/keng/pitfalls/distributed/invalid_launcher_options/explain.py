"""Error messages: a launcher is told what the machines or the program contradict."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("more-than-there-are")
def more_than_there_are(failure: Failure) -> Hits:
    yield failure.hit(say("more-cards-asked-than"))


@explains("no-such-file")
def no_such_file(failure: Failure) -> Hits:
    yield failure.hit(say("no-file-seen-from", path=failure.groups["path"]))
