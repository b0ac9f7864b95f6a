"""What is said of the package flash-attn, by what a program asks of it."""

from __future__ import annotations

from keng.explain.failure import Failure

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


def of_flash(failure: Failure) -> str:
    """What of it is missing."""
    if "flash_attn_interface" in failure.message:
        return THIRD
    if failure.shows("transformers") or "toggled on" in failure.message:
        return f'{ABSENT}, or attn_implementation="sdpa"'
    return f"{ABSENT}, or its wheel for this torch; or the program's option without it"


def refused(takes: str) -> str:
    what, cure = TAKES[takes[0]]
    return f"flash attention does not take {what}: {cure}"
