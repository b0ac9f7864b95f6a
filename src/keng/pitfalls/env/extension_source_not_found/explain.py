"""Error messages: the sources of an extension are not where `load` looks for them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    path = failure.groups["path"]
    if failure.passed_through("torch/utils/cpp_extension.py"):
        where = (
            "is not there"
            if path.startswith("/")
            else "is looked for where the program was started"
        )
        yield failure.hit(f"`{path}` {where}: Path(__file__).with_name(...) names it from the file")


@explains("source-not-there")
def source_not_there(failure: Failure) -> Hits:
    file = failure.groups["file"]
    yield failure.hit(say("source-does-not-exist", file=file))
