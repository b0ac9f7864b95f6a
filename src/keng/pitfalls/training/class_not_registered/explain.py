"""Error messages: a configuration names a class that no registry holds."""

from __future__ import annotations

from keng.explain.advice.registries import not_of_the_toolbox, table_without
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("lacked-by-a-toolbox")
def lacked_by_a_toolbox(failure: Failure) -> Hits:
    name, registry = failure.groups["name"], failure.groups["registry"]
    yield failure.hit(not_of_the_toolbox(failure, name, registry, failure.groups.get("scope", "")))


@explains("not-imported")
def not_imported(failure: Failure) -> Hits:
    name, registry = failure.groups["name"], failure.groups["registry"]
    how = "--include-package" if "registered name for" in failure.message else "an import"
    yield failure.hit(
        f"no file that was imported puts `{name}` into the registry {registry}: {how} of the one that defines it, or its name as it is there"
    )


@explains("dataset-not-registered")
def dataset_not_registered(failure: Failure) -> Hits:
    yield failure.hit(
        f"this process has not registered `{failure.groups['name']}`: register_coco_instances or DatasetCatalog.register before it is asked for, in every process"
    )


@explains("registered-twice")
def registered_twice(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is registered twice: its file is imported by two paths or run again, or the library has one of that name; another name, or a new start"
    )


@explains("not-of-fairseq")
def not_of_fairseq(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups.get("name", "")
    shown = f" `{name}`" if name else " of that name"
    yield failure.hit(
        f"fairseq has no {what}{shown} here: --user-dir, or utils.import_user_module, with the code that defines it, or a newer fairseq"
    )


@explains("not-in-the-table")
def not_in_the_table(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if table := table_without(failure):
        yield failure.hit(
            f"`{table}` has no `{name}`: it is spelled otherwise there (print its keys), or the file that puts it in is not there or not imported"
        )
