"""Error messages: `PYTORCH_CUDA_ALLOC_CONF` holds what this PyTorch does not know."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("unknown")
def unknown(failure: Failure) -> Hits:
    name = failure.groups["name"].strip()
    cure = (
        "a PyTorch from 2.1 on, or take it out"
        if name == "expandable_segments"
        else "see how it is spelt, or take it out"
    )
    yield failure.hit(
        f"PYTORCH_CUDA_ALLOC_CONF has `{name}`, which this PyTorch does not know: {cure}"
    )


@explains("not-here")
def not_here(failure: Failure) -> Hits:
    yield failure.hit(say("expandable-segments-does-nothing"))
