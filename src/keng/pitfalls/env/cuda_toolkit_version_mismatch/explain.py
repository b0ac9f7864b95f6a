"""Error messages: extensions are compiled with another CUDA than PyTorch's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("refused")
def refused(failure: Failure) -> Hits:
    there, own = failure.groups.get("there"), failure.groups["own"]
    nvcc = f"nvcc is of CUDA {there}" if there else "nvcc is of another CUDA"
    yield failure.hit(
        f"{nvcc}, PyTorch of {own}: CUDA_HOME to a toolkit of {own}, or a PyTorch built for that of nvcc"
    )


@explains("compiler-too-new")
def compiler_too_new(failure: Failure) -> Hits:
    gcc = failure.groups["newest"]
    yield failure.hit(say("nvcc-takes-gcc-up", gcc=gcc))


@explains("compiler-not-there")
def compiler_not_there(failure: Failure) -> Hits:
    says = say("not-there-cuda-home", path=failure.groups["path"].lstrip(":"))
    yield failure.hit(says)


@explains("no-toolkit")
def no_toolkit(failure: Failure) -> Hits:
    if "CUDA_HOME" in failure.message or "nvcc" in failure.line:
        says = say("no-cuda-toolkit-found")
        yield failure.hit(says)
