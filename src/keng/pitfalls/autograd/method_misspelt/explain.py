"""Error messages: a method of a module is misspelt, or takes no `self`."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains
from keng.tables.torch_names import MODULES

NO_SELF = re.compile(r"\bdef forward\((?!self\b)")


MISSPELT = re.compile(
    r"class \w+\((?:torch\.)?(?:nn\.)?Module\):(?:(?!\bclass )[^\0]){0,300}?"
    r"def (?P<name>_init_|__init_|_init__|__int__|__inti__|init|__init|init__|__ini__)\("
)


CALLS = "torch/nn/modules/module.py"


@explains("without-self")
def without_self(failure: Failure) -> Hits:
    owner = failure.groups["owner"]
    if owner in MODULES:
        return
    if _raised_by_nn_module(failure) or not failure.frames:
        text = failure.code.text if failure.code is not None else failure.surrounding
        shown = NO_SELF.search(text) is not None
        yield failure.hit(_lacks_self(owner, shown), sure=shown or bool(failure.frames))


@explains("left-to-the-parent")
def left_to_the_parent(failure: Failure) -> Hits:
    owner = failure.groups["owner"]
    if owner not in MODULES and _raised_by_nn_module(failure):
        named = say("arguments-come-constructor-nn", owner=owner)
        yield failure.hit(named if owner else say("arguments-reach-module"))
    elif found := MISSPELT.search(failure.line or failure.surrounding):
        yield failure.hit(say("not-constructor-two-underscores", name=found["name"]))


def _raised_by_nn_module(failure: Failure) -> bool:
    """Whether nn.Module called or made what raised, which has no frame of its own."""
    return failure.raised_in.endswith(CALLS)


def _lacks_self(owner: str | None, shown: bool) -> Message:
    if shown:
        return (
            say("forward-without-self", owner=owner) if owner else say("this-forward-without-self")
        )
    return say("forward-takes-one", owner=owner) if owner else say("this-forward-takes-one")
