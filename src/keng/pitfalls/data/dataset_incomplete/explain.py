"""Error messages: a dataset lacks a method that the loader calls, or is used as what it is not."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

INSIDE = {"Subset": ".dataset", "ConcatDataset": ".datasets"}
OF_ALL = ("classes", "class_to_idx", "transform", "target_transform", "root")
"""What a part has in common with the whole."""
USED_UP = "the dataset is used up by one reader, and has no length: list(...) of it"
OF_NO_LENGTH = {
    "NoneType": "the dataset is None: what was to make it returned nothing",
    **dict.fromkeys(("generator", "zip", "map", "filter"), USED_UP),
}
"""What is given for a dataset -> what to do."""
WITHOUT_INDEX = "the dataset has no __getitem__: the name, or its indentation, is not right"


@explains("no-length")
def no_length(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    asked = "torch/utils/data" in failure.raised_in
    if failure.frames and failure.frames[-1].path.endswith("collate.py"):
        what = "None" if kind == "NoneType" else f"of kind {kind}"
        yield failure.hit(f"a sample is {what}: __getitem__ returns as many parts for each index")
    elif asked and kind == "type":
        yield failure.hit(say("class-given-dataset-no"))
    elif asked or kind in ("IterableDataset", "Dataset"):
        yield failure.hit(_of_no_length(kind))


@explains("method-of-another-form")
def method_of_another_form(failure: Failure) -> Hits:
    last = failure.frames[-1] if failure.frames else None
    if last is None or "/torch/utils/data/" not in last.posix:
        return
    if failure.groups.get("takes"):
        yield failure.hit(say("one-two-missing"))
    elif "len(" in last.text:
        kind = failure.groups["kind"]
        yield failure.hit(say("returns-where-whole-number", kind=kind))


@explains("loader-with-an-index")
def loader_with_an_index(failure: Failure) -> Hits:
    yield failure.hit(f"a DataLoader is gone through: {_of_a_loader(failure.groups['name'] or '')}")


@explains("without-an-index")
def without_an_index(failure: Failure) -> Hits:
    if says := _of_no_index(failure):
        yield failure.hit(says)


@explains("kept-inside")
def kept_inside(failure: Failure) -> Hits:
    groups, old = failure.groups, failure.groups.get("old", "")
    if old:
        new = "targets" if old.endswith("labels") else "data"
        yield failure.hit(say("datasets-torchvision-call-since", old=new, old_2=old))
    else:
        kind, name = groups["kind"], groups["name"]
        yield failure.hit(f"a {kind} has no `{name}`: {_kept_in(kind, name)}")


@explains("base-not-made")
def base_not_made(failure: Failure) -> Hits:
    yield failure.hit(
        "`{kind}` never sets `{name}`, which the samplers of torch set in __init__ and read in __len__: super().__init__(...), or a "
        "__len__ of its own".format(**failure.groups)
    )


def _of_no_length(kind: str) -> str:
    """What is wrong with a data set that has no length."""
    if "Iterable" in kind:
        return f"the stream {kind} has no length: count steps in its place, or give it a __len__"
    return OF_NO_LENGTH.get(kind, f"the dataset {kind} has no __len__, which this loader needs")


def _of_a_loader(name: str) -> str:
    """What to write where a loader is asked for a name, or for an entry."""
    if name in ("to", "cuda"):
        return "each batch goes to the card by itself, in the loop, x.to(device)"
    if name in ("data", "targets"):
        return f"what it goes through has that, loader.dataset.{name}"
    return "next(iter(loader)) gives one batch"


def _of_no_index(failure: Failure) -> str:
    """Why a data set takes no index; nothing where another class has no such method."""
    kind, last = failure.groups.get("kind", ""), failure.frames[-1] if failure.frames else None
    if kind:
        why = "misspelt, or not indented into the class"
        if "Iterable" in kind:
            why = "a stream is gone through, next(iter(dataset)) is its first sample"
        return f"{kind} has no __getitem__: {why}"
    base = last is not None and last.posix.endswith("torch/utils/data/dataset.py")
    return WITHOUT_INDEX if base and last is not None and last.function == "__getitem__" else ""


def _kept_in(kind: str, name: str) -> str:
    """Where a data set made of another, or of tensors, has what was asked of it."""
    if kind not in INSIDE:
        return "its tensors stand in .tensors, as they were given"
    which = ", and .indices says which are this part's"
    known = kind == "Subset" and name not in OF_ALL
    return f"what it is made of has, in {INSIDE[kind]}{which if known else ''}"
