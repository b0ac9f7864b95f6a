"""Error messages: a model that is wrapped does not lie on the first card of its list."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("lies-elsewhere")
def lies_elsewhere(failure: Failure) -> Hits:
    first, there = failure.groups["first"], failure.groups["there"]
    yield failure.hit(_off_the_first(failure, first, there))


def _off_the_first(failure: Failure, first: str, there: str) -> Message:
    """What to do about a part of a model that lies elsewhere than on the first card of its DataParallel."""
    spread = any("transformers/trainer.py" in frame.posix for frame in failure.frames)
    code = failure.code.text if failure.code is not None else failure.context
    if there != "cpu" and (spread or "device_map" in code):
        return say("spread-and-wrapped")
    if there == "cpu":
        return say("model-on-cpu", there=there, first=first)
    number = there.removeprefix("cuda:")
    return say("model-on-another-gpu", there=there, first=first, number=number)
