"""Error messages: tensors are wrapped in `Variable`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("without-effect")
def without_effect(failure: Failure) -> Hits:
    yield failure.hit("`volatile` does nothing: put what follows under `with torch.no_grad():`")


@explains("renamed")
def renamed(failure: Failure) -> Hits:
    yield failure.hit("the argument has been called retain_graph since 0.4")


@explains("in-a-torch-that-has-variables")
def in_a_torch_that_has_variables(failure: Failure) -> Hits:
    came = failure.groups["came"]
    if came == "Variable":
        yield failure.hit(
            "a Variable is wrapped a second time: leave the second out, or update torch"
        )
    elif came.endswith("Tensor"):
        yield failure.hit(
            "before 0.4 only a Variable records gradients: Variable(x), or update torch, where a tensor does"
        )
    else:
        yield failure.hit(
            f"a Variable is made of a tensor, and not of {came}: torch.from_numpy of an array"
        )


@explains("plain-tensor-in-a-layer")
def plain_tensor_in_a_layer(failure: Failure) -> Hits:
    if any("/torch/nn/" in frame.posix for frame in failure.frames):
        yield failure.hit(
            "before 0.4 a layer takes a Variable, and gets a plain tensor: Variable(x), or update torch"
        )


@explains("mixed-with-plain-tensors")
def mixed_with_plain_tensors(failure: Failure) -> Hits:
    yield failure.hit(
        "before 0.4 Variables and plain tensors do not mix: Variable(x) for all of them, or update torch"
    )
