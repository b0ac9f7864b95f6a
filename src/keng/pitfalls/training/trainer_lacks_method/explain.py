"""Error messages: a trainer is given something without a method that it calls."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SAVED_EARLY = (
    "the trainer has seen no model yet: save_checkpoint after fit, validate, test or predict"
)


@explains("not-defined")
def not_defined(failure: Failure) -> Hits:
    name = failure.groups["name"]
    given = ", or pass a loader to the trainer" if "_dataloader" in name else ""
    yield failure.hit(f"the module has no {name}: see its spelling and indentation{given}")


@explains("no-loader")
def no_loader(failure: Failure) -> Hits:
    where, came = failure.groups["where"], failure.groups["came"]
    yield failure.hit(say("gives-where-dataloader-taken", came=where, came_2=came))


@explains("outside-of-a-run")
def outside_of_a_run(failure: Failure) -> Hits:
    yield failure.hit(say("self-trainer-asked-outside", module=failure.groups["module"]))


@explains("saved-before-it-was-seen")
def saved_before_it_was_seen(failure: Failure) -> Hits:
    if any(frame.function == "lightning_module_state_dict" for frame in failure.frames):
        yield failure.hit(SAVED_EARLY)


@explains("logged-in-two-ways")
def logged_in_two_ways(failure: Failure) -> Hits:
    name, where = failure.groups["name"], failure.groups["where"]
    yield failure.hit(say("logged-twice-other-settings", where=name, where_2=where))
