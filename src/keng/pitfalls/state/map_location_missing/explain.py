"""Error messages: a checkpoint is loaded onto the device that it was saved from."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

NAMED = re.compile(r"map_location\s{0,4}=\s{0,4}[^'\"\s]{0,40}['\"]cuda:")
BROUGHT_BY = {
    "xla": "torch_xla",
    "npu": "torch_npu",
    "hpu": "habana_frameworks.torch",
    "mlu": "torch_mlu",
    "privateuseone": "torch_directml",
}
"""What is imported before a device is known by its name."""


@explains("device-not-there")
def device_not_there(failure: Failure) -> Hits:
    device, index = failure.groups["device"], failure.groups.get("index", "")
    numbered = say("device-index", device=device, index=index)
    was = numbered if index else say("a-device", device=device)
    yield failure.hit(_not_here(failure, was, device, index))


@explains("device-not-known")
def device_not_known(failure: Failure) -> Hits:
    device = failure.groups["device"]
    shown, name = device or say("its-device"), (device or "").partition(":")[0]
    if name == "gpu":
        yield failure.hit(say("called-cuda", device=shown))
    elif name == "meta":
        yield failure.hit(say("meta-has-no-memory", device=shown))
    elif name in BROUGHT_BY:
        yield failure.hit(say("package-brings-device", device=shown, package=BROUGHT_BY[name]))
    else:
        yield failure.hit(say("device-unknown", device=shown))


@explains("a-number-for-a-device")
def a_number_for_a_device(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/serialization.py"):
        yield failure.hit(say("map-location-device-name"))


def _not_here(failure: Failure, was: Message, device: str, index: str) -> Message:
    """What has a file read that is of another device."""
    if NAMED.search(failure.line):
        return say("named-device-missing", device=was)
    if any(frame.function == "_load_from_bytes" for frame in failure.frames):
        return say("pickled-on-missing-device", device=was)
    if index and device == "CUDA":
        return say("other-index-missing", device=was)
    return (
        say("cuda-missing", device=was) if device == "CUDA" else say("device-missing", device=was)
    )
