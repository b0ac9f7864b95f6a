"""Error messages: a dataset lacks a method that the loader calls, or is used as what it is not."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

INSIDE = {"Subset": ".dataset", "ConcatDataset": ".datasets"}
OF_ALL = ("classes", "class_to_idx", "transform", "target_transform", "root")
"""What a part has in common with the whole."""
USED_UP = say("dataset-is-iterator")
OF_NO_LENGTH = {
    "NoneType": say("dataset-is-none"),
    **dict.fromkeys(("generator", "zip", "map", "filter"), USED_UP),
}
"""What is given for a dataset -> what to do."""


@explains("no-length")
def no_length(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    asked = "torch/utils/data" in failure.raised_in
    if failure.frames and failure.frames[-1].path.endswith("collate.py"):
        none = kind == "NoneType"
        yield failure.hit(say("sample-is-none") if none else say("sample-of-type", kind=kind))
    elif asked and kind == "type":
        yield failure.hit(say("dataset-is-a-class"))
    elif asked or kind in ("IterableDataset", "Dataset"):
        yield failure.hit(_of_no_length(kind))


@explains("method-of-another-form")
def method_of_another_form(failure: Failure) -> Hits:
    last = failure.frames[-1] if failure.frames else None
    if last is None or "/torch/utils/data/" not in last.posix:
        return
    if failure.groups.get("takes"):
        yield failure.hit(say("getitem-arguments"))
    elif "len(" in last.text:
        kind = failure.groups["kind"]
        yield failure.hit(say("length-no-integer", kind=kind))


@explains("loader-with-an-index")
def loader_with_an_index(failure: Failure) -> Hits:
    yield failure.hit(_of_a_loader(failure.groups["name"] or ""))


@explains("without-an-index")
def without_an_index(failure: Failure) -> Hits:
    if says := _of_no_index(failure):
        yield failure.hit(says)


@explains("kept-inside")
def kept_inside(failure: Failure) -> Hits:
    groups, old = failure.groups, failure.groups.get("old", "")
    if old:
        new = "targets" if old.endswith("labels") else "data"
        yield failure.hit(say("torchvision-renamed", old=old, new=new))
    else:
        yield failure.hit(_kept_in(groups["kind"], groups["name"]))


def _of_no_length(kind: str) -> Message:
    """What is wrong with a data set that has no length."""
    if "Iterable" in kind:
        return say("stream-without-length", kind=kind)
    return OF_NO_LENGTH.get(kind) or say("dataset-without-length", kind=kind)


def _of_a_loader(name: str) -> Message:
    """What to write where a loader is asked for a name, or for an entry."""
    if name in ("to", "cuda"):
        return say("loader-moved")
    if name in ("data", "targets"):
        return say("loader-asked-for-data", name=name)
    return say("loader-indexed")


def _of_no_index(failure: Failure) -> Message | None:
    """Why a data set takes no index; None where another class has no such method."""
    kind, last = failure.groups.get("kind", ""), failure.frames[-1] if failure.frames else None
    if "Iterable" in kind:
        return say("stream-without-index", kind=kind)
    if kind:
        return say("class-without-getitem", kind=kind)
    base = last is not None and last.posix.endswith("torch/utils/data/dataset.py")
    asked = base and last is not None and last.function == "__getitem__"
    return say("dataset-without-getitem") if asked else None


def _kept_in(kind: str, name: str) -> Message:
    """Where a data set made of another, or of tensors, has what was asked of it."""
    if kind not in INSIDE:
        return say("kept-in-tensors", name=name)
    if kind == "Subset" and name not in OF_ALL:
        return say("kept-in-dataset", name=name)
    return say("kept-in", kind=kind, name=name, inside=INSIDE[kind])
