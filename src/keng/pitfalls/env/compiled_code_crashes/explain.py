"""Error messages: the process ends inside of compiled code, and Python says nothing."""

from __future__ import annotations

import re

from keng.explain.advice.platforms import AMDS
from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

TORCHS = re.compile(r"(?i)torch|cuda|\bGPU|\btrain|accelerate")
"""An exit code alone is any program's."""


@explains("memory-of-another")
def memory_of_another(failure: Failure) -> Hits:
    what = failure.groups.get("what")
    advice = _of_a_crash(failure)
    named = say("named-crash", what=what, advice=advice)
    yield failure.hit(named if what else say("crash", advice=advice))


@explains("code-of-a-crash")
def code_of_a_crash(failure: Failure) -> Hits:
    if TORCHS.search(failure.message):
        yield failure.hit(say("crash-by-code", code=failure.groups["code"]))


@explains("code-of-an-abort")
def code_of_an_abort(failure: Failure) -> Hits:
    if TORCHS.search(failure.message):
        yield failure.hit(say("abort-by-code", code=failure.groups["code"]))


def _of_a_crash(failure: Failure) -> Message:
    """What may have ended a process inside of compiled code."""
    text = f"{failure.message} {failure.context}"
    if failure.matches(AMDS):
        return say("crash-on-amd")
    if re.search(r"\b(?:while|when|on|at|after) (?:I )?import(?:ing)? torch\b", text):
        return say("crash-on-import")
    return say("crash-anywhere")
