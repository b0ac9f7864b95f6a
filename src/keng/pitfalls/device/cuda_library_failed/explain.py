"""Error messages: a library of CUDA for linear algebra, transforms or compiling failed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ADA = re.compile(r"\bRTX ?40[5-9]0\b|\b4090\b|\bL40?[Ss]?\b|\bRTX \d000 Ada\b")


WHY = {
    "alloc failed": "too little memory on the card: a smaller batch, or x.cpu() for this step",
    "not initialized": "too little memory on the card mostly, else an earlier kernel failed (CUDA_LAUNCH_BLOCKING=1)",
    "invalid": "a size that it does not take, as 0 or over 2**31: see the shape, in pieces",
    "": "NaN or infinity in the input (x.isfinite().all()), too little memory, an earlier failed kernel, or a card newer than the library",
}
"""By the words of a status."""


OF_ITS_TIME = re.compile(r"\bcu(?:118|1[23]\d)\b|\+cu1[23]|CUDA[ \w:]{0,20}1(?:1\.8|[23]\.\d)")
"""Cards of the generation that came with CUDA 11.8, and what tells a build with that or a newer one."""


@explains("failed-with-a-code")
def failed_with_a_code(failure: Failure) -> Hits:
    library, what = failure.groups["library"], failure.groups["what"].lower().replace("_", " ")
    shown = f"{failure.message}\n{failure.surrounding}\n{failure.context}"
    if library == "CUFFT" and what == "internal error" and not OF_ITS_TIME.search(shown):
        says = "the card is newer" if ADA.search(shown) else "most often a card newer"
        yield failure.hit(
            f"CUFFT failed: {says} than the library, as RTX 40 and L40 are for CUDA 11.7 and before: a PyTorch built with CUDA 11.8 or newer"
        )
        return
    why = next((why for words, why in WHY.items() if words in what), WHY[""])
    yield failure.hit(say("why-failed-what-why", why=library, what=what, why_2=why))


@explains("card-newer")
def card_newer(failure: Failure) -> Hits:
    yield failure.hit(say("card-newer-than-pytorch"))


@explains("part-missing")
def part_missing(failure: Failure) -> Hits:
    yield failure.hit(say("not-found-another-cuda", file=failure.groups["file"]))


@explains("failed-with-a-number")
def failed_with_a_number(failure: Failure) -> Hits:
    yield failure.hit(say("cusolver-failed-status-too", what=failure.groups["what"]))
