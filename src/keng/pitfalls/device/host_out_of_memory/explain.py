"""Error messages: the main memory is exhausted, not that of the GPU."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.device._shared_explain import amount
from keng.rules import explains

LOADS = re.compile(r"[Ll]oading (?:the )?(?:checkpoint|model|weights)|from_pretrained\(")


@explains("one-tensor-too-many")
def one_tensor_too_many(failure: Failure) -> Hits:
    gib = int(failure.groups["bytes"]) / 2**30
    says = f"{amount(gib)} of main memory in one tensor"
    if gib <= 64:
        cure = "fewer or smaller samples at a time; look at its shape"
        full = "the rest is full already: fewer workers, smaller batches, no lists that grow"
        yield failure.hit(f"{says} are not there any more: {cure if gib >= 1 else full}")
        return
    of = ", ".join(f"`{each.name}` is {each.shape}" for each in failure.live.operands)
    yield failure.hit(f"{says}: {of or 'look at its shape'}")


@explains("killed-by-the-system")
def killed_by_the_system(failure: Failure) -> Hits:
    yield failure.hit(_killed(failure))


@explains("page-file-too-small")
def page_file_too_small(failure: Failure) -> Hits:
    says = say("windows-has-no-memory")
    yield failure.hit(says)


@explains("no-more-to-have")
def no_more_to_have(failure: Failure) -> Hits:
    yield failure.hit(say("main-memory-full-smaller"))


@explains("no-room-for-onednn")
def no_room_for_onednn(failure: Failure) -> Hits:
    yield failure.hit(say("onednn-could-not-set"))


@explains("wheel-too-large")
def wheel_too_large(failure: Failure) -> Hits:
    yield failure.hit(say("pip-was-killed-wheel"))


@explains("too-much-for-conda")
def too_much_for_conda(failure: Failure) -> Hits:
    if "torch" in f"{failure.message}\n{failure.surrounding}":
        yield failure.hit(say("conda-has-too-little"))


def _killed(failure: Failure) -> str:
    """Why the system has ended a process."""
    says = "the system killed the process, with no word from Python"
    if LOADS.search(f"{failure.message}\n{failure.context}\n{failure.surrounding}"):
        reads = "the main memory was full while the model was read, once by each process"
        return (
            f"{says}: {reads}: torch_dtype of half precision, "
            "device_map, safetensors, or more memory and swap"
        )
    full = "the main memory, or the container's share of it, was full"
    return f"{says}: {full}; see `dmesg`, fewer workers, no lists that grow"
