"""Error messages: a library that PyTorch loads meets another version of one that it needs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("another-copy")
def another_copy(failure: Failure) -> Hits:
    file, symbol = failure.groups["file"], failure.groups["symbol"]
    if failure.passed_through("torch/__init__.py") and "torch/lib/" not in failure.message:
        yield failure.hit(say("finds-another-version-library", symbol=file, symbol_2=symbol))
