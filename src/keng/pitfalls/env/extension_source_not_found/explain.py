"""Error messages: the sources of an extension are not where `load` looks for them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    path = failure.groups["path"]
    if failure.passed_through("torch/utils/cpp_extension.py"):
        relative = say("relative-path-missing", path=path)
        absolute = path.startswith("/")
        yield failure.hit(say("absolute-path-missing", path=path) if absolute else relative)


@explains("source-not-there")
def source_not_there(failure: Failure) -> Hits:
    file = failure.groups["file"]
    yield failure.hit(say("source-missing", file=file))
