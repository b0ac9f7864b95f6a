"""Error messages: a check inside of PyTorch has failed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
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
    yield failure.hit(
        f"the check `{check}` inside PyTorch ({file}) failed: its fault or an extension's; try another version, and the CPU"
    )


@explains("past-a-vector")
def past_a_vector(failure: Failure) -> Hits:
    yield failure.hit(
        f"C++ inside PyTorch asks a vector of {failure.groups['size']} for an entry that it has not, unchecked: mostly a dimension or an index that "
        "the operation cannot have; see its arguments, then another version"
    )


@explains("a-check-of-what-it-gets")
def a_check_of_what_it_gets(failure: Failure) -> Hits:
    yield failure.hit(
        f"a condition of the operation does not hold, `{failure.groups['condition']}`: see the shapes and dtypes of what it gets"
    )


def _behind_a_check(message: str) -> str:
    """What is behind a check that has failed inside PyTorch, where its place tells."""
    found = (why for said, why in OF_CHECKS.items() if re.search(said, message))
    return next(found, "its fault or an extension's; try another version, and the CPU")
