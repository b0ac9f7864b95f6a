"""Error messages: a trainer leaves out a part of the run, and says so in a warning alone."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("written-seldom")
def written_seldom(failure: Failure) -> Hits:
    batches, every = failure.groups["batches"], failure.groups["every"]
    yield failure.hit(say("epoch-has-batches-values", every=batches, every_2=every))
