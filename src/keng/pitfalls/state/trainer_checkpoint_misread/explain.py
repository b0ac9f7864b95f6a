"""Error messages: a checkpoint of a trainer does not hold what is asked of it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("called-on-the-object")
def called_on_the_object(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(
        f"{name} makes a new object and leaves the one it is called on as it was: model = {kind}.{name}(path)"
    )


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
    says = f"`{name}` would be saved twice, among the weights and whole among the hyperparameters"
    if "pickled" in failure.groups["what"]:
        says = f"`{name}` is not kept among the hyperparameters"
    yield failure.hit(
        f"{says}: save_hyperparameters(ignore=['{name}']), and load_from_checkpoint(path, {name}=...)"
    )


@explains("of-a-newer-version")
def of_a_newer_version(failure: Failure) -> Hits:
    theirs, ours = failure.groups["theirs"], failure.groups["ours"]
    yield failure.hit(say("file-lightning-s-reads", ours=theirs, ours_2=ours))


@explains("loaded-in-part")
def loaded_in_part(failure: Failure) -> Hits:
    names = failure.groups["names"]
    says = say("strict-false-not-file", names=names)
    if failure.groups["where"].startswith("not"):
        says = say("strict-false-file-left", names=names)
    yield failure.hit(says)
