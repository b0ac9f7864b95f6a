"""Error messages: a nested tensor of the layout `torch.jagged` is asked for what its irregular dimension does not allow."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("another-shape")
def another_shape(failure: Failure) -> Hits:
    what, was = failure.groups["what"], failure.groups["was"]
    yield failure.hit(say("keeps-batch-irregular-size", was=what, was_2=was))


@explains("do-not-fit")
def do_not_fit(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(say("do-not-fit-same", other=one, other_2=other))


@explains("operation-missing")
def operation_missing(failure: Failure) -> Hits:
    if failure.passed_through("torch/nested/_internal/nested_tensor.py"):
        yield failure.hit(say("not-made-jagged-layout", op=failure.groups["op"]))


@explains("lengths-of-others")
def lengths_of_others(failure: Failure) -> Hits:
    parts, lengths = failure.groups["parts"], failure.groups["lengths"]
    yield failure.hit(say("there-parts-lengths", lengths=parts, lengths_2=lengths))


@explains("attention-to-dense-ones")
def attention_to_dense_ones(failure: Failure) -> Hits:
    dense = [name for name in ("query", "key", "value") if failure.groups[name] == "False"]
    yield failure.hit(say("attention-takes-three-nested", names=" and ".join(dense)))
