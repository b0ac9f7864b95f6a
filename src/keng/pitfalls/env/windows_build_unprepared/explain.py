"""Error messages: a build under Windows does not find the parts of Visual Studio or Python."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-compiler")
def no_compiler(failure: Failure) -> Hits:
    yield failure.hit(say("no-visual-cxx"))


@explains("prompt-not-told")
def prompt_not_told(failure: Failure) -> Hits:
    yield failure.hit(say("sdk-not-set"))


@explains("headers-missing")
def headers_missing(failure: Failure) -> Hits:
    yield failure.hit(say("headers-missing", file=failure.groups["file"]))


@explains("python-without-libs")
def python_without_libs(failure: Failure) -> Hits:
    yield failure.hit(say("python-without-libs", file=failure.groups["file"]))
