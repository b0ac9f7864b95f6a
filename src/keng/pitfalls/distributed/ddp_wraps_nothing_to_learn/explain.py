"""Error messages: distributedDataParallel wraps what it cannot: nothing that learns, or what is not on its device."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("nothing-learns")
def nothing_learns(failure: Failure) -> Hits:
    yield failure.hit(
        "all parameters of what is wrapped are frozen, or it has none: a teacher or a loss stays unwrapped, and what is to learn is unfrozen before"
    )


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
    yield failure.hit("lazy layers have no parameters yet: one forward before it is wrapped")


@explains("several-cards-for-one-process")
def several_cards_for_one_process(failure: Failure) -> Hits:
    yield failure.hit(
        "one process drives one card: device_ids=[local_rank], and a process for each card"
    )


@explains("on-two-kinds-of-devices")
def on_two_kinds_of_devices(failure: Failure) -> Hits:
    yield failure.hit(
        f"parts of the module lie on {failure.groups['where']}: all of it to one device before it is wrapped, or what device_map has offloaded back on cards"
    )
