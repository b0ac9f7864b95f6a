"""Error messages: an operation has no kernel for this dtype on this device."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains
from keng.tables.operators import kernel_of

COUNTS = ("bitwise", "shift", "bincount", "gcd", "lcm")
DECOMPOSES = re.compile(
    r"(?:^|_)(?:linalg|svd|cholesky|lu|geqrf|qr|triangular|inverse|(?:sym)?eigh?|lstsq|solve)(?:_|$)"
)
"""In the names of kernels that know no half precision on any device."""
DRAWS = ("normal_kernel", "check_uniform_bounds", "uniform", "exponential")
MOVES = re.compile(r"index|copy|fill|cat|scatter|gather|flip|roll|where|mask|put|take|pad")
"""In the names of kernels that compute nothing."""
INDEXED = re.compile(r"index|gather|scatter|take|embedding")
WHOLE = frozenset("Long Int Short Byte Char".split())


@explains("no-such-kernel")
def no_such_kernel(failure: Failure) -> Hits:
    kernel, dtype = failure.groups["kernel"], failure.groups["dtype"]
    advice, there = _instead(failure, kernel, dtype), kernel_of(kernel)
    has = ", ".join(sorted(there.cpu)) if there is not None else ""
    if there is not None and INDEXED.search(kernel) and dtype in ("Float", "Double"):
        there = None  # it is the index that has this dtype
    if advice.id == "move-complex":
        there = None  # it says so too
    if (
        there is not None
        and ("cuda" in kernel or failure.groups.get("cuda"))
        and dtype in there.cuda
    ):
        says = say("newer-torch-has-cuda-kernel", kernel=kernel, dtype=dtype)
    elif there is not None and dtype in there.cpu:
        says = say("newer-torch-has-kernel", kernel=kernel, dtype=dtype)
    elif there is not None and advice.id == "another-dtype":
        says = say("kernel-has-other-dtypes", kernel=kernel, dtype=dtype, has=has)
    else:
        says = say("no-kernel", kernel=kernel, dtype=dtype, advice=advice)
    yield failure.hit(says, kernel=kernel, dtype=dtype, has=has)


@explains("not-on-the-mac")
def not_on_the_mac(failure: Failure) -> Hits:
    kernel, dtype = failure.groups["kernel"], failure.groups.get("dtype")
    says = say("not-on-mps", kernel=kernel)
    if kernel == "MPS":
        says = say("mps-without-dtype", dtype=dtype)
    elif dtype:
        says = say("not-on-mps-for-dtype", kernel=kernel, dtype=dtype)
    yield failure.hit(says)


@explains("not-on-this-card")
def not_on_this_card(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"] or failure.groups["eight"]
    setup = "setup" in failure.message
    says = say("no-bfloat16-on-gpu", dtype=dtype)
    if "8" in dtype:
        seen = say("no-8-bit-on-gpu", dtype=dtype)
        says = say("no-8-bit-on-setup", dtype=dtype) if setup else seen
    elif setup:
        says = say("no-bfloat16-on-setup", dtype=dtype)
    yield failure.hit(says)


@explains("pipeline-on-the-cpu")
def pipeline_on_the_cpu(failure: Failure) -> Hits:
    says = say("pipeline-on-cpu", dtype=failure.groups["dtype"])
    yield failure.hit(says)


@explains("none-in-this-version")
def none_in_this_version(failure: Failure) -> Hits:
    kernel, dtype = failure.groups["kernel"], failure.groups.get("dtype")
    known = say("not-in-this-version", kernel=kernel, dtype=dtype)
    yield failure.hit(known if dtype else say("not-on-this-device", kernel=kernel))


def _instead(failure: Failure, kernel: str, dtype: str) -> Message:
    """What to do in place of it."""
    if dtype in ("Half", "BFloat16"):
        return _in_half_precision(failure, kernel, dtype)
    if dtype in WHOLE and ("softmax" in kernel or ("nll_loss" in kernel and "index" not in kernel)):
        return say("scores-are-integers")
    if "nll_loss" in kernel:
        return say("labels-are-long")
    if dtype in WHOLE and kernel.startswith(DRAWS):
        return say("floats-into-integers")
    if dtype == "ComplexHalf":
        return say("complex-half")
    if dtype.startswith("Complex"):
        return say("move-complex") if MOVES.search(kernel) else say("complex-parts")
    if dtype in ("Float", "Double") and any(word in kernel for word in COUNTS):
        return say("integers-only")
    return say("another-dtype")


def _in_half_precision(failure: Failure, kernel: str, dtype: str) -> Message:
    devices = {operand.device for operand in failure.live.operands}
    if DECOMPOSES.search(kernel):
        return say("float-on-any-device")
    if "cpu" in kernel or devices == {"cpu"}:
        return say("half-on-cpu")
    if dtype == "Half" and "cuda" not in kernel:
        return say("half-mostly-on-cpu")  # GPUs have nearly all of them
    return say("half-anywhere")
