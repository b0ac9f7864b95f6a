"""Error messages: an optimizer is given nothing that it could optimize."""

from __future__ import annotations

from keng.explain.advice.fits import without_parameters
from keng.explain.advice.steps import among_parameters, no_parameters_in
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-parameters")
def no_parameters(failure: Failure) -> Hits:
    if (known := without_parameters(failure)) is not None:
        yield failure.hit(*known)
        return
    yield failure.hit(no_parameters_in(failure.line))


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    yield failure.hit(among_parameters(failure.groups["kind"]))


@explains("one-tensor")
def one_tensor(failure: Failure) -> Hits:
    yield failure.hit("an optimizer takes a list, of one tensor too: [x], or model.parameters()")


TAKERS = (
    "torch/optim/optimizer.py",
    "torch/nn/utils/clip_grad.py",
    "torch/nn/utils/convert_parameters.py",
)


@explains("no-list")
def no_list(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if not failure.passed_through(*TAKERS):
        return
    if kind in ("method", "function"):
        yield failure.hit(
            "a method is given, and not what it returns: parentheses, model.parameters()"
        )
    elif kind[0].isupper():
        yield failure.hit(f"a model is given, and not its parameters: {kind}.parameters()")


@explains("group-of-nothing")
def group_of_nothing(failure: Failure) -> Hits:
    if failure.kind == "KeyError" and failure.passed_through("torch/optim/optimizer.py"):
        yield failure.hit('each group is a dict in which "params" are its parameters')


@explains("group-of-too-little")
def group_of_too_little(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(f"a group has no `{name}`, and the optimizer has none for all: {name}=...")


@explains("frozen-in-an-old-version")
def frozen_in_an_old_version(failure: Failure) -> Hits:
    yield failure.hit(
        "before 0.4.1 an optimizer refuses frozen parameters: give it those alone that require gradients"
    )
