"""Error messages: a trainer gets a module or a dataset that it cannot use."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("two-packages")
def two_packages(failure: Failure) -> Hits:
    given, kind, trainer = (failure.groups[key] for key in ("given", "kind", "trainer"))
    yield failure.hit(say("comes-from-trainer-from", kind=kind, given=given, trainer=trainer))


@explains("no-module-of-lightning")
def no_module_of_lightning(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    named = say("not-a-lightning-module", kind=kind)
    yield failure.hit(say("class-given") if kind in ("type", "ABCMeta") else named)


@explains("no-loader-of-lightning")
def no_loader_of_lightning(failure: Failure) -> Hits:
    form, what = (failure.groups.get(key, "") for key in ("form", "what"))
    name = what.rpartition(".")[2] if form != "bound method " else what
    if form and "<" not in name:
        yield failure.hit(say("itself-given-where-loader", name=name))
    elif not form and name.endswith(("Dataset", "Subset")):
        yield failure.hit(say("data-set-dataloader-over", name=name))
    elif not form:
        known = say("read-as-loader", name=name)
        yield failure.hit(known if name else say("data-module-read-as-loader"))


@explains("data-module-of-the-other-package")
def data_module_of_the_other_package(failure: Failure) -> Hits:
    if failure.passed_through("/utilities/model_helpers.py"):
        yield failure.hit(say("data-module-of-other-package"))


@explains("not-defined")
def not_defined(failure: Failure) -> Hits:
    name = failure.groups["name"]
    loader = "_dataloader" in name
    yield failure.hit(
        say("loader-missing", name=name) if loader else say("method-missing", name=name)
    )


@explains("saved-before-it-was-seen")
def saved_before_it_was_seen(failure: Failure) -> Hits:
    if any(frame.function == "lightning_module_state_dict" for frame in failure.frames):
        yield failure.hit(say("saved-before-fit"))
