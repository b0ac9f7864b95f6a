"""Error messages: a nested tensor of the layout `torch.jagged` is asked for what its irregular dimension does not allow."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("operation-missing")
def operation_missing(failure: Failure) -> Hits:
    if failure.passed_through("torch/nested/_internal/nested_tensor.py"):
        yield failure.hit(say("not-made-jagged-layout", op=failure.groups["op"]))


@explains("attention-to-dense-ones")
def attention_to_dense_ones(failure: Failure) -> Hits:
    dense = [name for name in ("query", "key", "value") if failure.groups[name] == "False"]
    yield failure.hit(say("attention-to-dense", names=", ".join(dense)))
