"""Error messages: extensions are compiled with another CUDA than PyTorch's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("refused")
def refused(failure: Failure) -> Hits:
    there, own = failure.groups.get("there"), failure.groups["own"]
    named = say("nvcc-of-named-cuda", there=there, own=own)
    yield failure.hit(named if there else say("nvcc-of-another-cuda", own=own))


@explains("compiler-not-there")
def compiler_not_there(failure: Failure) -> Hits:
    says = say("compiler-missing", path=failure.groups["path"].lstrip(":"))
    yield failure.hit(says)


@explains("no-toolkit")
def no_toolkit(failure: Failure) -> Hits:
    if "CUDA_HOME" in failure.message or "nvcc" in failure.line:
        says = say("no-toolkit")
        yield failure.hit(says)
