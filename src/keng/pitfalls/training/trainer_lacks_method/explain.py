"""Error messages: a trainer is given something without a method that it calls."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-defined")
def not_defined(failure: Failure) -> Hits:
    name = failure.groups["name"]
    loader = "_dataloader" in name
    yield failure.hit(
        say("loader-missing", name=name) if loader else say("method-missing", name=name)
    )


@explains("no-loader")
def no_loader(failure: Failure) -> Hits:
    where, came = failure.groups["where"], failure.groups["came"]
    yield failure.hit(say("gives-where-dataloader-taken", where=where, came=came))


@explains("outside-of-a-run")
def outside_of_a_run(failure: Failure) -> Hits:
    yield failure.hit(say("self-trainer-asked-outside", module=failure.groups["module"]))


@explains("saved-before-it-was-seen")
def saved_before_it_was_seen(failure: Failure) -> Hits:
    if any(frame.function == "lightning_module_state_dict" for frame in failure.frames):
        yield failure.hit(say("saved-before-fit"))


@explains("logged-in-two-ways")
def logged_in_two_ways(failure: Failure) -> Hits:
    name, where = failure.groups["name"], failure.groups["where"]
    yield failure.hit(say("logged-twice-other-settings", name=name, where=where))
