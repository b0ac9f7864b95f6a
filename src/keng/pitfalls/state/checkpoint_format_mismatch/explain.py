"""Error messages: a file is read by a function, or a version of PyTorch, that cannot read its format."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OWN = ("aten", "prim", "quantized", "prims", "internal")
"""Where PyTorch keeps its own operators."""


@explains("no-file")
def no_file(failure: Failure) -> Hits:
    kind = failure.groups["kind"] or ""
    if kind == "NoneType":
        yield failure.hit(say("torch-load-given-none"))
    elif failure.kind.endswith("ModuleAttributeError"):
        yield failure.hit(say("torch-load-takes-path", kind=kind))
    else:
        yield failure.hit(say("no-file-given"))


@explains("newer-format")
def newer_format(failure: Failure) -> Hits:
    version = failure.groups["version"]
    of_1_6 = say("format-of-1-6", version=version)
    yield failure.hit(of_1_6 if version == "3" else say("file-has-format-pytorch", version=version))


@explains("newer-operator")
def newer_operator(failure: Failure) -> Hits:
    op, (of, dot, _) = failure.groups["op"], failure.groups["op"].partition(".")
    if dot and of not in OWN:
        yield failure.hit(say("scripted-model-uses-registers", operator=op, library=of))
        return
    yield failure.hit(say("scripted-model-uses-what", op=op))


@explains("newer-arguments")
def newer_arguments(failure: Failure) -> Hits:
    op, most, found = (failure.groups[name] for name in ("op", "most", "found"))
    if failure.kind.endswith("CppException") or failure.contains("code/__torch__"):
        yield failure.hit(
            say("scripted-model-calls-arguments", operator=op, found=found, most=most)
        )


@explains("reference-to-a-tensor")
def reference_to_a_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/serialization.py"):
        yield failure.hit(say("torch-load-finds-pickle"))
        return
    yield failure.hit(say("file-was-written-torch"))
