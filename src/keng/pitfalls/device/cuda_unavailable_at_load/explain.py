"""Error messages: a program asks for CUDA where there is none."""

from __future__ import annotations

from keng.explain.advice.platforms import AMDS, MAC, WINDOWS
from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

MPS = "device 'mps' where torch.backends.mps.is_available(), else 'cpu'"

WITH_CUDA = (
    "pip uninstall torch, then install it with --index-url https://download.pytorch.org/whl/cu128 (cu126 for "
    "cards before RTX 20)"
)
FOR_AMD = "this PyTorch is for the CPU, and the card is of AMD: the build for ROCm (Linux), else device='cpu'"


@explains("built-without-cuda")
def built_without_cuda(failure: Failure) -> Hits:
    yield failure.hit(
        f"no Mac has CUDA: {MPS}" if failure.matches(MAC) else _built_for_none(failure)
    )


@explains("no-card-of-that-number")
def no_card_of_that_number(failure: Failure) -> Hits:
    yield failure.hit(say("no-card-has-number"))


@explains("not-in-this-build")
def not_in_this_build(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(say("pytorch-was-built-without", kind=kind))


@explains("mixed-precision-disabled")
def mixed_precision_disabled(failure: Failure) -> Hits:
    says = say("cuda-not-available-mixed")
    if not failure.message.rstrip(". ").endswith("isabling"):
        says = say("fp16-mixed-precision-asked")
    yield failure.hit(says)


@explains("not-for-the-cpu")
def not_for_the_cpu(failure: Failure) -> Hits:
    op = failure.groups["op"]
    there = failure.message.partition("backends: [")[2].partition("]")[0].split(", ")
    sparse = "SparseCPU" in there and "CUDA" not in there
    gpu = say("there-gpu-alone-tensors", op=op)
    yield failure.hit(say("there-sparse-tensors-alone", op=op) if sparse else gpu)


@explains("nothing-to-compute-on")
def nothing_to_compute_on(failure: Failure) -> Hits:
    yield failure.hit(_there_is_none(failure))


def _built_for_none(failure: Failure) -> str:
    """Where a build for the CPU is asked for CUDA."""
    if failure.matches(AMDS):
        return FOR_AMD
    says = "this PyTorch was built without CUDA"
    if failure.matches(WINDOWS):
        says = f"{says}, as PyPI's for Windows is"
    return f"{says}: {WITH_CUDA}; without a card of NVIDIA's device='cpu', by torch.cuda.is_available()"


def _there_is_none(failure: Failure) -> str:
    """Where a program or a library wants a card."""
    if "pin" in failure.message.partition("memory")[0]:
        return "pin_memory wants a card, and there is none: pin_memory=False"
    what = failure.groups.get("what") or failure.groups.get("device") or "a GPU"
    says = f"{'a GPU' if what.endswith('()') else what} is asked for, and PyTorch sees no card"
    return (
        f"{says}: device='cpu', or a build with CUDA "
        "(torch.version.cuda is None without) where there is one"
    )
