"""Error messages: the DataLoader waits for a worker that gives nothing."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

CAUSES = "a lock held when it was forked (cv2.setNumThreads(0)), slow storage, or an endless sample"


@explains("no-batch-in-time")
def no_batch_in_time(failure: Failure) -> Hits:
    seconds = failure.groups["seconds"]
    yield failure.hit(say("no-worker-gave-batch", causes=seconds, CAUSES=CAUSES))


@explains("interrupted-while-waiting")
def interrupted_while_waiting(failure: Failure) -> Hits:
    # Whoever stops a run that goes well meets it there too, if loading is the slow part.
    says = "it was stopped while it waited for a batch; if none came"
    yield failure.hit(f"{says}: {CAUSES}", sure=False)
