"""Error messages: a check inside of PyTorch has failed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

OF_CHECKS = {
    r"CUDAGuardImpl\.h": say("tensor-on-cpu"),
    r"/mps/|\.mm\b": say("bug-on-mac-gpu"),
    r"codegen[/\\]cuda": say("bug-of-nvfuser"),
    r"handles_": say("expandable-segments-on-full-gpu"),
}
"""A place or a word of a check inside PyTorch -> what is behind it."""
COMPILED_IN = re.compile(r" \(\w+ at |\(no backtrace|\s*\n")
"""Where a message goes over to the place in C++."""


@explains("a-check-of-its-own")
def a_check_of_its_own(failure: Failure) -> Hits:
    check, file, says = (failure.groups[key] for key in ("check", "file", "says"))
    says = COMPILED_IN.split(says)[0].rstrip(". ")
    given = {"check": check, "file": file, "advice": _behind_a_check(failure.message)}
    plain = say("check-failed", **given)
    yield failure.hit(say("check-failed-with", says=says, **given) if says else plain)


@explains("a-check-of-old")
def a_check_of_old(failure: Failure) -> Hits:
    check, file = failure.groups["check"], failure.groups["file"]
    advice = say("bug-or-extension")
    yield failure.hit(say("check-failed", check=check, file=file, advice=advice))


def _behind_a_check(message: str) -> Message:
    """What is behind a check that has failed inside PyTorch, where its place tells."""
    found = (why for said, why in OF_CHECKS.items() if re.search(said, message))
    return next(found, say("bug-or-extension"))
