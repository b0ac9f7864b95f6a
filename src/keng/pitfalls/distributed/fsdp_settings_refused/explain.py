"""Error messages: an option of FullyShardedDataParallel does not go with another, or with the model."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("replaced-by-another-shape")
def replaced_by_another_shape(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(
        f"a {what} of {wants} was replaced by one of {came} after wrapping: resize the model, as its embeddings, before FSDP"
    )


@explains("ignored-is-no-list")
def ignored_is_no_list(failure: Failure) -> Hits:
    yield failure.hit(
        "ignored_modules takes a list of modules: [model.embed], and no name and no single Linear"
    )


@explains("ranks-go-other-ways")
def ranks_go_other_ways(failure: Failure) -> Hits:
    one, other, a, b = (failure.groups[key] for key in ("one", "other", "a", "b"))
    yield failure.hit(
        f"rank {one} gathers {a} and rank {other} {b}: the ranks run the layers in another order, as by a branch on their data"
    )
