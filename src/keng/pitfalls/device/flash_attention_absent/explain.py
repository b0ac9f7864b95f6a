"""Error messages: the fast kernels of attention are not there or cannot be used."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

THIRD = (
    "flash_attn_interface is FlashAttention 3, of the folder `hopper` in its repository and for Hopper's "
    "cards alone: build it there, or the option without it"
)
ABSENT = "the package flash-attn is not installed: pip install flash-attn --no-build-isolation"
TAKES = {
    "A": ("an older card than Ampere", 'attn_implementation="sdpa"'),
    "f": ("float32", "torch_dtype=torch.bfloat16 or float16, or the forward under autocast"),
    "C": ("the CPU", 'attn_implementation="sdpa" there'),
    "h": ("heads of this size", 'attn_implementation="sdpa"'),
    "F": ("this model", 'attn_implementation="sdpa" or "eager", or a newer transformers'),
}
"""What it takes alone, by its first letter -> what came, and what helps."""


@explains("slower-but-right")
def slower_but_right(failure: Failure) -> Hits:
    yield failure.hit(
        "this build or card is without flash attention, and another kernel is taken: slower, and right"
    )


@explains("none-left")
def none_left(failure: Failure) -> Hits:
    says = "no kernel is left for this attention: allow SDPBackend.MATH beside the others, or float16 on a card that has the fast ones"
    if "cutlassF" in failure.message:
        says = "the kernel of cutlass is not there for this card and dtype, as for bfloat16 before Ampere: float16 or float32, or torch.backends.cuda.enable_mem_efficient_sdp(False)"
    yield failure.hit(says)


@explains("package-missing")
def package_missing(failure: Failure) -> Hits:
    yield failure.hit(_of_flash(failure))


@explains("not-on-this-card")
def not_on_this_card(failure: Failure) -> Hits:
    yield failure.hit(
        "the backward of flash attention is not there for this card and head size: "
        "torch.backends.cuda.enable_flash_sdp(False), or attention in float32"
    )


@explains("not-taken")
def not_taken(failure: Failure) -> Hits:
    yield failure.hit(_refused(failure.groups["what"]))


@explains("model-without-sdpa")
def model_without_sdpa(failure: Failure) -> Hits:
    yield failure.hit(
        'this model has no other attention than its own: attn_implementation="eager", or a newer transformers'
    )


@explains("model-on-the-cpu")
def model_on_the_cpu(failure: Failure) -> Hits:
    yield failure.hit(
        'flash attention works on a card alone, and the model is on the CPU: device_map="cuda", or attn_implementation="sdpa"'
    )


@explains("kernel-of-xformers")
def kernel_of_xformers(failure: Failure) -> Hits:
    yield failure.hit(
        "the kernel of xFormers that was asked for takes no heads of this size, dtype or mask: memory_efficient_attention without "
        "`op`, or scaled_dot_product_attention"
    )


def _of_flash(failure: Failure) -> str:
    """What of it is missing."""
    if "flash_attn_interface" in failure.message:
        return THIRD
    if failure.contains("transformers") or "toggled on" in failure.message:
        return f'{ABSENT}, or attn_implementation="sdpa"'
    return f"{ABSENT}, or its wheel for this torch; or the program's option without it"


def _refused(takes: str) -> str:
    what, cure = TAKES[takes[0]]
    return f"flash attention does not take {what}: {cure}"
