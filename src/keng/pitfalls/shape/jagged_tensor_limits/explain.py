"""Error messages: a nested tensor of the layout `torch.jagged` is asked for what its irregular dimension does not allow."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("another-shape")
def another_shape(failure: Failure) -> Hits:
    what, was = failure.groups["what"], failure.groups["was"]
    yield failure.hit(
        f"{what} keeps the batch and the irregular size j of {was} where they are: x.values(), or x.to_padded_tensor(0.0)"
    )


@explains("do-not-fit")
def do_not_fit(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(
        f"{one} and {other} do not fit: the same j, of one offsets(), in the same place, or a dense matrix behind it"
    )


@explains("operation-missing")
def operation_missing(failure: Failure) -> Hits:
    if failure.passed_through("torch/nested/_internal/nested_tensor.py"):
        yield failure.hit(
            f"{failure.groups['op']} is not made for the jagged layout: on x.values(), in a loop over x.unbind(), or padded"
        )


@explains("lengths-of-others")
def lengths_of_others(failure: Failure) -> Hits:
    parts, lengths = failure.groups["parts"], failure.groups["lengths"]
    yield failure.hit(f"there are {parts} parts and {lengths} lengths")


@explains("attention-to-dense-ones")
def attention_to_dense_ones(failure: Failure) -> Hits:
    dense = [name for name in ("query", "key", "value") if failure.groups[name] == "False"]
    yield failure.hit(f"attention takes three nested tensors, and dense is {' and '.join(dense)}")
