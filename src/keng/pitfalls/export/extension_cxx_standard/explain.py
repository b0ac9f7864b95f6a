"""Error messages: an extension asks for an older C++ than PyTorch's headers are written in."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("refused-by-the-headers")
def refused_by_the_headers(failure: Failure) -> Hits:
    needed = failure.groups["needed"]
    yield failure.hit(
        f"the extension is built for less than C++{needed}: drop the -std= flag of its setup.py or write -std=c++{needed}, or a release of "
        "it for this PyTorch"
    )


@explains("not-the-first-error")
def not_the_first_error(failure: Failure) -> Hits:
    says = "this is only the last line: the compiler's first error, further up, tells the cause"
    yield failure.hit(says, sure=False)
