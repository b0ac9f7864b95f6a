"""Error messages: a file was written by a newer PyTorch, or in a form for another loader."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OWN = ("aten", "prim", "quantized", "prims", "internal")
"""Where PyTorch keeps its own operators."""


@explains("newer-format")
def newer_format(failure: Failure) -> Hits:
    version = failure.groups["version"]
    of_1_6 = say("format-of-1-6", version=version)
    yield failure.hit(of_1_6 if version == "3" else say("file-has-format-pytorch", version=version))


@explains("zip-archive")
def zip_archive(failure: Failure) -> Hits:
    yield failure.hit(say("file-zip-archive-pytorch"))


@explains("taken-for-a-tar")
def taken_for_a_tar(failure: Failure) -> Hits:
    """At this place a file of the former kind, which loads all the same, has the class of its dictionary."""
    yield failure.hit(say("pytorch-before-took-zip"))


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


@explains("refused-in-cpp")
def refused_in_cpp(failure: Failure) -> Hits:
    yield failure.hit(say("torchscript-could-not-compile"))
