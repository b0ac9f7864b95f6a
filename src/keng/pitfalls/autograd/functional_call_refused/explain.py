"""Error messages: `functional_call` gets other parameters than the module has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("other-names")
def other_names(failure: Failure) -> Hits:
    over, lacks = failure.groups.get("over"), failure.groups.get("lacks")
    apart = [f"has no {over}"] if over else []
    apart += [f"wants {lacks} too"] if lacks else []
    yield failure.hit(
        f"a {failure.groups['module']} {' and '.join(apart)}: dict(model.named_parameters()) and named_buffers(), or strict=False"
    )


@explains("one-weight-two-values")
def one_weight_two_values(failure: Failure) -> Hits:
    yield failure.hit(
        f"one shared weight has the names {failure.groups['names']} and gets several values: give one of them, or tie_weights=False"
    )


@explains("in-two-dicts")
def in_two_dicts(failure: Failure) -> Hits:
    yield failure.hit(f"more than one of the dicts has {failure.groups['names']}: each name in one")


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/utils/stateless.py"):
        yield failure.hit(
            f"what stands under a name is a tensor, and here it is {failure.groups['came']}"
        )
