"""Error messages: an optimizer that is spread over the ranks is used like one that is whole."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("state-not-brought-together")
def state_not_brought_together(failure: Failure) -> Hits:
    rank = failure.groups["rank"]
    yield failure.hit(
        f"each rank holds a part of the optimizer's state: consolidate_state_dict(to={rank}) on all ranks first, then state_dict() on rank "
        f"{rank} alone"
    )


@explains("does-not-overlap")
def does_not_overlap(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` does not step inside of the backward pass: without overlap_with_ddp, or Adam, AdamW, SGD"
    )


@explains("far-fewer-inputs")
def far_fewer_inputs(failure: Failure) -> Hits:
    n, rank = failure.groups["n"], failure.groups["rank"]
    yield failure.hit(
        f"rank {rank} has {n} batches fewer than others, and only answers them from then on: share the data out evenly, as DistributedSampler does"
    )
