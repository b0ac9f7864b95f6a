"""Error messages: `PYTORCH_CUDA_ALLOC_CONF` has an option that this PyTorch does not support."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("unknown")
def unknown(failure: Failure) -> Hits:
    name = failure.groups["name"].strip()
    later = name == "expandable_segments"
    other = say("option-unknown", name=name)
    yield failure.hit(say("segments-came-later", name=name) if later else other)
