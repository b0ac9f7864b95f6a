"""Error messages: a computed tensor is handled as if it were a parameter."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("switched-off")
def switched_off(failure: Failure) -> Hits:
    yield failure.hit(
        "a result follows its inputs and cannot be switched: y.detach(), or freeze the parameters that it comes from"
    )


@explains("no-gradient-to-hook")
def no_gradient_to_hook(failure: Failure) -> Hits:
    yield failure.hit(
        "the tensor takes no gradient, so there is none to hook into or to keep: requires_grad of what it comes from, or "
        "no_grad around it"
    )


@explains("gradient-not-kept")
def gradient_not_kept(failure: Failure) -> Hits:
    yield failure.hit(
        "the gradient of a result is not kept: y.retain_grad() before backward, or, where a leaf was meant, requires_grad_() last, behind .to() or `* 0.1`"
    )


@explains("gradients-kept-of-leaves")
def gradients_kept_of_leaves(failure: Failure) -> Hits:
    yield failure.hit(
        "backward(inputs=...) fills .grad of leaves, before PyTorch 1.9 of these alone: torch.autograd.grad gives other gradients"
    )
