"""Error messages: two copies of the OpenMP library are loaded into one process."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("already-initialized")
def already_initialized(failure: Failure) -> Hits:
    library = failure.groups["library"]
    yield failure.hit(
        f"two packages bring a copy of {library}: all from one source (pip or conda) in a fresh environment, so that one is left; KMP_DUPLICATE_LIB_OK=TRUE goes on, at a risk"
    )


@explains("of-intel-and-gnu")
def of_intel_and_gnu(failure: Failure) -> Hits:
    yield failure.hit(
        f"MKL wants Intel's OpenMP, and GNU's {failure.groups['library']} was loaded first: import numpy before torch, or "
        "MKL_THREADING_LAYER=GNU"
    )
