"""Error messages: the parameters or layers of a model are used as a list."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains
from keng.tables.torch_names import MODULES

ASKED = re.compile(r"\.(?P<name>(?:named_)?(?:parameters|children|modules|buffers))\(")


OF_A_PARAMETER = re.compile(
    r"'generator' object has no attribute '(?:grad|requires_grad_?|numel|norm|cuda)'"
)


MODEL_LIKE = re.compile(r"(?:Net|CNN|VGG|DataParallel)$")


NUMBERED = {"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"}


@explains("one-after-the-other")
def one_after_the_other(failure: Failure) -> Hits:
    if asked := ASKED.search(failure.line or failure.surrounding):
        yield failure.hit(say("gives-one-after-other", name=asked["name"]))
    elif OF_A_PARAMETER.search(failure.message):
        yield failure.hit(
            say("generator-parameters-gives-no"),
            sure=False,
        )


@explains("no-places")
def no_places(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    ours = kind in MODULES - NUMBERED or MODEL_LIKE.search(kind)
    if ours and not failure.passed_through("optimizer.py", "clip_grad.py"):
        yield failure.hit(_no_list(kind, "iterable" in failure.message))


@explains("nothing-to-append-to")
def nothing_to_append_to(failure: Failure) -> Hits:
    kind, asked = failure.groups["kind"], failure.groups["asked"]
    ours = kind in MODULES - NUMBERED or failure.raised_in.endswith("torch/nn/modules/module.py")
    if ours and kind not in NUMBERED:
        yield failure.hit(say("list-s-one-module", kind=kind, method=asked))


def _no_list(kind: str, iterated: bool) -> Message:
    if kind.endswith("Parallel"):
        return (
            say("wrapper-is-iterated", kind=kind)
            if iterated
            else say("wrapper-has-names", kind=kind)
        )
    return say("module-is-iterated", kind=kind) if iterated else say("module-has-names", kind=kind)
