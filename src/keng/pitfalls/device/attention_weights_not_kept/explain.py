"""Error messages: attention weights are asked of a kernel that never makes them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("never-made")
def never_made(failure: Failure) -> Hits:
    kernel = failure.groups["kernel"].lower()
    yield failure.hit(
        f'the kernel of `{kernel}` makes no attention weights to give back: attn_implementation="eager" at from_pretrained, or without output_attentions'
    )


@explains("gone-over")
def gone_over(failure: Failure) -> Hits:
    yield failure.hit(
        'the kernel makes no attention weights, and this layer takes the plain way by itself: right and slower; attn_implementation="eager" says it'
    )
