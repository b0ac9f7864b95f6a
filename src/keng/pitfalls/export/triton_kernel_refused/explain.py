"""Error messages: a kernel in Triton does not compile."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("refused")
def refused(failure: Failure) -> Hits:
    line, error = failure.groups["line"], failure.groups["error"]
    yield failure.hit(f"Triton does not take line {line} of the kernel: {error}")


@explains("launcher-not-compiled")
def launcher_not_compiled(failure: Failure) -> Hits:
    yield failure.hit(
        "Triton's launcher in C does not compile, see the compiler's lines above: Python's headers (python3-dev) or libcuda.so for -lcuda are missing"
    )


@explains("too-many-registers")
def too_many_registers(failure: Failure) -> Hits:
    yield failure.hit(
        f"a kernel wants more than {failure.groups['count']} registers a thread: smaller blocks, more warps (num_warps), or that choice left out of the autotuner"
    )
