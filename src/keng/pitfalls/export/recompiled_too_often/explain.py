"""Error messages: a compiled function is compiled again and again."""

from __future__ import annotations

from keng.explain.advice.compiled import changing
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("gave-up")
def gave_up(failure: Failure) -> Hits:
    name, times = failure.groups.get("name") or "a function", failure.groups["n"]
    why = changing(failure.message)
    yield failure.hit(f"{name} was compiled {times} times and runs uncompiled now, {why}")


@explains("refused")
def refused(failure: Failure) -> Hits:
    yield failure.hit(f"it is compiled again in every call, {changing(failure.message)}")
