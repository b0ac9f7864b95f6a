"""Error messages: an operator of one's own does otherwise than operators do."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("gives-its-input")
def gives_its_input(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` gives back one of its inputs, or a view of it: return a clone()"
    )


@explains("not-annotated")
def not_annotated(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` of an operator has no type: annotate it, as torch.Tensor, int or float"
    )


@explains("no-gradient")
def no_gradient(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` has no gradient: register_autograd, or detach() what goes in"
    )


@explains("laid-out-otherwise")
def laid_out_otherwise(failure: Failure) -> Hits:
    yield failure.hit(
        f"a tensor has another stride than it was compiled for ({failure.groups['stride']}): the fake of a custom operator tells another layout (opcheck), or inductor errs: .contiguous() before it, a newer PyTorch, backend='aot_eager'"
    )


@explains("no-fake")
def no_fake(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` does not say what it gives before it runs, which compilers ask: @op.register_fake, a function that gives an empty "
        "tensor of that shape"
    )


@explains("gives-no-tensor")
def gives_no_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/_library/custom_ops.py"):
        yield failure.hit(
            f"the operator gives {failure.groups['came']} where its annotation says Tensor: torch.tensor(...), or -> int"
        )
