"""Error messages: distributedDataParallel wraps what it cannot: nothing that learns, or what is not on its device."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nothing-learns")
def nothing_learns(failure: Failure) -> Hits:
    yield failure.hit(say("all-parameters-what-wrapped"))


@explains("on-another-device")
def on_another_device(failure: Failure) -> Hits:
    ids, where = failure.groups["ids"] or "device_ids", failure.groups["where"]
    cure = "move it there first, or give no device_ids"
    if where.count("index=") > 1:
        cure = "a model on several cards is wrapped without device_ids; device_map={'': local_rank} lays it on one"
    there = f"on {where}" if where else "elsewhere"
    yield failure.hit(f"the module lies {there}, and {ids} names one card: {cure}")


@explains("not-there-yet")
def not_there_yet(failure: Failure) -> Hits:
    yield failure.hit(say("lazy-layers-have-no"))


@explains("several-cards-for-one-process")
def several_cards_for_one_process(failure: Failure) -> Hits:
    yield failure.hit(say("one-process-drives-one"))


@explains("on-two-kinds-of-devices")
def on_two_kinds_of_devices(failure: Failure) -> Hits:
    yield failure.hit(say("parts-module-lie-on", devices=failure.groups["where"]))
