"""Error messages: the example that a model is traced with is not what its forward takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

TRACERS = ("torch/jit/_trace.py", "torch/jit/__init__.py", "torch/onnx/utils.py")


EXPORTERS = ("torch/export/_trace.py", "torch/export/__init__.py")


@explains("more-than-it-takes")
def more_than_it_takes(failure: Failure) -> Hits:
    if failure.passed_through(*TRACERS, *EXPORTERS):
        yield failure.hit(
            "the example holds too many: each entry is an argument of forward, so a list or tuple that is one argument stands in a tuple of one, (batch,)"
        )


@explains("fewer-than-it-takes")
def fewer_than_it_takes(failure: Failure) -> Hits:
    if failure.passed_through(*TRACERS, *EXPORTERS):
        yield failure.hit(
            f"the example has nothing for `{failure.groups['name']}`: one entry for each argument of forward, as (x, y)"
        )


@explains("named-otherwise")
def named_otherwise(failure: Failure) -> Hits:
    name, known = failure.groups["name"], failure.groups["known"]
    yield failure.hit(
        f"forward has no argument `{name}`, and has {known or 'none'}: the same names in the example"
    )
