"""Error messages: a module or function of PyTorch is called with more or fewer arguments than it takes."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.torch_names import MODULES

CALLS, HANDS_ON = "torch/nn/modules/module.py", "torch/nn/modules/container.py"


LAYERS = MODULES | {"_MaxPoolNd", "_AvgPoolNd", "_BatchNorm", "_AdaptiveAvgPoolNd"}


DECORATOR = re.compile(r"@(?:\w+\.)*(?:no_grad|enable_grad|inference_mode)\b(?!\()")


MADE = re.compile(
    r"\b(?:(?:torch|nn|optim|lr_scheduler)\.(?:\w+\.){0,4}|(?=\w+LR\())(?P<name>[A-Z]\w*|autocast)\("
)


@explains("too-many")
def too_many(failure: Failure) -> Hits:
    owner = failure.groups["owner"]
    takes, given = (int(failure.groups[name]) - 1 for name in ("takes", "given"))
    if owner == "Sequential":
        yield failure.hit(say("sequential-takes-one", given=given))
    elif owner in LAYERS:
        yield failure.hit(say("call-takes-fewer", owner=owner, takes=takes, given=given))


@explains("too-few")
def too_few(failure: Failure) -> Hits:
    owner, names = failure.groups["owner"], failure.groups["names"]
    frames = [frame.posix for frame in failure.frames if not frame.posix.endswith(CALLS)]
    if frames and frames[-1].endswith(HANDS_ON):
        known = say("sequential-passes-one-to", owner=owner, names=names)
        yield failure.hit(known if owner else say("sequential-passes-one", names=names))
    elif owner in LAYERS:
        yield failure.hit(say("call-takes-more", owner=owner, names=names))


@explains("made-of-too-little")
def made_of_too_little(failure: Failure) -> Hits:
    owner, names = failure.groups["owner"], failure.groups["names"]
    made = [found["name"] for found in MADE.finditer(failure.line or failure.surrounding)]
    name = owner if owner in made else made[0] if len(made) == 1 else ""
    if name and (owner or name) in {name, *LAYERS}:
        yield failure.hit(say("constructor-takes-more", owner=name, names=names))


@explains("decorated-without-a-call")
def decorated_without_a_call(failure: Failure) -> Hits:
    if found := DECORATOR.search(failure.line or failure.surrounding):
        yield failure.hit(say("decorator-without-call", name=found[0]))


@explains("step-of-nothing")
def step_of_nothing(failure: Failure) -> Hits:
    if failure.groups["name"] == "metrics":
        yield failure.hit(say("plateau-needs-loss"))
    else:
        yield failure.hit(say("lbfgs-needs-closure"))


@explains("function-of-too-little")
def function_of_too_little(failure: Failure) -> Hits:
    function, names = failure.groups["function"], failure.groups["names"].replace('", "', ", ")
    if function == "where":
        yield failure.hit(say("where-takes-more", names=names))
    elif "keyword-only" in failure.message:
        yield failure.hit(say("function-of-newer-torch", function=function, names=names))
    else:
        yield failure.hit(say("function-takes-more", function=function, names=names))
