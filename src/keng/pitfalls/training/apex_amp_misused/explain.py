"""Error messages: the mixed precision of Apex is used without or after its set-up."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-initialized")
def not_initialized(failure: Failure) -> Hits:
    yield failure.hit(
        "amp.scale_loss comes before amp.initialize: set the model and optimizer up by it first, or take torch.autocast"
    )


@explains("wrapped-before")
def wrapped_before(failure: Failure) -> Hits:
    yield failure.hit(
        f"the model is wrapped in {failure.groups['kind']} before amp.initialize: wrap it after"
    )
