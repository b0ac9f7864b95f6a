"""Error messages: the fast kernels of attention are not there or cannot be used."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
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
    yield failure.hit(say("build-or-card-without"))


@explains("none-left")
def none_left(failure: Failure) -> Hits:
    says = say("no-kernel-left-attention")
    if "cutlassF" in failure.message:
        says = say("kernel-cutlass-not-there")
    yield failure.hit(says)


@explains("package-missing")
def package_missing(failure: Failure) -> Hits:
    yield failure.hit(_of_flash(failure))


@explains("not-on-this-card")
def not_on_this_card(failure: Failure) -> Hits:
    yield failure.hit(say("backward-flash-attention-not"))


@explains("not-taken")
def not_taken(failure: Failure) -> Hits:
    yield failure.hit(_refused(failure.groups["what"]))


@explains("model-without-sdpa")
def model_without_sdpa(failure: Failure) -> Hits:
    yield failure.hit(say("model-has-no-other"))


@explains("model-on-the-cpu")
def model_on_the_cpu(failure: Failure) -> Hits:
    yield failure.hit(say("flash-attention-works-on"))


@explains("kernel-of-xformers")
def kernel_of_xformers(failure: Failure) -> Hits:
    yield failure.hit(say("kernel-xformers-was-asked"))


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
