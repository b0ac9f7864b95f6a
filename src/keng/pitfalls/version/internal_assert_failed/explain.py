"""Error messages: a check inside of PyTorch has failed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OF_CHECKS = {
    r"CUDAGuardImpl\.h": (
        "a tensor lies on the CPU where a step on the card wants it: model, inputs, targets and "
        "what forward makes to one device"
    ),
    r"/mps/|\.mm\b": (
        "a fault of this PyTorch on a Mac's GPU: x.contiguous() before it, a newer PyTorch, or the "
        "CPU"
    ),
    r"codegen[/\\]cuda": (
        "a fault of the fuser of TorchScript: torch._C._jit_set_nvfuser_enabled(False), or a newer "
        "PyTorch"
    ),
    r"handles_": (
        "expandable_segments of PYTORCH_CUDA_ALLOC_CONF met a card that is full, or another "
        "process: without it"
    ),
}
"""A place or a word of a check inside PyTorch -> what is behind it."""


@explains("a-check-of-its-own")
def a_check_of_its_own(failure: Failure) -> Hits:
    check, file, says = (failure.groups[key] for key in ("check", "file", "says"))
    told = f" ({says.rstrip('. ')})" if says else ""
    yield failure.hit(
        f"the check `{check}` inside PyTorch ({file}) failed{told}: {_behind_a_check(failure.message)}"
    )


@explains("a-check-of-old")
def a_check_of_old(failure: Failure) -> Hits:
    check, file = failure.groups["check"], failure.groups["file"]
    yield failure.hit(say("check-inside-pytorch-failed", file=check, file_2=file))


@explains("past-a-vector")
def past_a_vector(failure: Failure) -> Hits:
    yield failure.hit(say("c-inside-pytorch-asks", size=failure.groups["size"]))


@explains("a-check-of-what-it-gets")
def a_check_of_what_it_gets(failure: Failure) -> Hits:
    yield failure.hit(say("condition-operation-does-not", condition=failure.groups["condition"]))


def _behind_a_check(message: str) -> str:
    """What is behind a check that has failed inside PyTorch, where its place tells."""
    found = (why for said, why in OF_CHECKS.items() if re.search(said, message))
    return next(found, "its fault or an extension's; try another version, and the CPU")
