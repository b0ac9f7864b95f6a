"""Error messages: a checkpoint of a trainer does not hold what is asked of it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
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
        yield failure.hit(
            f"the checkpoint holds no {names} for __init__: load_from_checkpoint(path, NAME=...), and self.save_hyperparameters() in __init__ before saving"
        )


@explains("not-at-that-path")
def not_at_that_path(failure: Failure) -> Hits:
    if "Aborting" in failure.message or failure.passed_through("plugins/io/torch_io.py"):
        yield failure.hit(
            f"`{failure.groups['path']}` is not there, seen from the directory in which the program runs: an absolute path, or checkpoint_callback.best_model_path"
        )


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
    yield failure.hit(
        f"the file is Lightning {theirs}'s, and {ours} reads it without adapting it: right for weights as a rule; pip install 'lightning>={theirs}' to resume"
    )


@explains("loaded-in-part")
def loaded_in_part(failure: Failure) -> Hits:
    names = failure.groups["names"]
    says = f"strict=False: {names} are not in the file and stay as they were made"
    if failure.groups["where"].startswith("not"):
        says = f"strict=False: {names} are in the file and left aside, as the model has none such"
    yield failure.hit(says)
