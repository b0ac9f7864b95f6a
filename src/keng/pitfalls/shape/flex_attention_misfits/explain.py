"""Error messages: `flex_attention` gets heads, lengths or a mask that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("of-another-length")
def of_another_length(failure: Failure) -> Hits:
    made, q, k = (failure.groups[key] for key in ("made", "q", "k"))
    yield failure.hit(
        f"the mask is made for ({', '.join(made.split(', ')[-2:])}), and the lengths are ({q}, {k}): create_block_mask for these"
    )


@explains("apart")
def apart(failure: Failure) -> Hits:
    what, sizes = failure.groups["what"], failure.groups["sizes"]
    yield failure.hit(f"query and key differ in {what}: {sizes}")


@explains("mask-elsewhere")
def mask_elsewhere(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(
        f"query and block mask lie on {one} and {other}: create_block_mask(..., device=query.device)"
    )


@explains("mask-of-numbers")
def mask_of_numbers(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/attention/flex_attention.py"):
        yield failure.hit(
            "a block mask is made of a function of (b, h, q_idx, kv_idx), not of a tensor: lambda b, h, q, k: mask[q, k]"
        )
