"""Error messages: copies of CUDA's libraries from several places are mixed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

OF_THE_TOOLKIT = re.compile(r"lib(?:cudart|cublas(?:Lt)?)\.so\.(\d{1,2})")
"""Libraries that are numbered as the CUDA to which they belong."""


@explains("function-not-there")
def function_not_there(failure: Failure) -> Hits:
    asks, symbol, lacks = (failure.groups[name] for name in ("asks", "symbol", "lacks"))
    unnamed = say("symbol-missing-in-library", asks=asks, symbol=symbol)
    named = say("symbol-missing", asks=asks, symbol=symbol, lacks=lacks)
    yield failure.hit(named if lacks else unnamed)


@explains("function-not-in-the-driver")
def function_not_in_the_driver(failure: Failure) -> Hits:
    symbol = failure.groups["symbol"]
    if symbol.startswith("nccl"):
        yield failure.hit(say("nccl-without-symbol", symbol=symbol))
        return
    yield failure.hit(say("driver-without-symbol", symbol=symbol))


@explains("library-not-there")
def library_not_there(failure: Failure) -> Hits:
    yield failure.hit(_not_where_it_is_looked_for(failure, failure.groups["library"]))


def _not_where_it_is_looked_for(failure: Failure, library: str) -> Message:
    """Who needs a library of CUDA that is not found."""
    by_ctypes = "/ctypes/" in failure.raised_in and failure.passed_through("torch/__init__.py")
    if failure.raised_in.endswith("/torch/__init__.py") or by_ctypes:
        return say("pytorch-lacks-library", library=library)
    number = OF_THE_TOOLKIT.match(library)
    if number is not None:
        return say("toolkit-library-missing", library=library, number=number[1])
    return say("package-lacks-library", library=library)
