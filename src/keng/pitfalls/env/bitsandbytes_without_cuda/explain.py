"""Error messages: `bitsandbytes` finds no library of its own for this CUDA."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-library-for-this-cuda")
def no_library_for_this_cuda(failure: Failure) -> Hits:
    file, symbol = (failure.groups.get(name) for name in ("file", "symbol"))
    looked = f" ({symbol or file})" if symbol or file else ""
    yield failure.hit(
        f"bitsandbytes has no library for this CUDA{looked}: pip install -U bitsandbytes, unset BNB_CUDA_VERSION, and "
        "see python -m bitsandbytes"
    )


@explains("library-for-the-cpu")
def library_for_the_cpu(failure: Failure) -> Hits:
    symbol = failure.groups.get("symbol")
    lacks = f", which lacks {symbol}" if symbol else ""
    yield failure.hit(
        f"bitsandbytes has loaded its library for the CPU{lacks}: pip install -U bitsandbytes beside a PyTorch with CUDA"
    )


@explains("too-old-or-missing")
def too_old_or_missing(failure: Failure) -> Hits:
    yield failure.hit(say("bitsandbytes-missing-or-too"))


@explains("no-code-for-the-card")
def no_code_for_the_card(failure: Failure) -> Hits:
    yield failure.hit(say("library-bitsandbytes-has-no", what=failure.groups["what"]))


@explains("never-quantized")
def never_quantized(failure: Failure) -> Hits:
    told = re.search(
        r"\bint8\b|8[ -]?bit|bitsandbytes", f"{failure.message}\n{failure.surrounding}"
    )
    if "/bitsandbytes/" in failure.raised_in or (told and not failure.frames):
        yield failure.hit(say("layer-bits-was-never"))


@explains("weight-replaced")
def weight_replaced(failure: Failure) -> Hits:
    yield failure.hit(say("layer-bitsandbytes-has-plain", name=failure.groups["name"]))
