"""Error messages: a transform gets arguments of another form than its function has."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-tensors")
def no_tensors(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        say(
            "tensor-or-tuple-tensors",
            kind=groups["what"],
            name=groups["name"],
            kind_2=groups["kind"],
        )
    )


TRANSFORM = re.compile(
    r"\b(?P<name>jacrev|jacfwd|hessian|vjp|jvp|vmap|grad(?:_and_value)?|linearize)\("
)
FUNCTORCH = ("/torch/_functorch/", "/functorch/_src/")


@explains("module-among-the-arguments")
def module_among_the_arguments(failure: Failure) -> Hits:
    inside = any(part in frame.posix for frame in failure.frames for part in FUNCTORCH)
    called = TRANSFORM.search(failure.line)
    if inside and called is not None:
        yield failure.hit(
            say("module-among-arguments", kind=failure.groups["kind"], transform=called["name"])
        )
