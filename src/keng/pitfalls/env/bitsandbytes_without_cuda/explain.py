"""Error messages: `bitsandbytes` has no compiled library for this CUDA version."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-library-for-this-cuda")
def no_library_for_this_cuda(failure: Failure) -> Hits:
    file, symbol = (failure.groups.get(name) for name in ("file", "symbol"))
    advice = say("update-bitsandbytes")
    named = say("named-library-missing", name=symbol or file, advice=advice)
    yield failure.hit(named if symbol or file else say("no-library-for-cuda", advice=advice))


@explains("library-for-the-cpu")
def library_for_the_cpu(failure: Failure) -> Hits:
    symbol = failure.groups.get("symbol")
    named = say("cpu-library-lacks-symbol", symbol=symbol)
    yield failure.hit(named if symbol else say("cpu-library-loaded"))


@explains("never-quantized")
def never_quantized(failure: Failure) -> Hits:
    told = re.search(
        r"\bint8\b|8[ -]?bit|bitsandbytes", f"{failure.message}\n{failure.surrounding}"
    )
    if "/bitsandbytes/" in failure.raised_in or (told and not failure.frames):
        yield failure.hit(say("eight-bit-layer-not-on-gpu"))
