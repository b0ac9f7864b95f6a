"""Error messages: an operation has no kernel for this dtype on this device."""

from __future__ import annotations

from keng.explain.advice.kernels import instead
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-such-kernel")
def no_such_kernel(failure: Failure) -> Hits:
    kernel, dtype = failure.groups["kernel"], failure.groups["dtype"]
    says = f"`{kernel}` has no kernel for {dtype}: {instead(failure, kernel, dtype)}"
    yield failure.hit(says, kernel=kernel, dtype=dtype)


@explains("not-on-metal")
def not_on_metal(failure: Failure) -> Hits:
    kernel = failure.groups["kernel"]
    yield failure.hit(
        f"`{kernel}` has no kernel on Metal in this version: a newer PyTorch, or PYTORCH_ENABLE_MPS_FALLBACK=1 before torch "
        "is imported, which computes it on the CPU"
    )


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
    says = f"the CPU has not all kernels for {failure.groups['dtype']}: load the pipeline in float32, or move it to a card"
    yield failure.hit(says)


@explains("none-in-this-version")
def none_in_this_version(failure: Failure) -> Hits:
    kernel, there = failure.groups["kernel"], failure.groups.get("dtype") or "this device"
    says = f"`{kernel}` has no kernel for {there} in this version: a newer PyTorch, or .cpu().float() for this step"
    yield failure.hit(says)
