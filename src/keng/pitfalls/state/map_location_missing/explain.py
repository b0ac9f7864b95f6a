"""Error messages: a checkpoint is loaded onto the device that it was saved from."""

from __future__ import annotations

from keng.explain.advice.located import not_here, put
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("device-not-there")
def device_not_there(failure: Failure) -> Hits:
    device, index = failure.groups["device"], failure.groups.get("index", "")
    was = f"{device} device {index}" if index else f"a {device} device"
    yield failure.hit(not_here(failure, was, device, index))


@explains("device-not-known")
def device_not_known(failure: Failure) -> Hits:
    device = failure.groups["device"] or "its device"
    yield failure.hit(f"weights cannot be put on {device} as they are read: {put(device)}")


@explains("a-number-for-a-device")
def a_number_for_a_device(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/serialization.py"):
        yield failure.hit("map_location is a device by name, 'cuda:0', and no number")
