"""Error messages: a matrix product failed inside of cuBLAS."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SAYS = {
    "HIPBLASLT": "hipBLASLt does not know this card or product: TORCH_BLAS_PREFER_HIPBLASLT=0",
    "NOT_INITIALIZED": "cuBLAS cannot start: the card is full, or a kernel before has failed; "
    "CUDA_LAUNCH_BLOCKING=1 shows which",
    "INVALID_VALUE": "cuBLAS refuses its arguments: sizes that do not fit, which the same line on the CPU names, or another cuBLAS from LD_LIBRARY_PATH",
    "NOT_SUPPORTED": "cuBLAS has no such product for this card and these dtypes: float32 or float16, or another cuBLAS from LD_LIBRARY_PATH",
    "ARCH_MISMATCH": "this cuBLAS does not know the card, as that of CUDA 13 one before Turing: a PyTorch for CUDA 12",
}


NO_BFLOAT16 = (
    "this card computes no products of bfloat16, which came with Ampere: float16 or float32"
)


NEWER = re.compile(r"\bRTX\b|\b(?:20[678]0|30[5-9]0)\b|\bCUDA ?[=:]? ?[89]\b", re.IGNORECASE)


@explains("one-number-for-all")
def one_number_for_all(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if what == "NOT_SUPPORTED" and "HIPBLAS" in failure.message:
        what = "HIPBLASLT"
    if what == "NOT_SUPPORTED" and re.search(r"R_16BF\b", failure.message):
        yield failure.hit(NO_BFLOAT16, status=what)
        return
    blamed = f"cuBLAS failed ({what.lower()}), most often for a kernel before it: run with CUDA_LAUNCH_BLOCKING=1"
    yield failure.hit(SAYS.get(what, blamed), status=what)


@explains("of-the-newer-library")
def of_the_newer_library(failure: Failure) -> Hits:
    yield failure.hit(say("cublaslt-does-products-bits"))


@explains("in-old-words")
def in_old_words(failure: Failure) -> Hits:
    first, last = "a kernel before it, as by wrong labels (CUDA_LAUNCH_BLOCKING=1)", "a full card"
    card = "a CUDA older than the card: RTX 20 wants 10, RTX 30 wants 11"
    told = NEWER.search(f"{failure.message} {failure.context}")
    why = f"{card}; else {first}" if told else f"{first}, {last}, or {card}"
    yield failure.hit(f"cuBLAS failed ({failure.groups['what']}): {why}")
