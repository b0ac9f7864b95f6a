"""Error messages: a trainer is given a module that is none of its own kind."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("two-packages")
def two_packages(failure: Failure) -> Hits:
    given, kind, trainer = (failure.groups[key] for key in ("given", "kind", "trainer"))
    yield failure.hit(say("comes-from-trainer-from", trainer=kind, given=given, trainer_2=trainer))


@explains("no-module-of-lightning")
def no_module_of_lightning(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    says = f"`{kind}` is no LightningModule of this Trainer's package"
    if kind in ("type", "ABCMeta"):
        says = "the class is given, and no object of it"
    yield failure.hit(
        f"{says}: class Lit(LightningModule) that holds the model, with both imported from one of lightning and pytorch_lightning"
    )


OTHER_PACKAGE = "is no LightningDataModule of this Trainer's package: import one of lightning and pytorch_lightning in all files"


@explains("no-loader-of-lightning")
def no_loader_of_lightning(failure: Failure) -> Hits:
    form, what = (failure.groups.get(key, "") for key in ("form", "what"))
    name = what.rpartition(".")[2] if form != "bound method " else what
    if form and "<" not in name:
        yield failure.hit(say("itself-given-where-loader", name=name))
    elif not form and name.endswith(("Dataset", "Subset")):
        yield failure.hit(say("data-set-dataloader-over", name=name))
    elif not form:
        shown = f"`{name}`" if name else "the data module"
        yield failure.hit(f"{shown} is taken for a loader, as it {OTHER_PACKAGE}")


@explains("data-module-of-the-other-package")
def data_module_of_the_other_package(failure: Failure) -> Hits:
    if failure.passed_through("/utilities/model_helpers.py"):
        yield failure.hit(f"the data module {OTHER_PACKAGE}")
