"""Error messages: packages need versions of PyTorch that exclude each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("replaced-afterwards")
def replaced_afterwards(failure: Failure) -> Hits:
    who, wanted, own = (failure.groups[name] for name in ("who", "wanted", "own"))
    yield failure.hit(say("torch-replaced", who=who, wanted=wanted, own=own.rstrip(".")))
