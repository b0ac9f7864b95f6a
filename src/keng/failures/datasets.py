"""Data sets and loaders that lack something: where it is, or what to write."""

from __future__ import annotations

INSIDE = {"Subset": ".dataset", "ConcatDataset": ".datasets"}
OF_ALL = ("classes", "class_to_idx", "transform", "target_transform", "root")
"""What a part has in common with the whole."""
USED_UP = "the dataset is used up by one reader, and has no length: list(...) of it"
OF_NO_LENGTH = {
    "NoneType": "the dataset is None: what was to make it returned nothing",
    **dict.fromkeys(("generator", "zip", "map", "filter"), USED_UP),
}
"""What is given for a dataset -> what to do."""


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


def of_no_index(kind: str) -> str:
    """Why a data set takes no index."""
    if "Iterable" in kind:
        return "a stream is gone through, next(iter(dataset)) is its first sample"
    return "misspelt, or not indented into the class"


def of_a_loader(name: str) -> str:
    """What to write where a loader is asked for a name, or for an entry."""
    if name in ("to", "cuda"):
        return "each batch goes to the card by itself, in the loop, x.to(device)"
    if name in ("data", "targets"):
        return f"what it goes through has that, loader.dataset.{name}"
    return "next(iter(loader)) gives one batch"
