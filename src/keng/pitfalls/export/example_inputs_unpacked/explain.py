"""Error messages: the example that a model is traced with is not what its forward takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

TRACERS = ("torch/jit/_trace.py", "torch/jit/__init__.py", "torch/onnx/utils.py")


EXPORTERS = ("torch/export/_trace.py", "torch/export/__init__.py")


@explains("more-than-it-takes")
def more_than_it_takes(failure: Failure) -> Hits:
    if failure.passed_through(*TRACERS, *EXPORTERS):
        yield failure.hit(say("example-holds-too-many"))


@explains("fewer-than-it-takes")
def fewer_than_it_takes(failure: Failure) -> Hits:
    if failure.passed_through(*TRACERS, *EXPORTERS):
        yield failure.hit(say("example-has-nothing-one", name=failure.groups["name"]))


@explains("named-otherwise")
def named_otherwise(failure: Failure) -> Hits:
    name, known = failure.groups["name"], failure.groups["known"]
    yield failure.hit(say("forward-has-no-argument", known=name, value=known or "none"))
