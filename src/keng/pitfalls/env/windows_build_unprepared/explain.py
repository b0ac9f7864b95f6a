"""Error messages: a build under Windows does not find the parts of Visual Studio or Python."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

PROMPT = (
    "start from the x64 Native Tools prompt of Visual Studio, and activate the environment in it"
)


@explains("no-compiler")
def no_compiler(failure: Failure) -> Hits:
    yield failure.hit(say("no-c-compiler-visual", prompt=PROMPT))


@explains("prompt-not-told")
def prompt_not_told(failure: Failure) -> Hits:
    yield failure.hit(say("build-would-set-up"))


@explains("headers-missing")
def headers_missing(failure: Failure) -> Hits:
    yield failure.hit(say("compiler-does-not-find", prompt=failure.groups["file"], PROMPT=PROMPT))


@explains("python-without-libs")
def python_without_libs(failure: Failure) -> Hits:
    yield failure.hit(say("python-has-no-embedded", file=failure.groups["file"]))
