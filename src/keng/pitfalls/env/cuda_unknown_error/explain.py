"""Error messages: cUDA cannot start, and does not say why."""

from __future__ import annotations

from keng.explain.advice.platforms import WINDOWS, WSL
from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("driver-left-broken")
def driver_left_broken(failure: Failure) -> Hits:
    yield failure.hit(_unknown_to_the_driver(failure))


@explains("cards-not-counted")
def cards_not_counted(failure: Failure) -> Hits:
    yield failure.hit(
        say(
            "fails-while-counting",
            why=failure.groups["why"].strip(),
            code=failure.groups["code"],
        )
    )


def _unknown_to_the_driver(failure: Failure) -> Message:
    """Where CUDA only says that it knows no more."""
    starts = any(frame.function in ("_lazy_init", "device_count") for frame in failure.frames)
    starts = starts or "set up environment" in failure.message
    if failure.frames and not starts:
        return say("gave-up-during-run")
    if failure.matches(WINDOWS) or failure.matches(WSL):
        return say("driver-silent-on-windows")
    return say("driver-silent")
