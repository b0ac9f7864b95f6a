"""Error messages: a distributed checkpoint does not hold what is loaded from it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("name-not-there")
def name_not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"the checkpoint has no `{failure.groups['name']}`: it was saved under another name, as with or without `model.` before it, or "
        "not at all"
    )


@explains("never-stepped")
def never_stepped(failure: Failure) -> Hits:
    yield failure.hit(
        f"the optimizer had no state of `{failure.groups['name']}` when it was saved: frozen or without a gradient until then, not in the model, or under another name"
    )


@explains("of-another-size")
def of_another_size(failure: Failure) -> Hits:
    saved, now, name = (failure.groups[key] for key in ("saved", "now", "name"))
    yield failure.hit(
        f"`{name}` was saved as {saved} and is {now} in this model: the same configuration"
    )


@explains("folder-without-metadata")
def folder_without_metadata(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is no .metadata in `{failure.groups['path']}`: a wrong path, one that not all ranks see, or a save that did not come to its end"
    )


@explains("metadata-damaged")
def metadata_damaged(failure: Failure) -> Hits:
    yield failure.hit(
        f"the .metadata of the checkpoint is there and damaged ({failure.groups['why']}): a save or a copy that did not come to its end"
    )


@explains("part-is-missing")
def part_is_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['path']}` holds a rank's part of the checkpoint and is not here: copy the whole folder, of all machines where each "
        "wrote on a disk of its own"
    )
