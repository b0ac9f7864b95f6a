"""Error messages: a custom autograd function lacks a method, or keeps what it cannot keep."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("method-missing")
def method_missing(failure: Failure) -> Hits:
    names = [name for name in ("backward", "forward", "jvp") if name in failure.groups["what"]]
    yield failure.hit(f"the function has no {names[0]}: a static method of that name")


@explains("no-tensor-to-save")
def no_tensor_to_save(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        f"save_for_backward keeps tensors, and argument {groups['at']} is {groups['kind']}: ctx.name = value"
    )


@explains("no-tensor-given-back")
def no_tensor_given_back(failure: Failure) -> Hits:
    yield failure.hit(f"backward gives tensors or None, not {failure.groups['kind']}")


@explains("changed-and-kept")
def changed_and_kept(failure: Failure) -> Hits:
    yield failure.hit(
        "mark_dirty names an input that forward does not give back: give back what was changed"
    )


@explains("no-tensor-computed")
def no_tensor_computed(failure: Failure) -> Hits:
    at, kind = failure.groups["at"], failure.groups["kind"]
    yield failure.hit(
        f"forward gives tensors, and its result {at} is {kind}: give back tensors alone"
    )


@explains("without-the-context")
def without_the_context(failure: Failure) -> Hits:
    takes, given = failure.groups["takes"], failure.groups["given"]
    if failure.raised_in.endswith("torch/autograd/function.py"):
        yield failure.hit(
            f"forward takes {takes} and is given {given}, the first of them ctx: def forward(ctx, ...), or a setup_context beside it"
        )
