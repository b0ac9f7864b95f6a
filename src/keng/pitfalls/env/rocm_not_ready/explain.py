"""Error messages: a PyTorch for AMD's cards does not reach them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-way-to-the-card")
def no_way_to_the_card(failure: Failure) -> Hits:
    yield failure.hit(
        "this user or container may not open the card: join the group render, or docker run --device=/dev/kfd --device=/dev/dri"
    )


@explains("library-missing")
def library_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']}, of ROCm, is not found: it was compiled for another release of ROCm than the one that is installed, or "
        "LD_LIBRARY_PATH lacks /opt/rocm/lib"
    )


@explains("compiler-not-there")
def compiler_not_there(failure: Failure) -> Hits:
    yield failure.hit(
        "ROCm's compiler hipcc is not there: the development packages of ROCm (rocm-dev), and ROCM_HOME where it is not /opt/rocm"
    )
