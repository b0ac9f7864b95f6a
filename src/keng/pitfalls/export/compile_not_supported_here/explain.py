"""Error messages: `torch.compile` does not work with this Python or system."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-here")
def not_here(failure: Failure) -> Hits:
    where = failure.groups["where"]
    cure = "a newer PyTorch, an older Python" if where.startswith("Python") else "a newer PyTorch"
    yield failure.hit(
        f"this PyTorch does not compile under {where}: {cure}, or without torch.compile"
    )


@explains("not-on-this-device")
def not_on_this_device(failure: Failure) -> Hits:
    yield failure.hit(
        f"inductor of this PyTorch makes no code for {failure.groups['device']}: a newer PyTorch, or backend='aot_eager'"
    )
