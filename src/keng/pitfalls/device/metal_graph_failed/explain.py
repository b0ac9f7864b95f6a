"""Error messages: metal refuses a graph of operations, and the process ends."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("meet-in-one-step")
def meet_in_one_step(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    if one != other:
        yield failure.hit(say("metal-ends-process-where-2", other=one, other_2=other))
    else:
        yield failure.hit(say("metal-ends-process-where"))


@explains("assert-of-apple")
def assert_of_apple(failure: Failure) -> Hits:
    says = f"Apple's own check fails ({failure.groups['what']})"
    if re.search(r"2 ?\*\* ?3[12]|2\^3[12]|INT_MAX", failure.message):
        yield failure.hit(
            f"{says}: a tensor is larger than Metal's 4 GB or 2**31 elements: smaller inputs or batches, attention in slices"
        )
        return
    yield failure.hit(
        f"{says}: .contiguous() before it, smaller tensors, a newer macOS or PyTorch, or that operation on the CPU"
    )


@explains("without-a-kernel")
def without_a_kernel(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"]
    instead = (
        "float16 or float32, or macOS 14 and a newer PyTorch"
        if dtype == "BFloat16"
        else ".float() before it, a newer PyTorch and macOS, or .cpu()"
    )
    yield failure.hit(f"a kernel for Metal is not there for {dtype}: {instead}")
