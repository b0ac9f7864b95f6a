"""Error messages: two copies of the OpenMP library are loaded into one process."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("already-initialized")
def already_initialized(failure: Failure) -> Hits:
    library = failure.groups["library"]
    yield failure.hit(say("two-packages-bring-copy", library=library))


@explains("of-intel-and-gnu")
def of_intel_and_gnu(failure: Failure) -> Hits:
    yield failure.hit(say("mkl-wants-intel-s", library=failure.groups["library"]))
