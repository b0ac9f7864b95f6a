"""Error messages: this PyTorch was built without the library that decomposes matrices."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-in-this-build")
def not_in_this_build(failure: Failure) -> Hits:
    what, library = failure.groups["what"], failure.groups["library"]
    lapack = say("built-without-lapack", what=what)
    other = say("built-without-library", library=library, what=what)
    yield failure.hit(lapack if library in ("Lapack", "LAPACK") else other)
