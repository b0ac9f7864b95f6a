"""Error messages: the ranks call different collectives, or not the same number of them."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("more-came-than-fits")
def more_came_than_fits(failure: Failure) -> Hits:
    came, room = failure.groups["came"], failure.groups["room"]
    yield failure.hit(say("another-rank-sent-bytes", room=came, room_2=room))


@explains("told-by-detail")
def told_by_detail(failure: Failure) -> Hits:
    told = re.findall(r"Rank (\d+) is running .{0,120}?OpType=(\w+)", failure.message)
    shapes = re.findall(r"TensorShape=(\[[\d, ]{0,60}\])", failure.message)
    calls = " and ".join(f"rank {rank} is in {op}" for rank, op in told[:2])
    if len({op for _, op in told}) == 1 and len(set(shapes[:2])) == 2:
        calls += f", with {shapes[0]} and {shapes[1]}"
    yield failure.hit(say("every-rank-makes-same", calls=calls or "the ranks part"))


@explains("other-length")
def other_length(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(say("another-rank-sent-bytes-2", wants=came, wants_2=wants))


@explains("other-parameters-under-zero")
def other_parameters_under_zero(failure: Failure) -> Hits:
    yield failure.hit(say("rank-goes-through-other", rank=failure.groups["rank"]))
