"""Error messages: a library that PyTorch loads meets another version of one that it needs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("another-copy")
def another_copy(failure: Failure) -> Hits:
    file, symbol = failure.groups["file"], failure.groups["symbol"]
    if failure.passed_through("torch/__init__.py") and "torch/lib/" not in failure.message:
        yield failure.hit(
            f"{file} finds another version of a library that it needs, one without `{symbol}`: LD_LIBRARY_PATH or a package of "
            "the system puts that in front"
        )
