"""What a checkpointed part did otherwise when it was computed anew."""

from __future__ import annotations

import re

METADATA = re.compile(
    r"saved metadata: \{'shape': torch\.Size\((?P<was>\[[\d, ]*\])\), 'dtype': torch\.(?P<dtype>\w+).{0,90}?"
    r"recomputed metadata: \{'shape': torch\.Size\((?P<now>\[[\d, ]*\])\), 'dtype': torch\.(?P<then>\w+)"
)
COUNTS = re.compile(
    r"saved during forward: (?P<was>\d+).{0,9}Number of tensors saved during recomputation: (?P<now>\d+)"
)
CHANGES = "a branch, a cache, a fused kernel (xformers), autocast or weights that change in between"
SCATTERED = (
    "a weight of DeepSpeed's ZeRO-3 is scattered again, of shape [0], when the part is computed anew: "
    "use_reentrant=True (gradient_checkpointing_kwargs), ZeRO-2, or a newer DeepSpeed"
)


def second_run(message: str) -> str:
    flat = " ".join(message.split())
    counts, differs = COUNTS.search(flat), METADATA.search(flat)
    what = "the checkpointed part does not do the same the second time"
    if counts is not None:
        was, now = counts["was"], counts["now"]
        what = f"the checkpointed part saves {was} tensors the first time and {now} the second"
    elif differs is not None and differs["now"] == "[0]" != differs["was"]:
        return SCATTERED
    elif differs is not None:
        pair = ("was", "now") if differs["was"] != differs["now"] else ("dtype", "then")
        was, now = differs[pair[0]], differs[pair[1]]
        what = f"the checkpointed part saves a tensor of {was} the first time, of {now} the second"
    return f"{what}: {CHANGES}"
