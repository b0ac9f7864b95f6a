"""Error messages: a DataLoader's worker starts processes of its own."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("child-of-a-daemon")
def child_of_a_daemon(failure: Failure) -> Hits:
    yield failure.hit(say("worker-or-process-pool"))
