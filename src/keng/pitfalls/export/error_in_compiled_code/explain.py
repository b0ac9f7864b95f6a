"""Error messages: the program itself raises, and `torch.compile` meets it while it traces."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("raised-without-compiling")
def raised_without_compiling(failure: Failure) -> Hits:
    why = failure.groups["why"].strip().rstrip(".")
    yield failure.hit(say("program-s-own-error", why=why))
