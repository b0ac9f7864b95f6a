"""Error messages: a kernel has failed, and a later line is blamed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("blamed-on-another-line")
def blamed_on_another_line(failure: Failure) -> Hits:
    yield failure.hit(say("kernel-started-before-line-2", what=failure.groups["what"]))


@explains("broken-on-a-card-of-amds")
def broken_on_a_card_of_amds(failure: Failure) -> Hits:
    yield failure.hit(say("kernel-started-before-line", what=failure.groups["what"]))


@explains("stopped-by-the-system")
def stopped_by_the_system(failure: Failure) -> Hits:
    yield failure.hit(say("launch-timed-out-system"))


@explains("refused-by-the-driver")
def refused_by_the_driver(failure: Failure) -> Hits:
    says = f"the driver refuses a call ({failure.groups['what']}), perhaps an earlier one"
    cure = "CUDA_LAUNCH_BLOCKING=1 gives the line; then the build for this card, or tensors of a dead process"
    if re.search(r"\bHIP\b|\bhip[A-Z]|ROCm", f"{failure.message} {failure.context}"):
        cure = "a PyTorch for another ROCm or card, as a rule; else AMD_SERIALIZE_KERNEL=3 gives the line"
    yield failure.hit(f"{says}: {cure}")


@explains("card-of-intel-lost")
def card_of_intel_lost(failure: Failure) -> Hits:
    yield failure.hit(say("driver-has-reset-card", what=failure.groups["what"]))
