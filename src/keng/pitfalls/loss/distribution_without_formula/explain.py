"""Error messages: a distribution is asked for what it cannot compute."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

ESTIMATED = ("mean", "variance", "stddev")


@explains("without-a-word")
def without_a_word(failure: Failure) -> Hits:
    asked = next((f for f in failure.frames if "/torch/distributions/" in f.posix), None)
    if asked is None or "/torch/distributions/" not in failure.raised_in:
        return
    if failure.raised_in.endswith("/transforms.py"):
        yield failure.hit(say("no-density"))
    elif (says := _lacks(asked.function)) is not None:
        yield failure.hit(says)


def _lacks(method: str) -> Message | None:
    """What to do without a method of a distribution."""
    match method:
        case "rsample":
            return say("no-rsample")
        case "entropy":
            return say("no-entropy")
        case "cdf":
            return say("no-cdf")
        case "icdf":
            return say("no-icdf")
        case "enumerate_support":
            return say("no-enumerate-support")
        case "log_prob":
            return say("no-log-prob")
    return say("by-samples", name=method) if method in ESTIMATED else None
