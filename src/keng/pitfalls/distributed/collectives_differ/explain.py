"""Error messages: the ranks call different collectives, or not the same number of them."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("more-came-than-fits")
def more_came_than_fits(failure: Failure) -> Hits:
    came, room = failure.groups["came"], failure.groups["room"]
    yield failure.hit(
        f"another rank sent {came} bytes where this one has room for {room}: their tensors differ in shape (a smaller last "
        "batch: pad, or drop_last=True), or they are in different calls"
    )


@explains("told-by-detail")
def told_by_detail(failure: Failure) -> Hits:
    told = re.findall(r"Rank (\d+) is running .{0,120}?OpType=(\w+)", failure.message)
    shapes = re.findall(r"TensorShape=(\[[\d, ]{0,60}\])", failure.message)
    calls = " and ".join(f"rank {rank} is in {op}" for rank, op in told[:2])
    if len({op for _, op in told}) == 1 and len(set(shapes[:2])) == 2:
        calls += f", with {shapes[0]} and {shapes[1]}"
    yield failure.hit(
        f"{calls or 'the ranks part'}: every rank makes the same calls in the same order"
    )


@explains("other-length")
def other_length(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(
        f"another rank sent {came} bytes where {wants} were awaited: the ranks are in different calls, or run another NCCL"
    )


@explains("other-parameters-under-zero")
def other_parameters_under_zero(failure: Failure) -> Hits:
    yield failure.hit(
        f"rank {failure.groups['rank']} goes through other parameters than rank 0, which ZeRO gathers together: the model's way "
        "must not depend on the data"
    )
