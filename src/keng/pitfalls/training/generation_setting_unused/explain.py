"""Error messages: a setting of generate is one that this way of generating does not use."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-looked-at")
def not_looked_at(failure: Failure) -> Hits:
    switch, name, value = (failure.groups[key] for key in ("switch", "name", "value"))
    greedy, beam = (
        say("greedy-ignores", name=name, value=value),
        say("one-beam-ignores", name=name, value=value),
    )
    yield failure.hit(greedy if switch == "do_sample" else beam)


@explains("two-lengths")
def two_lengths(failure: Failure) -> Hits:
    name, new, other, length = (failure.groups[key] for key in ("name", "new", "other", "length"))
    yield failure.hit(say("holds-does-not-may", name=name, new=new, other=other, length=length))


@explains("least-above-most")
def least_above_most(failure: Failure) -> Hits:
    name, least, most = (failure.groups[key] for key in ("name", "least", "most"))
    yield failure.hit(say("at-least-tokens-all", least=least, name=name, most=most))
