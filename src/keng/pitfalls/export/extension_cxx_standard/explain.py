"""Error messages: an extension asks for an older C++ than PyTorch's headers are written in."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-the-first-error")
def not_the_first_error(failure: Failure) -> Hits:
    says = say("only-last-line-compiler")
    yield failure.hit(says, sure=False)
