"""Error messages: an operation has no kernel for this dtype on this device."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
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
WHOLE = frozenset("Long Int Short Byte Char".split())
ON_THE_CPU = "half precision on the CPU: model.float(), or a device that has it"
MOSTLY_ON_THE_CPU = (
    "half precision on the CPU, mostly: model.float(); on a card x.float() for this step"
)
ANY_OTHER = "x.float() first, or another dtype"
SWAPPED = (
    "the scores are whole numbers: criterion(outputs, labels) in this order and outputs before argmax, "
    "else x.float()"
)
DRAWN = (
    "random floats are drawn into whole numbers: make it of floats; weights of bytes are packed ones, "
    "which the library that packed them loads"
)


@explains("no-such-kernel")
def no_such_kernel(failure: Failure) -> Hits:
    kernel, dtype = failure.groups["kernel"], failure.groups["dtype"]
    there, instead = kernel_of(kernel), _instead(failure, kernel, dtype)
    has = ", ".join(sorted(there.cpu)) if there is not None else ""
    if there is not None and dtype in there.cpu:
        says = say("newer-torch-has-kernel", kernel=kernel, dtype=dtype, instead=instead)
    elif there is not None and instead == ANY_OTHER:
        says = say("kernel-has-other-dtypes", kernel=kernel, dtype=dtype, has=has)
    else:
        says = say("has-no-kernel", cure=kernel, dtype=dtype, failure=instead)
    yield failure.hit(says, kernel=kernel, dtype=dtype, has=has)


@explains("not-on-metal")
def not_on_metal(failure: Failure) -> Hits:
    kernel = failure.groups["kernel"]
    yield failure.hit(say("has-no-kernel-on", kernel=kernel))


@explains("not-on-the-mac")
def not_on_the_mac(failure: Failure) -> Hits:
    kernel, dtype = failure.groups["kernel"], failure.groups.get("dtype")
    says = f"{kernel} has no kernel{f' for {dtype}' if dtype else ''} on MPS"
    cure = (
        "another dtype, a newer macOS, or .cpu()"
        if dtype
        else "a newer PyTorch and macOS, or .cpu()"
    )
    if kernel == "MPS":
        says, cure = f"MPS has no {dtype} at all", "weights in float16, or the CPU"
    yield failure.hit(f"{says}: {cure}")


@explains("not-on-this-card")
def not_on_this_card(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"] or failure.groups["eight"]
    came = "Ada and Hopper: bfloat16" if "8" in dtype else "Ampere: float16 with a GradScaler"
    or_none = (
        ", or no card is seen (torch.cuda.is_available())" if "setup" in failure.message else ""
    )
    yield failure.hit(f"this card has no {dtype}, which came with {came}{or_none}")


@explains("pipeline-on-the-cpu")
def pipeline_on_the_cpu(failure: Failure) -> Hits:
    says = say("cpu-has-not-all", dtype=failure.groups["dtype"])
    yield failure.hit(says)


@explains("none-in-this-version")
def none_in_this_version(failure: Failure) -> Hits:
    kernel, there = failure.groups["kernel"], failure.groups.get("dtype") or "this device"
    says = say("has-no-kernel-version", dtype=kernel, there=there)
    yield failure.hit(says)


def _instead(failure: Failure, kernel: str, dtype: str) -> str:
    """What to do in place of it."""
    if dtype in ("Half", "BFloat16"):
        return _in_half_precision(failure, kernel, dtype)
    if dtype in WHOLE and ("softmax" in kernel or ("nll_loss" in kernel and "index" not in kernel)):
        return SWAPPED
    if "nll_loss" in kernel:
        return "labels are long: target.long()"
    if dtype in WHOLE and kernel.startswith(DRAWS):
        return DRAWN
    if dtype == "ComplexHalf":
        return "complex32 has few kernels: .to(torch.complex64), or x.float() before the transform"
    if dtype.startswith("Complex"):
        newer = (
            "a newer PyTorch, which moves complex numbers too"
            if MOVES.search(kernel)
            else "z.abs()"
        )
        return f"{newer}, or z.real and z.imag by themselves"
    if dtype in ("Float", "Double") and any(word in kernel for word in COUNTS):
        return "of whole numbers and masks alone: x.long(), or x > 0 for a mask"
    return ANY_OTHER


def _in_half_precision(failure: Failure, kernel: str, dtype: str) -> str:
    devices = {operand.device for operand in failure.live.operands}
    if DECOMPOSES.search(kernel):
        return "x.float() for this step, on any device"
    if "cpu" in kernel or devices == {"cpu"}:
        return ON_THE_CPU
    if dtype == "Half" and "cuda" not in kernel:
        return MOSTLY_ON_THE_CPU  # cards have nearly all of them
    return "x.float() for this step; on the CPU, model.float()"
