"""Error messages: the main memory is exhausted, not that of the GPU."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.pitfalls.device._shared_explain import amount
from keng.rules import explains

LOADS = re.compile(r"[Ll]oading (?:the )?(?:checkpoint|model|weights)|from_pretrained\(")


@explains("one-tensor-too-many")
def one_tensor_too_many(failure: Failure) -> Hits:
    gib = int(failure.groups["bytes"]) / 2**30
    wanted = amount(gib)
    operands = ", ".join(f"`{each.name}` {each.shape}" for each in failure.live.operands)
    if gib < 1:
        yield failure.hit(say("no-room-for-small-tensor", wanted=wanted))
    elif gib <= 64:
        yield failure.hit(say("no-room-for-tensor", wanted=wanted))
    elif operands:
        yield failure.hit(say("one-tensor-too-large-of", wanted=wanted, operands=operands))
    else:
        yield failure.hit(say("one-tensor-too-large", wanted=wanted))


@explains("killed-by-the-system")
def killed_by_the_system(failure: Failure) -> Hits:
    yield failure.hit(_killed(failure))


@explains("too-much-for-conda")
def too_much_for_conda(failure: Failure) -> Hits:
    if "torch" in f"{failure.message}\n{failure.surrounding}":
        yield failure.hit(say("conda-out-of-memory"))


def _killed(failure: Failure) -> Message:
    """Why the system has ended a process."""
    shown = f"{failure.message}\n{failure.context}\n{failure.surrounding}"
    return say("killed-while-loading") if LOADS.search(shown) else say("killed")
