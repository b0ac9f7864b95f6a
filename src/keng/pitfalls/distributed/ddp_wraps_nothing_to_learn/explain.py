"""Error messages: distributedDataParallel wraps what it cannot: nothing that learns, or what is not on its device."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nothing-learns")
def nothing_learns(failure: Failure) -> Hits:
    yield failure.hit(say("nothing-learns"))


@explains("on-another-device")
def on_another_device(failure: Failure) -> Hits:
    ids, where = failure.groups["ids"] or "device_ids", failure.groups["where"]
    says = say("module-elsewhere", where=where, ids=ids)
    if not where:
        says = say("module-off-device", ids=ids)
    elif where.count("index=") > 1:
        says = say("module-on-several-gpus", where=where, ids=ids)
    yield failure.hit(says)


@explains("not-there-yet")
def not_there_yet(failure: Failure) -> Hits:
    yield failure.hit(say("lazy-layers"))


@explains("several-cards-for-one-process")
def several_cards_for_one_process(failure: Failure) -> Hits:
    yield failure.hit(say("several-gpus-for-one-process"))


@explains("on-two-kinds-of-devices")
def on_two_kinds_of_devices(failure: Failure) -> Hits:
    yield failure.hit(say("parts-on-two-devices", devices=failure.groups["where"]))
