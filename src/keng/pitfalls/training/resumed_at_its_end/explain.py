"""Error messages: a run is resumed that has made all its epochs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("resumed-past-the-end")
def resumed_past_the_end(failure: Failure) -> Hits:
    stands, ends = failure.groups["stands"], failure.groups["ends"]
    yield failure.hit(
        f"the checkpoint stands at epoch {stands}, and the run ends at {ends}: a larger max_epochs counts those that are done"
    )


@explains("nothing-left")
def nothing_left(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file is of a run that has made its {failure.groups['ends']} epochs: train from it without resume=True"
    )
