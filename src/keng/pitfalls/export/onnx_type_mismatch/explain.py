"""Error messages: an exported model has types that ONNX, or its runtime, does not take together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("meet-in-a-node")
def meet_in_a_node(failure: Failure) -> Hits:
    one, other, node = (failure.groups[name] for name in ("one", "other", "node"))
    known = say("types-meet-in-node", one=one, other=other, node=node)
    yield failure.hit(known if node else say("types-meet", one=one, other=other))


@explains("not-taken")
def not_taken(failure: Failure) -> Hits:
    op, kind = failure.groups["op"], failure.groups["kind"]
    known = {"bool": say("bool-not-accepted", op=op), "float": say("float-not-accepted", op=op)}
    yield failure.hit(known.get(kind) or say("type-not-accepted", op=op, kind=kind))
