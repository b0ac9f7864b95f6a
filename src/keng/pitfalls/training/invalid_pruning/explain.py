"""Error messages: pruning gets an amount, a dimension or a mask that does not fit its weight."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("mask-of-another-shape")
def mask_of_another_shape(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("mask-weight", wants=came, wants_2=wants))


@explains("no-pairs")
def no_pairs(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/utils/prune.py"):
        yield failure.hit(say("global-unstructured-takes-pairs"))


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    dim, shape = failure.groups["dim"], failure.groups["shape"]
    yield failure.hit(say("dimension-pruned-tensor-shape", shape=dim, shape_2=shape))
