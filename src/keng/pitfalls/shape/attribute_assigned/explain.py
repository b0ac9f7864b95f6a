"""Error messages: a property of a tensor is set, which can only be read."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

INSTEAD = {
    "shape": "x = x.reshape(...)",
    "dtype": "x = x.to(dtype)",
    "device": "x = x.to(device)",
    "is_leaf": "x = x.detach()",
    "grad_fn": "x = x.detach()",
}


@explains("only-read")
def only_read(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if name in INSTEAD:
        yield failure.hit(say("property-read-only", name=name, instead=INSTEAD[name]))
    else:
        yield failure.hit(say("another-property-read-only", name=name))
