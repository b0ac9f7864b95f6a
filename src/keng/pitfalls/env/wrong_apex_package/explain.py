"""Error messages: the package `apex` of PyPI is not NVIDIA's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("for-the-web")
def for_the_web(failure: Failure) -> Hits:
    yield failure.hit(say("another-program"))


@explains("without-amp")
def without_amp(failure: Failure) -> Hits:
    yield failure.hit(say("without-amp"))


@explains("without-extensions")
def without_extensions(failure: Failure) -> Hits:
    yield failure.hit(say("without-extensions"))


@explains("not-installed")
def not_installed(failure: Failure) -> Hits:
    gpu = "CUDA" in failure.message
    yield failure.hit(say("apex-or-gpu-not-here") if gpu else say("apex-not-here"))
