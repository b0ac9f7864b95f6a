"""Error messages: a device is named that there is not."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

PACKAGES = {"npu": "torch_npu", "hpu": "habana_frameworks.torch", "mlu": "torch_mlu"}
"""The packages that add a device to PyTorch."""


@explains("no-such-name")
def no_such_name(failure: Failure) -> Hits:
    yield failure.hit(_no_device(failure.groups["name"]))


@explains("not-of-this-build")
def not_of_this_build(failure: Failure) -> Hits:
    yield failure.hit(
        _of_another_build((failure.groups["kind"] or failure.groups["other"]).upper())
    )


@explains("counted-before-they-changed")
def counted_before_they_changed(failure: Failure) -> Hits:
    card, there = failure.groups["card"], failure.groups["there"]
    advice = say("set-visible-devices-first")
    says = say("fewer-gpus-than-counted", advice=advice)
    if there:
        says = say("fewer-gpus-than-counted-by-number", card=card, there=there, advice=advice)
    yield failure.hit(says)


@explains("more-cards-than-there-are")
def more_cards_than_there_are(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    fewer = say("trainer-wants-missing-gpus", wants=wants)
    yield failure.hit(say("trainer-wants-more-gpus", wants=wants, has=has) if has else fewer)


def _no_device(name: str) -> Message:
    kind = name.strip("'\"").partition(":")[0]
    if kind == "mps":
        return say("mps-came-later", name=name)
    if kind == "xpu":
        return say("xpu-came-later", name=name)
    if kind in PACKAGES:
        return say("device-of-a-package", name=name, package=PACKAGES[kind])
    gpu = kind.lower() == "gpu"
    return say("gpu-is-called-cuda", name=name) if gpu else say("no-such-device", name=name)


def _of_another_build(kind: str) -> Message:
    """Of a PyTorch that was built without a kind of devices."""
    return say("built-without-xpu") if kind == "XPU" else say("built-without", kind=kind)
