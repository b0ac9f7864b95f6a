"""Error messages: packages want PyTorch in versions that exclude each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("replaced-afterwards")
def replaced_afterwards(failure: Failure) -> Hits:
    who, wanted, own = (failure.groups[name] for name in ("who", "wanted", "own"))
    yield failure.hit(
        f"{who} wants torch{wanted}, and {own.rstrip('.')} is installed now: name both in one pip install"
    )


@explains("exclude-each-other")
def exclude_each_other(failure: Failure) -> Hits:
    yield failure.hit(f"no version of torch satisfies {failure.groups['what']}: loosen a pin")


@explains("no-build-of-conda")
def no_build_of_conda(failure: Failure) -> Hits:
    yield failure.hit(
        f"conda's channels have no {failure.groups['what']} for this Python and CUDA: pip install torch in a fresh environment, or "
        "conda-forge"
    )
