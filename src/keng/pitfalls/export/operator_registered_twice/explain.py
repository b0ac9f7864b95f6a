"""Error messages: an operator is registered twice."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("defined-again")
def defined_again(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is registered already: its module or library was loaded twice; restart the kernel, or keep one copy"
    )
