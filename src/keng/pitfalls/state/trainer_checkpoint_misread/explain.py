"""Error messages: a checkpoint of a trainer does not hold what is asked of it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("hyperparameters-not-there")
def hyperparameters_not_there(failure: Failure) -> Hits:
    if failure.passed_through("lightning/core/saving.py", "lightning/pytorch/core/saving.py"):
        names = failure.groups["names"]
        yield failure.hit(say("checkpoint-holds-no-init", names=names))


@explains("not-at-that-path")
def not_at_that_path(failure: Failure) -> Hits:
    if "Aborting" in failure.message or failure.passed_through("plugins/io/torch_io.py"):
        yield failure.hit(say("not-there-seen-from", path=failure.groups["path"]))


@explains("no-hyperparameter")
def no_hyperparameter(failure: Failure) -> Hits:
    name = failure.groups["name"]
    pickled = "pickled" in failure.groups["what"]
    yield failure.hit(say("not-kept", name=name) if pickled else say("saved-twice", name=name))


@explains("loaded-in-part")
def loaded_in_part(failure: Failure) -> Hits:
    names = failure.groups["names"]
    says = say("strict-false-not-file", names=names)
    if failure.groups["where"].startswith("not"):
        says = say("strict-false-file-left", names=names)
    yield failure.hit(says)
