"""Error messages: a hook gives back something else than what it was given."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"the hook gives back a gradient of another {what}: keep it, or return nothing"
    )


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    yield failure.hit(say("hook-gives-back-gradient", kind=failure.groups["kind"]))


@explains("not-both")
def not_both(failure: Failure) -> Hits:
    yield failure.hit(say("pre-hook-keywords-returns"))


@explains("both-ways")
def both_ways(failure: Failure) -> Hits:
    yield failure.hit(say("old-new-backward-hooks"))


@explains("of-another-number")
def of_another_number(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        f"the hook gives back {groups['got']} gradients, and there are {groups['wants']} {groups['of']}s"
    )
