"""Error messages: a package of AOTInductor is loaded or called otherwise than it was compiled."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("input-differs")
def input_differs(failure: Failure) -> Hits:
    nth, what, wants = (failure.groups[name] for name in ("nth", "what", "wants"))
    at, got = failure.groups.get("at", ""), failure.groups.get("got", "")
    came = f", and got {got}" if got else ""
    yield failure.hit(
        say(
            "input-package-was-compiled",
            nth=nth,
            what=what,
            value=at + " of " if at else "",
            wants=wants,
            came=came,
        )
    )


@explains("number-differs")
def number_differs(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(say("package-takes-tensors-gets", got=wants, got_2=got))


@explains("no-archive")
def no_archive(failure: Failure) -> Hits:
    yield failure.hit(say("package-cannot-read-path", why=failure.groups["why"].strip()))
