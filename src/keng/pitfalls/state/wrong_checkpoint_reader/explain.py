"""Error messages: a file is read by another function than the one it was written for."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-scripted-model")
def no_scripted_model(failure: Failure) -> Hits:
    yield failure.hit(say("archive-holds-no-torchscript"))


@explains("no-exported-program")
def no_exported_program(failure: Failure) -> Hits:
    yield failure.hit(say("archive-no-exported-program"))


@explains("pickled")
def pickled(failure: Failure) -> Hits:
    yield failure.hit(say("plain-pickle"))


@explains("no-file")
def no_file(failure: Failure) -> Hits:
    kind = failure.groups["kind"] or ""
    if kind == "NoneType":
        yield failure.hit(say("torch-load-given-none"))
    elif failure.kind.endswith("ModuleAttributeError"):
        yield failure.hit(say("torch-load-takes-path", kind=kind))
    else:
        yield failure.hit(say("no-file-given"))
