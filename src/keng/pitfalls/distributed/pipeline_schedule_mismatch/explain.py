"""Error messages: a pipeline's stages, chunks or schedule do not fit together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("too-few-rows")
def too_few_rows(failure: Failure) -> Hits:
    chunks, came = failure.groups["chunks"], failure.groups["came"]
    yield failure.hit(say("chunks-wanted-batch-gives", came=chunks, came_2=came))


@explains("too-few-chunks")
def too_few_chunks(failure: Failure) -> Hits:
    chunks, stages = failure.groups["chunks"], failure.groups["stages"]
    yield failure.hit(say("chunks-do-not-fill", n=chunks, stages=stages))


@explains("no-such-stage")
def no_such_stage(failure: Failure) -> Hits:
    stage, n = failure.groups["stage"], failure.groups["n"]
    yield failure.hit(say("there-no-stage-they", n=stage, n_2=n))


@explains("no-such-schedule")
def no_such_schedule(failure: Failure) -> Hits:
    yield failure.hit(say("schedules-named-classes-without"))
