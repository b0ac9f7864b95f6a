"""What helps where an operation has no kernel for a dtype, by the name of the kernel."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

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
SWAPPED = (
    "the scores are whole numbers: criterion(outputs, labels) in this order and outputs before argmax, "
    "else x.float()"
)
DRAWN = (
    "random floats are drawn into whole numbers: make it of floats; weights of bytes are packed ones, "
    "which the library that packed them loads"
)


def instead(failure: Failure, kernel: str, dtype: str) -> str:
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
    return "x.float() first, or another dtype"


def _in_half_precision(failure: Failure, kernel: str, dtype: str) -> str:
    devices = {operand.device for operand in failure.live.operands}
    if DECOMPOSES.search(kernel):
        return "x.float() for this step, on any device"
    if "cpu" in kernel or devices == {"cpu"}:
        return ON_THE_CPU
    if dtype == "Half" and "cuda" not in kernel:
        return MOSTLY_ON_THE_CPU  # cards have nearly all of them
    return "x.float() for this step; on the CPU, model.float()"
