"""Error messages: a device is named that there is not."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

LATER = {
    "mps": "it came with 1.12, so a newer one; or 'cpu'",
    "xpu": "a newer one, built for Intel's cards, or import intel_extension_for_pytorch before",
    "npu": "import torch_npu before",
    "hpu": "import habana_frameworks.torch before",
    "mlu": "import torch_mlu before",
}
"""Those of a later release or of a package."""
GPU = "'cuda' is what PyTorch calls a card, of AMD's too"
KNOWN = "cpu, cuda, cuda:1, mps, xpu"


@explains("no-such-name")
def no_such_name(failure: Failure) -> Hits:
    yield failure.hit(_no_device(failure.groups["name"]))


@explains("no-such-number")
def no_such_number(failure: Failure) -> Hits:
    yield failure.hit(say("card-number-not-seen"))


@explains("not-of-this-build")
def not_of_this_build(failure: Failure) -> Hits:
    yield failure.hit(
        _of_another_build((failure.groups["kind"] or failure.groups["other"]).upper())
    )


@explains("counted-before-they-changed")
def counted_before_they_changed(failure: Failure) -> Hits:
    card, there = failure.groups["card"], failure.groups["there"]
    which = (
        f"card {card} is used, and CUDA knows {there}, fewer" if there else "CUDA knows fewer cards"
    )
    yield failure.hit(
        f"{which} than were counted: set CUDA_VISIBLE_DEVICES before torch is imported; else a card has failed"
    )


@explains("more-cards-than-there-are")
def more_cards_than_there_are(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"] or "fewer"
    yield failure.hit(say("trainer-use-cards-seen", has=wants, has_2=has))


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    kind, device = failure.groups["kind"], failure.groups["device"]
    yield failure.hit(say("function-devices-asked-about", device=kind, device_2=device))


@explains("not-under-autocast")
def not_under_autocast(failure: Failure) -> Hits:
    yield failure.hit(say("autocast-pytorch-does-not", device=failure.groups["device"]))


def _no_device(name: str) -> str:
    kind = name.strip("'\"").partition(":")[0]
    if kind in LATER:
        return f"`{name}` is no device of this PyTorch: {LATER[kind]}"
    return f"`{name}` is no device: {GPU if kind.lower() == 'gpu' else KNOWN}"


def _of_another_build(kind: str) -> str:
    """Of a PyTorch that was built without a kind of devices."""
    before = " (before 2.5: import intel_extension_for_pytorch)" if kind == "XPU" else ""
    return (
        f"this PyTorch was built without {kind}: install the build for it{before}, or take the CPU"
    )
