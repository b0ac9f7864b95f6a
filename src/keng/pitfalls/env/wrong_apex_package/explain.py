"""Error messages: the package `apex` of PyPI is not NVIDIA's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("for-the-web")
def for_the_web(failure: Failure) -> Hits:
    yield failure.hit(say("installed-another-program-not"))


@explains("without-amp")
def without_amp(failure: Failure) -> Hits:
    yield failure.hit(say("installed-has-no-amp"))


@explains("without-extensions")
def without_extensions(failure: Failure) -> Hits:
    yield failure.hit(say("nvidia-s-apex-installed"))


@explains("not-installed")
def not_installed(failure: Failure) -> Hits:
    which = " and a card, and one of them" if "CUDA" in failure.message else ", which"
    yield failure.hit(
        f"the program wants NVIDIA's Apex{which} is not here: its option without `fused` or `apex`, or a build from NVIDIA's repository; "
        "`pip install apex` brings another program"
    )
