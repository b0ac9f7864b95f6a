"""Error messages: a pipeline's stages, chunks or schedule do not fit together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("too-few-rows")
def too_few_rows(failure: Failure) -> Hits:
    chunks, came = failure.groups["chunks"], failure.groups["came"]
    yield failure.hit(
        f"{chunks} chunks are wanted, and the batch gives {came}: a batch of as many rows, or fewer n_microbatches"
    )


@explains("too-few-chunks")
def too_few_chunks(failure: Failure) -> Hits:
    chunks, stages = failure.groups["chunks"], failure.groups["stages"]
    yield failure.hit(
        f"{chunks} chunks do not fill {stages} stages: n_microbatches={stages} or more"
    )


@explains("no-such-stage")
def no_such_stage(failure: Failure) -> Hits:
    stage, n = failure.groups["stage"], failure.groups["n"]
    yield failure.hit(f"there is no stage {stage} of {n}: they are numbered from 0")


@explains("no-such-schedule")
def no_such_schedule(failure: Failure) -> Hits:
    yield failure.hit(
        "schedules are named as classes without Schedule: 1F1B, GPipe, Interleaved1F1B"
    )
