"""Error messages: a module is called and has no forward."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

CALLS = "torch/nn/modules/module.py"


LAYERS = re.compile(
    r"self\.(?:\w+_)?(?:layers?|blocks?|convs?|linears|fcs?|lstms?|heads|encoders|decoders|stages)\d?"
)


@explains("without-forward")
def without_forward(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if kind in ("ModuleList", "ModuleDict"):
        yield failure.hit(say("cannot-called-call-members", kind=kind))
    else:
        yield failure.hit(say("defines-no-forward-misspelt", kind=kind))


@explains("layer-that-is-none")
def layer_that_is_none(failure: Failure) -> Hits:
    called = set(re.findall(r"\b(self\.\w+)(?=\()", failure.line or failure.surrounding))
    listed = called and LAYERS.fullmatch(min(called)) and failure.groups["kind"] == "list"
    inside = failure.in_forward or "def forward(self" in failure.surrounding or listed
    if len(called) == 1 and inside:
        yield failure.hit(_uncallable(called.pop(), failure.groups["kind"]))
    elif failure.frames and failure.frames[-1].path.endswith("container.py"):
        yield failure.hit(say("there-no-layer-at"))


@explains("without-forward-in-old-versions")
def without_forward_in_old_versions(failure: Failure) -> Hits:
    last = failure.frames[-1] if failure.frames else None
    if last is not None and last.posix.endswith(CALLS) and "raise" in last.text:
        yield failure.hit(say("class-called-defines-no"))


def _uncallable(layer: str, kind: str) -> Message:
    if kind == "list":
        return say("layer-is-list", layer=layer)
    return (
        say("layer-is-tuple", layer=layer) if kind == "tuple" else say("layer-is-none", layer=layer)
    )
