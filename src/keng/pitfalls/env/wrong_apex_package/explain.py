"""Error messages: the package `apex` of PyPI is not NVIDIA's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-installed")
def not_installed(failure: Failure) -> Hits:
    gpu = "CUDA" in failure.message
    yield failure.hit(say("apex-or-gpu-not-here") if gpu else say("apex-not-here"))
