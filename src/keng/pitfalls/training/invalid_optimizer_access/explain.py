"""Error messages: an optimizer is asked for what its groups hold, for a group that it does not have, or for a state that it has not made."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

OPTIONS = {"learning_rate": "lr", "get_lr": "lr", "beta": "betas"}


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
    yield failure.hit(say("what-called-no-function", kind=kind, call=instead.get(kind, method)))


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


def _asked_of_another(failure: Failure, kind: str, name: str) -> Message:
    alone = name in ("train", "eval") and not failure.line and not failure.surrounding
    if alone or failure.passed_through("accelerate/optimizer.py"):
        return say("accelerate-asks-train")
    if name in ("zero_grad", "param_groups"):
        return say("of-optimizer", name=name, kind=kind)
    return (
        say("of-loss", name=name, kind=kind)
        if name == "backward"
        else say("of-model", name=name, kind=kind)
    )


def _held_as(failure: Failure) -> Message | None:
    """What an optimizer or a scheduler that is asked for something is instead; nothing of what is another."""
    kind, name = failure.groups["kind"], failure.groups["name"]
    line = failure.line or f"{failure.message}\n{failure.surrounding}"
    asked = re.search(
        rf"\b((?:self\.)?(?:\w{{0,40}}(?:optim|sched)\w{{0,40}}|opt))\.{name}\b", line
    )
    if asked is None:
        return None
    match kind:
        case "dict" if "sched" in asked[1]:
            return say("scheduler-in-dict", name=asked[1])
        case "dict":
            return say("optimizer-in-dict", name=asked[1])
        case "list":
            return say("several-in-list", name=asked[1])
        case "tuple":
            return say("part-of-tuple", name=asked[1])
    return say("name-only", name=asked[1])
