"""Error messages: an extension in C++ or CUDA uses what PyTorch no longer has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.removed_cxx_symbols import HEADERS, TOLD


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    name = failure.groups["name"]
    says = say("missing-unknown-name", name=name)
    if name in HEADERS:
        says = say("missing-header", name=name, new=HEADERS[name].removeprefix("= "))
    elif name in TOLD and TOLD[name].new:
        says = say("missing-name", name=name, new=TOLD[name].new)
    elif name in TOLD:
        says = say("missing-state", name=name)
    yield failure.hit(says)
