"""Error messages: a kernel has failed, and a later line is blamed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("blamed-on-another-line")
def blamed_on_another_line(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} in a kernel started before this line: run with "
        "CUDA_LAUNCH_BLOCKING=1 to see which, then look at its indices, or at the custom operator: all it gets on the current card"
    )


@explains("broken-on-a-card-of-amds")
def broken_on_a_card_of_amds(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} in a kernel started before this line: AMD_SERIALIZE_KERNEL=3 shows which; a card that ROCm does not support, "
        "or HSA_OVERRIDE_GFX_VERSION for another one, breaks so as well"
    )


@explains("stopped-by-the-system")
def stopped_by_the_system(failure: Failure) -> Hits:
    yield failure.hit(
        "the launch timed out: the system stops what holds a card with a screen for seconds (TdrDelay); smaller steps"
    )


@explains("refused-by-the-driver")
def refused_by_the_driver(failure: Failure) -> Hits:
    says = f"the driver refuses a call ({failure.groups['what']}), perhaps an earlier one"
    cure = "CUDA_LAUNCH_BLOCKING=1 gives the line; then the build for this card, or tensors of a dead process"
    if re.search(r"\bHIP\b|\bhip[A-Z]|ROCm", f"{failure.message} {failure.context}"):
        cure = "a PyTorch for another ROCm or card, as a rule; else AMD_SERIALIZE_KERNEL=3 gives the line"
    yield failure.hit(f"{says}: {cure}")


@explains("card-of-intel-lost")
def card_of_intel_lost(failure: Failure) -> Hits:
    yield failure.hit(
        f"the driver has reset the card ({failure.groups['what']}) after a kernel that failed or took too long: smaller steps, a newer driver"
    )
