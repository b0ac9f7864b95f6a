"""Error messages: a checkpoint is loaded onto the device that it was saved from."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

NAMED = re.compile(r"map_location\s{0,4}=\s{0,4}[^'\"\s]{0,40}['\"]cuda:")
IN_A_PICKLE = (
    "pickle.load knows no map_location: write it from .cpu(), or by torch.save; an Unpickler whose "
    'find_class reads _load_from_bytes with map_location="cpu" takes what is there'
)
UNSEEN = "; where there is a card, this PyTorch does not see it: `keng env`"
CPU = 'map_location="cpu", then .to(...)'
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
    was = f"{device} device {index}" if index else f"a {device} device"
    yield failure.hit(_not_here(failure, was, device, index))


@explains("device-not-known")
def device_not_known(failure: Failure) -> Hits:
    device = failure.groups["device"] or "its device"
    yield failure.hit(say("weights-cannot-put-on", why=device, device=_put(device)))


@explains("a-number-for-a-device")
def a_number_for_a_device(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/serialization.py"):
        yield failure.hit(say("map-location-device-name"))


def _not_here(failure: Failure, was: str, device: str, index: str) -> str:
    if NAMED.search(failure.line):
        named = f"map_location names {was}, which is not here: they count from 0"
        return f'{named}; map_location="cpu" goes anywhere'
    return f"the file was saved from {was}, which is not here: {_mapped(failure, device, index)}"


def _mapped(failure: Failure, device: str, index: str) -> str:
    """What has a file read that is of another device."""
    if any(frame.function == "_load_from_bytes" for frame in failure.frames):
        return IN_A_PICKLE
    if index and device == "CUDA":
        return 'map_location="cuda:0", or "cpu"'
    return f'map_location="cpu"{UNSEEN if device == "CUDA" else ""}'


def _put(device: str) -> str:
    """Why weights cannot be put on a device by that name."""
    name = device.partition(":")[0]
    if name == "gpu":
        return "the device is called cuda: map_location='cuda'"
    if name == "meta":
        return (
            "meta has no memory; save the model once its weights are there, or read the file by a "
            "newer PyTorch"
        )
    if name in BROUGHT_BY:
        return f"import {BROUGHT_BY[name]} first, or {CPU}"
    return f"a newer PyTorch may know it, or a package that is to be imported first; {CPU}"
