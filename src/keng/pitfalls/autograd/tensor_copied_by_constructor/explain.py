"""Error messages: a tensor is copied by `torch.tensor`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("warned")
def warned(failure: Failure) -> Hits:
    yield failure.hit(
        "what torch.tensor is given is a tensor already: x.detach().clone() copies it"
    )


@explains("made-of-another")
def made_of_another(failure: Failure) -> Hits:
    wants, came, device = (failure.groups[name] for name in ("wants", "came", "device"))
    yield failure.hit(
        f"what is given is a tensor already, of {came} on {device}, and none of {wants} is made of it: x.float(), x.long(), x.to(...)"
    )
