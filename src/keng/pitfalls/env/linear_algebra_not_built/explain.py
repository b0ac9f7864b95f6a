"""Error messages: this PyTorch was built without the library that decomposes matrices."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-in-this-build")
def not_in_this_build(failure: Failure) -> Hits:
    what, library = failure.groups["what"], failure.groups["library"]
    if library == "Lapack":
        library = "LAPACK"
    cure = (
        "another build" if library == "LAPACK" else "x.cpu() for this operation, or another build"
    )
    yield failure.hit(say("pytorch-was-built-without", cure=library, what=what, cure_2=cure))
