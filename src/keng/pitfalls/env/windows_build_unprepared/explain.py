"""Error messages: a build under Windows does not find the parts of Visual Studio or Python."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

PROMPT = (
    "start from the x64 Native Tools prompt of Visual Studio, and activate the environment in it"
)


@explains("no-compiler")
def no_compiler(failure: Failure) -> Hits:
    yield failure.hit(f"no C++ compiler of Visual Studio is ready: {PROMPT}")


@explains("prompt-not-told")
def prompt_not_told(failure: Failure) -> Hits:
    yield failure.hit(
        "the build would set up Visual Studio a second time: set DISTUTILS_USE_SDK=1, then again"
    )


@explains("headers-missing")
def headers_missing(failure: Failure) -> Hits:
    yield failure.hit(f"the compiler does not find its own {failure.groups['file']}: {PROMPT}")


@explains("python-without-libs")
def python_without_libs(failure: Failure) -> Hits:
    yield failure.hit(
        f"this Python has no {failure.groups['file']}, as an embedded one: copy `include` and `libs` from the full Python of the same version"
    )
