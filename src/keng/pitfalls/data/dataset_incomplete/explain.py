"""Error messages: a dataset lacks a method that the loader calls, or is used as what it is not."""

from __future__ import annotations

from keng.explain.advice.datasets import kept_in, of_a_loader, of_no_index, of_no_length
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-length")
def no_length(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    asked = "torch/utils/data" in failure.raised_in
    if failure.frames and failure.frames[-1].path.endswith("collate.py"):
        what = "None" if kind == "NoneType" else f"of kind {kind}"
        yield failure.hit(f"a sample is {what}: __getitem__ returns as many parts for each index")
    elif asked and kind == "type":
        yield failure.hit("a class is given for a dataset, and no object of it: parentheses")
    elif asked or kind in ("IterableDataset", "Dataset"):
        yield failure.hit(of_no_length(kind))


@explains("method-of-another-form")
def method_of_another_form(failure: Failure) -> Hits:
    last = failure.frames[-1] if failure.frames else None
    if last is None or "/torch/utils/data/" not in last.posix:
        return
    if failure.groups.get("takes"):
        yield failure.hit("`def __getitem__(self, index)`: one of the two is missing")
    elif "len(" in last.text:
        kind = failure.groups["kind"]
        yield failure.hit(f"`__len__` returns a {kind} where a whole number is wanted: int(...)")


@explains("loader-with-an-index")
def loader_with_an_index(failure: Failure) -> Hits:
    yield failure.hit(f"a DataLoader is gone through: {of_a_loader(failure.groups['name'] or '')}")


@explains("without-an-index")
def without_an_index(failure: Failure) -> Hits:
    if says := of_no_index(failure):
        yield failure.hit(says)


@explains("kept-inside")
def kept_inside(failure: Failure) -> Hits:
    groups, old = failure.groups, failure.groups.get("old", "")
    if old:
        new = "targets" if old.endswith("labels") else "data"
        yield failure.hit(f"datasets of torchvision call it `{new}` since 0.3, not {old}")
    else:
        kind, name = groups["kind"], groups["name"]
        yield failure.hit(f"a {kind} has no `{name}`: {kept_in(kind, name)}")


@explains("base-not-made")
def base_not_made(failure: Failure) -> Hits:
    yield failure.hit(
        "`{kind}` never sets `{name}`, which the samplers of torch set in __init__ and read in __len__: super().__init__(...), or a "
        "__len__ of its own".format(**failure.groups)
    )
