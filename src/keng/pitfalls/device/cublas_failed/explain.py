"""Error messages: a matrix product failed inside of cuBLAS."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SAYS = {
    "HIPBLASLT": say("hipblaslt-not-supported"),
    "NOT_INITIALIZED": say("cublas-cannot-start"),
    "INVALID_VALUE": say("cublas-invalid-value"),
    "NOT_SUPPORTED": say("cublas-product-not-supported"),
    "ARCH_MISMATCH": say("cublas-without-this-architecture"),
}
NEWER = re.compile(r"\bRTX\b|\b(?:20[678]0|30[5-9]0)\b|\bCUDA ?[=:]? ?[89]\b", re.IGNORECASE)


@explains("one-number-for-all")
def one_number_for_all(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if what == "NOT_SUPPORTED" and "HIPBLAS" in failure.message:
        what = "HIPBLASLT"
    if what == "NOT_SUPPORTED" and re.search(r"R_16BF\b", failure.message):
        yield failure.hit(say("no-bfloat16-on-card"), status=what)
        return
    blamed = say("cublas-failed-after-kernel", status=what.lower())
    yield failure.hit(SAYS.get(what, blamed), status=what)


@explains("in-old-words")
def in_old_words(failure: Failure) -> Hits:
    status = failure.groups["what"]
    older, any_cause = (
        say("cuda-older-than-card", status=status),
        say("old-cublas-failed", status=status),
    )
    yield failure.hit(older if NEWER.search(f"{failure.message} {failure.context}") else any_cause)
