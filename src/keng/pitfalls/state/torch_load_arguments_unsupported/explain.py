"""Error messages: a file wants more of `torch.load` than plain loading does."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("reaches-the-system")
def reaches_the_system(failure: Failure) -> Hits:
    yield failure.hit(say("file-would-call-read", name=failure.groups["name"]))


@explains("not-allowed-itself")
def not_allowed_itself(failure: Failure) -> Hits:
    yield failure.hit(say("file-makes-not-among", name=failure.groups["name"]))


@explains("not-imported")
def not_imported(failure: Failure) -> Hits:
    module = failure.groups["module"]
    yield failure.hit(say("file-holds-tensors-makes", module=module))
