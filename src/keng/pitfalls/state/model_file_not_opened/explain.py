"""Error messages: a scripted model's file is not there, or cannot be opened."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    path, folder = failure.groups["path"], failure.groups["folder"]
    if folder:
        yield failure.hit(f"`{path}` is a folder: the file in it, as torch.jit.save wrote it")
        return
    yield failure.hit(
        f"`{path}` is not there, seen from the directory in which the program runs: an absolute path"
    )


@explains("not-opened")
def not_opened(failure: Failure) -> Hits:
    path, why = failure.groups["path"], failure.groups["why"] or "no reason is told"
    if path:
        yield failure.hit(
            f"`{path}` cannot be opened ({why}), seen from the directory in which the program runs: an absolute path"
        )
        return
    says = f"the path arrives empty ({why}): a Debug program with the Release build of libtorch, or the other way round"
    yield failure.hit(says, sure=False)  # or it was empty before


@explains("not-opened-on-a-phone")
def not_opened_on_a_phone(failure: Failure) -> Hits:
    yield failure.hit(
        "there is no file at the path that the phone was given: an asset is copied to getFilesDir() first, and its absolute path goes to Module.load"
    )
