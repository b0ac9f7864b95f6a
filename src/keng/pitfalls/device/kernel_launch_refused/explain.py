"""Error messages: a kernel is to be started with more threads, blocks or memory than the card has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("sizes-refused")
def sizes_refused(failure: Failure) -> Hits:
    says = "a kernel is started with sizes that the card refuses: an empty batch (leave it out), over 65535 of batch x heads (in pieces), or an extension's too many threads"
    if "too many resources" in failure.message:
        says = "a kernel wants more registers than the card has: fewer threads for a block in an extension (__launch_bounds__), float32 for float64, or a build for this card"
    yield failure.hit(says)


@explains("tile-too-large")
def tile_too_large(failure: Failure) -> Hits:
    what, needs, has = (failure.groups[key] for key in ("what", "needs", "has"))
    yield failure.hit(
        f"a kernel of Triton wants {needs} of {what}, and the card has {has}: smaller blocks, fewer num_stages"
    )
