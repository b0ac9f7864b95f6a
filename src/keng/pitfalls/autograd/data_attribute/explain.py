"""Error messages: a tensor is changed behind autograd's back, through `.data`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("pruned-behind-the-graph")
def pruned_behind_the_graph(failure: Failure) -> Hits:
    name, came, wants = (failure.groups[key] for key in ("name", "came", "wants"))
    yield failure.hit(say("what-went-into-was", came=name, wants=wants, came_2=came))
