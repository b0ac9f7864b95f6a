"""Error messages: the stages, chunks, schedule or values of a pipeline do not fit together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("too-few-rows")
def too_few_rows(failure: Failure) -> Hits:
    chunks, came = failure.groups["chunks"], failure.groups["came"]
    yield failure.hit(say("chunks-wanted-batch-gives", came=chunks, came_2=came))


@explains("no-such-stage")
def no_such_stage(failure: Failure) -> Hits:
    stage, n = failure.groups["stage"], failure.groups["n"]
    yield failure.hit(say("there-no-stage-they", n=stage, n_2=n))


@explains("no-tensor-between")
def no_tensor_between(failure: Failure) -> Hits:
    place, came = failure.groups["place"], failure.groups["came"]
    yield failure.hit(say("place-what-goes-into", came=place, came_2=came))


@explains("fewer-stages-than-ranks")
def fewer_stages_than_ranks(failure: Failure) -> Hits:
    ranks, stages = failure.groups["ranks"], failure.groups["stages"]
    yield failure.hit(say("processes-stages-stage-each", stages=ranks, stages_2=stages))


@explains("stages-on-each")
def stages_on_each(failure: Failure) -> Hits:
    name, wants, came = (failure.groups[key] for key in ("name", "wants", "came"))
    yield failure.hit(say("wants-stages-on-each", again=name, wants=wants, came=came))
