"""Error messages: the model cannot be captured for export."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-captured")
def not_captured(failure: Failure) -> Hits:
    yield failure.hit(say("torch-export-cannot-capture"))


@explains("made-outside")
def made_outside(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-learns-made-outside"))


@explains("made-of-no-tensors")
def made_of_no_tensors(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    yield failure.hit(say("goes-or-out-export", kind=kind))


@explains("onnx-missing")
def onnx_missing(failure: Failure) -> Hits:
    yield failure.hit(say("exporter-needs-package-pip"))


@explains("package-missing")
def package_missing(failure: Failure) -> Hits:
    yield failure.hit(say("newer-exporter-needs-package"))


@explains("set-while-captured")
def set_while_captured(failure: Failure) -> Hits:
    yield failure.hit(say("forward-sets-local-variable", name=failure.groups["name"]))


@explains("changed-in-place")
def changed_in_place(failure: Failure) -> Hits:
    yield failure.hit(say("what-or-view-gave"))
