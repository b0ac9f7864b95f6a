"""Error messages: weights that share memory are saved to a format that keeps each tensor by itself."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("one-tensor-twice")
def one_tensor_twice(failure: Failure) -> Hits:
    names = failure.groups["names"].replace("'", "")
    yield failure.hit(say("one-tensor-safetensors-does", names=names))


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    name, kind = failure.groups["name"], failure.groups["kind"]
    value = say("value-among-tensors", name=name, kind=kind)
    named = say("dict-among-tensors", name=name, kind=kind)
    yield failure.hit(named if kind.endswith("dict") else value)
