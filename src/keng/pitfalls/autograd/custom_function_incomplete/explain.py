"""Error messages: a custom autograd function lacks a method, or keeps what it cannot keep."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("method-missing")
def method_missing(failure: Failure) -> Hits:
    names = [name for name in ("backward", "forward", "jvp") if name in failure.groups["what"]]
    yield failure.hit(say("function-has-no-static", method=names[0]))


@explains("no-tensor-to-save")
def no_tensor_to_save(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(say("save-backward-keeps-tensors", kind=groups["at"], kind_2=groups["kind"]))


@explains("no-tensor-given-back")
def no_tensor_given_back(failure: Failure) -> Hits:
    yield failure.hit(say("backward-gives-tensors-or", kind=failure.groups["kind"]))


@explains("changed-and-kept")
def changed_and_kept(failure: Failure) -> Hits:
    yield failure.hit(say("mark-dirty-names-input"))


@explains("no-tensor-computed")
def no_tensor_computed(failure: Failure) -> Hits:
    at, kind = failure.groups["at"], failure.groups["kind"]
    yield failure.hit(say("forward-gives-tensors-result", kind=at, kind_2=kind))


@explains("without-the-context")
def without_the_context(failure: Failure) -> Hits:
    takes, given = failure.groups["takes"], failure.groups["given"]
    if failure.raised_in.endswith("torch/autograd/function.py"):
        yield failure.hit(say("forward-takes-given-first", given=takes, given_2=given))
