"""Error messages: a scripted model's file is not there, or cannot be opened."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    path, folder = failure.groups["path"], failure.groups["folder"]
    if folder:
        yield failure.hit(say("folder-file-torch-jit", path=path))
        return
    yield failure.hit(say("not-there-seen-from", path=path))


@explains("not-opened")
def not_opened(failure: Failure) -> Hits:
    path, why = failure.groups["path"], failure.groups["why"]
    if path and why:
        yield failure.hit(say("cannot-opened-seen-from", path=path, why=why))
    elif path:
        yield failure.hit(say("cannot-be-opened", path=path))
    else:
        known = say("path-arrives-empty-debug", why=why)
        # or it was empty before
        yield failure.hit(known if why else say("path-arrives-empty"), sure=False)
