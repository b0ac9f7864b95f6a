"""Error messages: copies of CUDA's libraries from several places are mixed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OF_THE_TOOLKIT = re.compile(r"lib(?:cudart|cublas(?:Lt)?)\.so\.(\d{1,2})")
"""Libraries that are numbered as the CUDA to which they belong."""


@explains("function-not-there")
def function_not_there(failure: Failure) -> Hits:
    asks, symbol, lacks = (failure.groups[name] for name in ("asks", "symbol", "lacks"))
    yield failure.hit(
        say("wants-was-found-does", lacks=asks, symbol=symbol, value=lacks or "library")
    )


@explains("function-not-in-the-driver")
def function_not_in_the_driver(failure: Failure) -> Hits:
    symbol = failure.groups["symbol"]
    if symbol.startswith("nccl"):
        yield failure.hit(say("another-nccl-without-found", symbol=symbol))
        return
    yield failure.hit(say("driver-too-old-libcuda", symbol=symbol))


@explains("library-not-there")
def library_not_there(failure: Failure) -> Hits:
    yield failure.hit(_not_where_it_is_looked_for(failure, failure.groups["library"]))


@explains("parts-of-two-cudnn")
def parts_of_two_cudnn(failure: Failure) -> Hits:
    yield failure.hit(say("two-versions-cudnn-meet"))


def _not_where_it_is_looked_for(failure: Failure, library: str) -> str:
    """Who wants a library of CUDA that is not found."""
    says = f"{library} is not installed where it is looked for"
    by_ctypes = "/ctypes/" in failure.raised_in and failure.passed_through("torch/__init__.py")
    if failure.raised_in.endswith("/torch/__init__.py") or by_ctypes:
        own = "PyTorch was built for a CUDA that is not here, or its nvidia-* packages are missing"
        return f"{says}: {own}: install it anew from its index, without --no-deps"
    number = OF_THE_TOOLKIT.match(library)
    if number is not None:
        built = f"what asks for it, an extension or PyTorch itself, was built for CUDA {number[1]}"
        return (
            f"{says}: {built}: its build for the CUDA that is here, "
            f"or beside an extension a PyTorch for CUDA {number[1]}"
        )
    other = "the package was built for another CUDA than PyTorch brings, or its nvidia-* package is missing"
    return f"{says}: {other}"
