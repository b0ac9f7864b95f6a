"""Error messages: what is loaded was compiled for another processor or Python."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("other-processor")
def other_processor(failure: Failure) -> Hits:
    has, needs = failure.groups.get("has"), failure.groups.get("needs")
    kinds = (
        f"for {has}, and this Python runs as {needs}" if has else "for another kind of processor"
    )
    yield failure.hit(say("what-installed-compiled-python", kinds=kinds))


@explains("other-python")
def other_python(failure: Failure) -> Hits:
    yield failure.hit(say("pytorch-was-compiled-another", name=failure.groups["name"]))
