"""Error messages: what `torch.onnx.export` is given does not fit the model."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("too-many-names")
def too_many_names(failure: Failure) -> Hits:
    what, given, there = (failure.groups[name] for name in ("what", "given", "there"))
    yield failure.hit(say("names-holds-names-model", there=what, given=given, there_2=there))
