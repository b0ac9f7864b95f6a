"""Error messages: an optimizer is asked for what its groups hold, for a group that it does not have, or for a state that it has not made."""

from __future__ import annotations

import re

from keng.explain.advice.shown import held_as
from keng.explain.advice.steps import asked_of_another
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

OPTIONS = {"learning_rate": "lr", "get_lr": "lr", "beta": "betas"}


@explains("asked-of-the-optimizer")
def asked_of_the_optimizer(failure: Failure) -> Hits:
    name = OPTIONS.get(failure.groups["name"], failure.groups["name"])
    says = f'the groups of an optimizer hold its options: `optimizer.param_groups[0]["{name}"]`'
    yield failure.hit(says)


@explains("of-another-object")
def of_another_object(failure: Failure) -> Hits:
    yield failure.hit(asked_of_another(failure, failure.groups["kind"], failure.groups["name"]))


@explains("no-such-group")
def no_such_group(failure: Failure) -> Hits:
    if found := re.search(r"\.param_groups\[(\d+)\]", failure.line or failure.around):
        yield failure.hit(
            f"the optimizer has no group {found[1]}: one for each dict in `SGD([{{'params': ...}}, ...])`, from 0 on, and "
            "one alone where it was given parameters"
        )


@explains("called")
def called(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    instead = {"DataLoader": "for batch in loader", "GradScaler": "scaler.scale(loss)"}
    method = "scheduler.step()" if kind.endswith("LR") else "optimizer.step()"
    yield failure.hit(f"what is called is a {kind}, and no function: `{instead.get(kind, method)}`")


@explains("groups-for-a-group")
def groups_for_a_group(failure: Failure) -> Hits:
    if found := re.search(r"\.param_groups\[[\"'](\w+)", failure.line or failure.around):
        yield failure.hit(
            f'param_groups is a list of groups, each a dict: `param_groups[0]["{found[1]}"]`'
        )


@explains("state-not-made-yet")
def state_not_made_yet(failure: Failure) -> Hits:
    name = failure.groups["name"]
    asked = rf"\w\.state\[[\w.]+\]\[[\"']{name}[\"']\]"
    if re.search(asked, failure.line or f"{failure.message}\n{failure.around}"):
        yield failure.hit(
            f"the optimizer has no `{name}` for this parameter: state is made at its first step with a gradient; state[p].get(...), or after it"
        )


@explains("held-by-another")
def held_by_another(failure: Failure) -> Hits:
    if told := held_as(failure):
        yield failure.hit(told)
