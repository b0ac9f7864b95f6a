"""Data sets and loaders that lack something: where it is, or what to write."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

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
INDEXED = re.compile(r"\[(?:index|idx|item|ind|i)\]|\bidx < 0")


def kept_in(kind: str, name: str) -> str:
    """Where a data set made of another, or of tensors, has what was asked of it."""
    if kind not in INSIDE:
        return "its tensors stand in .tensors, as they were given"
    which = ", and .indices says which are this part's"
    known = kind == "Subset" and name not in OF_ALL
    return f"what it is made of has, in {INSIDE[kind]}{which if known else ''}"


def of_no_length(kind: str) -> str:
    """What is wrong with a data set that has no length."""
    if "Iterable" in kind:
        return f"the stream {kind} has no length: count steps in its place, or give it a __len__"
    return OF_NO_LENGTH.get(kind, f"the dataset {kind} has no __len__, which this loader needs")


def of_no_index(failure: Failure) -> str:
    """Why a data set takes no index; nothing where another class has no such method."""
    kind, last = failure.groups.get("kind", ""), failure.frames[-1] if failure.frames else None
    if kind:
        why = "misspelt, or not indented into the class"
        if "Iterable" in kind:
            why = "a stream is gone through, next(iter(dataset)) is its first sample"
        return f"{kind} has no __getitem__: {why}"
    base = last is not None and last.posix.endswith("torch/utils/data/dataset.py")
    return WITHOUT_INDEX if base and last is not None and last.function == "__getitem__" else ""


def lists_for_indices(failure: Failure) -> bool:
    """Whether a sampler gave a list to a data set for one index. A tensor of labels may hold several values
    for a sample, and those of torchvision's data sets hold one."""
    last = failure.frames[-1] if failure.frames else None
    fetched = any("for idx in possibly_batched_index]" in frame.text for frame in failure.frames)
    if not fetched or last is None or last.function != "__getitem__":
        return False
    known = "'list'" in failure.message or "not list" in failure.message
    by_index = INDEXED.search(last.text) is not None
    return by_index and (known or "/torchvision/datasets/" in last.posix)


def of_a_loader(name: str) -> str:
    """What to write where a loader is asked for a name, or for an entry."""
    if name in ("to", "cuda"):
        return "each batch goes to the card by itself, in the loop, x.to(device)"
    if name in ("data", "targets"):
        return f"what it goes through has that, loader.dataset.{name}"
    return "next(iter(loader)) gives one batch"
