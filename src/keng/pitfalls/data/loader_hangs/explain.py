"""Error messages: the DataLoader waits for a worker that gives nothing."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("interrupted-while-waiting")
def interrupted_while_waiting(failure: Failure) -> Hits:
    # Whoever stops a run that goes well meets it there too, if loading is the slow part.
    yield failure.hit(say("interrupted-waiting"), sure=False)
