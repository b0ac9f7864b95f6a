"""Error messages: `torch.compile` does not work with this Python or system."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-here")
def not_here(failure: Failure) -> Hits:
    where = failure.groups["where"]
    cure = "a newer PyTorch, an older Python" if where.startswith("Python") else "a newer PyTorch"
    yield failure.hit(say("pytorch-does-not-compile", cure=where, cure_2=cure))


@explains("not-on-this-device")
def not_on_this_device(failure: Failure) -> Hits:
    yield failure.hit(say("inductor-pytorch-makes-no", device=failure.groups["device"]))
