"""Error messages: a file of `torch.save` is read by `pickle`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("reference-to-a-tensor")
def reference_to_a_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/serialization.py"):
        yield failure.hit(say("torch-load-finds-pickle"))
        return
    yield failure.hit(say("file-was-written-torch"))
