"""Error messages: under FSDP a forward and its backward do not come in pairs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("out-of-step")
def out_of_step(failure: Failure) -> Hits:
    yield failure.hit(
        "FSDP counts one forward of the outermost model for one backward: no second forward before it, no part called past the model, "
        "no output that the loss leaves out, checkpoint(use_reentrant=False)"
    )
