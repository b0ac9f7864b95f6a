"""Error messages: what a pipeline's stages hand on, or are asked for, is not what they can pass."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-tensor-between")
def no_tensor_between(failure: Failure) -> Hits:
    place, came = failure.groups["place"], failure.groups["came"]
    yield failure.hit(
        f"place {place} of what goes into or out of a stage is {came}: tensors alone go by place, all else by keyword to schedule.step"
    )


@explains("output-of-another-kind")
def output_of_another_kind(failure: Failure) -> Hits:
    yield failure.hit(
        f"a stage hands on a {failure.groups['came']}: its forward gives a tensor, or a tuple of tensors"
    )


@explains("fewer-stages-than-ranks")
def fewer_stages_than_ranks(failure: Failure) -> Hits:
    ranks, stages = failure.groups["ranks"], failure.groups["stages"]
    yield failure.hit(
        f"{ranks} processes for {stages} stages: a stage for each, or a smaller group=, as mesh.get_group('pp')"
    )


@explains("stages-on-each")
def stages_on_each(failure: Failure) -> Hits:
    name, wants, came = (failure.groups[key] for key in ("name", "wants", "came"))
    yield failure.hit(
        f"`{name}` wants {wants} stages on each process and gets {came}: cut the model into {wants} times as many parts as processes"
    )


@explains("too-few-chunks")
def too_few_chunks(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(f"{came} chunks do not fill {wants} stages: n_microbatches={wants} or more")
