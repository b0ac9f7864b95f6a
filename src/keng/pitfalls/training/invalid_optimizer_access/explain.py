"""Error messages: an optimizer is asked for what its groups hold, for a group that it does not have, or for a state that it has not made."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OPTIONS = {"learning_rate": "lr", "get_lr": "lr", "beta": "betas"}

HELD = {
    "dict": 'a dict that holds the {what}, as Lightning takes one: ask its entry, ["{what}"]',
    "list": "a list of several: ask each by itself",
    "tuple": "a tuple: ask its part, or take the comma at the end away",
    "str": "its name alone: make it of that, as torch.optim.SGD(...) is made",
}
OTHERS = {
    "zero_grad": "an optimizer's: optimizer.zero_grad()",
    "param_groups": "an optimizer's: optimizer.param_groups",
    "backward": "the loss's: loss.backward()",
    "parameters": "the model's: model.parameters()",
    "train": "the model's: model.train()",
    "eval": "the model's: model.eval()",
}
"""What is asked of an optimizer or a scheduler by mistake, and whose it is."""
ACCELERATED = (
    "accelerate before 0.34.2 asks each optimizer for a train() that few have, once transformers 4.45 and "
    "later call it: pip install -U accelerate; in code of one's own it is model.train()"
)


@explains("asked-of-the-optimizer")
def asked_of_the_optimizer(failure: Failure) -> Hits:
    name = OPTIONS.get(failure.groups["name"], failure.groups["name"])
    says = say("groups-optimizer-hold-options", name=name)
    yield failure.hit(says)


@explains("of-another-object")
def of_another_object(failure: Failure) -> Hits:
    yield failure.hit(_asked_of_another(failure, failure.groups["kind"], failure.groups["name"]))


@explains("no-such-group")
def no_such_group(failure: Failure) -> Hits:
    if found := re.search(r"\.param_groups\[(\d+)\]", failure.line or failure.surrounding):
        yield failure.hit(say("optimizer-has-no-group", n=found[1]))


@explains("called")
def called(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    instead = {"DataLoader": "for batch in loader", "GradScaler": "scaler.scale(loss)"}
    method = "scheduler.step()" if kind.endswith("LR") else "optimizer.step()"
    yield failure.hit(say("what-called-no-function", call=kind, kind=instead.get(kind, method)))


@explains("groups-for-a-group")
def groups_for_a_group(failure: Failure) -> Hits:
    if found := re.search(r"\.param_groups\[[\"'](\w+)", failure.line or failure.surrounding):
        yield failure.hit(say("param-groups-list-groups", name=found[1]))


@explains("state-not-made-yet")
def state_not_made_yet(failure: Failure) -> Hits:
    name = failure.groups["name"]
    asked = rf"\w\.state\[[\w.]+\]\[[\"']{name}[\"']\]"
    if re.search(asked, failure.line or f"{failure.message}\n{failure.surrounding}"):
        yield failure.hit(say("optimizer-has-no-parameter", name=name))


@explains("held-by-another")
def held_by_another(failure: Failure) -> Hits:
    if told := _held_as(failure):
        yield failure.hit(told)


def _asked_of_another(failure: Failure, kind: str, name: str) -> str:
    alone = name in ("train", "eval") and not failure.line and not failure.surrounding
    if alone or failure.passed_through("accelerate/optimizer.py"):
        return ACCELERATED
    return f"`{name}` is asked of {kind} and is {OTHERS[name]}"


def _held_as(failure: Failure) -> str:
    """What an optimizer or a scheduler that is asked for something is instead; nothing of what is another."""
    kind, name = failure.groups["kind"], failure.groups["name"]
    line = failure.line or f"{failure.message}\n{failure.surrounding}"
    asked = re.search(
        rf"\b((?:self\.)?(?:\w{{0,40}}(?:optim|sched)\w{{0,40}}|opt))\.{name}\b", line
    )
    if asked is None:
        return ""
    what = "scheduler" if "sched" in asked[1] else "optimizer"
    return f"`{asked[1]}` is {HELD[kind].format(what=what)}"
