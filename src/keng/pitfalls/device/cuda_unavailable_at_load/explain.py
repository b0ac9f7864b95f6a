"""Error messages: a program asks for CUDA where there is none."""

from __future__ import annotations

from keng.explain.advice.platforms import AMDS, MAC, WINDOWS
from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("built-without-cuda")
def built_without_cuda(failure: Failure) -> Hits:
    on_mac = failure.matches(MAC)
    yield failure.hit(say("no-cuda-on-mac") if on_mac else _built_for_none(failure))


@explains("mixed-precision-disabled")
def mixed_precision_disabled(failure: Failure) -> Hits:
    says = say("mixed-precision-off")
    if not failure.message.rstrip(". ").endswith("isabling"):
        says = say("fp16-without-card")
    yield failure.hit(says)


@explains("not-for-the-cpu")
def not_for_the_cpu(failure: Failure) -> Hits:
    op = failure.groups["op"]
    there = failure.message.partition("backends: [")[2].partition("]")[0].split(", ")
    sparse = "SparseCPU" in there and "CUDA" not in there
    gpu = say("only-for-gpu", op=op)
    yield failure.hit(say("only-for-sparse", op=op) if sparse else gpu)


@explains("nothing-to-compute-on")
def nothing_to_compute_on(failure: Failure) -> Hits:
    yield failure.hit(_there_is_none(failure))


def _built_for_none(failure: Failure) -> Message:
    """Where a build for the CPU is asked for CUDA."""
    if failure.matches(AMDS):
        return say("cpu-build-with-amd-card")
    advice = say("install-with-cuda")
    if failure.matches(WINDOWS):
        return say("built-without-cuda-from-pypi", advice=advice)
    return say("built-without-cuda", advice=advice)


def _there_is_none(failure: Failure) -> Message:
    """Where a program or a library asks for a GPU."""
    if "pin" in failure.message.partition("memory")[0]:
        return say("pin-memory-without-card")
    what = failure.groups.get("what") or failure.groups.get("device") or ""
    advice = say("device-or-build")
    if not what or what.endswith("()"):
        return say("gpu-wanted-without-card", advice=advice)
    return say("wanted-without-card", what=what, advice=advice)
