"""Error messages: pEFT is of another time than the adapter or than what works with it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("saved-by-a-newer")
def saved_by_a_newer(failure: Failure) -> Hits:
    names, kind = failure.groups["names"], failure.groups["kind"]
    yield failure.hit(say("adapter-was-saved-newer", kind=names, kind_2=kind))


@explains("beside-an-older")
def beside_an_older(failure: Failure) -> Hits:
    name, came, wants = (failure.groups[key] for key in ("name", "came", "wants"))
    yield failure.hit(say("peft-takes-from-on", came=name, wants=wants, came_2=came))


@explains("older-than-asked")
def older_than_asked(failure: Failure) -> Hits:
    yield failure.hit(say("peft-imported-older-than", wants=failure.groups["wants"]))


@explains("packed-otherwise")
def packed_otherwise(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(say("not-bitsandbytes-installed-pip", kind=name, kind_2=kind))
