"""Error messages: a wrapped model is asked for what the model inside has."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OF_THE_WRAPPER = {"no_sync", "join", "register_comm_hook"}


OF_A_DICT = {"copy", "items", "keys", "get", "pop"}


COMPUTES = re.compile(r"forward|^train(?:ing)?_|(?:^|_)(?:loss|step)$|^(?:encode|decode)(?:_|$)")
"""Methods that a training may call in place of the model."""


TRAINERS = re.compile(r"\bTrainer\b|trainers?\.py\b")


@explains("not-wrapped")
def not_wrapped(failure: Failure) -> Hits:
    if not failure.frames or failure.passed_through("torch/nn/modules/module.py"):
        kind = failure.groups["kind"]
        yield failure.hit(say("not-wrapped-here-on", kind=kind))


@explains("wrapper-has-none")
def wrapper_has_none(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if name in OF_THE_WRAPPER:
        says = f"`{name}` is of torch's DistributedDataParallel, and this {kind} is another"
        yield failure.hit(f"{says}: leave it out, or wrap the model with that one")
        return
    if name.startswith("_") and not name.startswith("__"):
        yield failure.hit(say("private-of-the-wrapper", kind=kind, name=name), sure=False)
        return
    if name in OF_A_DICT:
        says = f"a whole {kind} was saved and takes the place of a state dict"
        yield failure.hit(f"{says}: loaded.module.state_dict(), or loaded.module as the model")
        return
    says = f"`{name}` belongs to the model inside the {kind}: write `.module.{name}`"
    if COMPUTES.search(name) and kind == "DataParallel":
        says += ", which runs on one card: only forward shares the batch out"
    elif COMPUTES.search(name):
        says += "; what trains by it goes through forward, past which no gradients are averaged"
    elif kind == "DataParallel" and TRAINERS.search(
        f"{failure.context} {failure.message} {failure.raised_in}"
    ):
        says += "; where a Trainer has wrapped it by itself, as for several cards, CUDA_VISIBLE_DEVICES=0"
    yield failure.hit(says)
