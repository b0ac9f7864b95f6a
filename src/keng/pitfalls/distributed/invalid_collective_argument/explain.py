"""Error messages: a collective, or `init_process_group`, is given an argument that it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    name, wants, came = (failure.groups[key] for key in ("name", "wants", "came"))
    listed = say("not-a-list-of-tensors", name=name, came=came)
    single = say("not-a-tensor", name=name, came=came)
    yield failure.hit(listed if wants.startswith("List") else single)


@explains("something-else")
def something_else(failure: Failure) -> Hits:
    name, wants = failure.groups["name"], failure.groups["wants"]
    listed = say("no-list-of-tensors", name=name)
    yield failure.hit(listed if wants.startswith("List") else say("no-tensor", name=name))
