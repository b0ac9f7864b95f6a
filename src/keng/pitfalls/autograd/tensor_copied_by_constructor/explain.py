"""Error messages: a tensor is copied by `torch.tensor`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("made-of-another")
def made_of_another(failure: Failure) -> Hits:
    wants, came, device = (failure.groups[name] for name in ("wants", "came", "device"))
    yield failure.hit(say("what-given-tensor-already", wants=came, device=device, wants_2=wants))
