"""Error messages: a collective, or `init_process_group`, is given an argument that it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    name, wants, came = (failure.groups[key] for key in ("name", "wants", "came"))
    kind = "a list of tensors" if wants.startswith("List") else "a tensor"
    yield failure.hit(say("comes-torch-tensor-place", came=name, kind=kind, came_2=came))


@explains("something-else")
def something_else(failure: Failure) -> Hits:
    name, wants = failure.groups["name"], failure.groups["wants"]
    kind = "a list of tensors" if wants.startswith("List") else "a tensor"
    yield failure.hit(say("something-else-comes-torch", kind=name, kind_2=kind))
