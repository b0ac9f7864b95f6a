"""Error messages: a library of CUDA for linear algebra, transforms or compiling failed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

ADA = re.compile(r"\bRTX ?40[5-9]0\b|\b4090\b|\bL40?[Ss]?\b|\bRTX \d000 Ada\b")


OF_ITS_TIME = re.compile(r"\bcu(?:118|1[23]\d)\b|\+cu1[23]|CUDA[ \w:]{0,20}1(?:1\.8|[23]\.\d)")
"""Cards of the generation that came with CUDA 11.8, and what tells a build with that or a newer one."""


@explains("failed-with-a-code")
def failed_with_a_code(failure: Failure) -> Hits:
    library, what = failure.groups["library"], failure.groups["what"].lower().replace("_", " ")
    shown = f"{failure.message}\n{failure.surrounding}\n{failure.context}"
    if library == "CUFFT" and what == "internal error" and not OF_ITS_TIME.search(shown):
        sure, likely = say("cufft-older-than-card"), say("cufft-probably-older-than-card")
        yield failure.hit(sure if ADA.search(shown) else likely)
        return
    yield failure.hit(_by_status(library, what))


def _by_status(library: str, status: str) -> Message:
    """What the words of a status mean."""
    if "alloc failed" in status:
        return say("library-out-of-memory", library=library, status=status)
    if "not initialized" in status:
        return say("library-not-initialized", library=library, status=status)
    if "invalid" in status:
        return say("library-size-invalid", library=library, status=status)
    return say("library-failed", library=library, status=status)
