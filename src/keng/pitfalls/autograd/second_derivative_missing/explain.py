"""Error messages: a derivative is asked for that PyTorch does not have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("has-none")
def has_none(failure: Failure) -> Hits:
    op = failure.groups["op"]
    cure = "detach what need not learn, or other operations"
    if "attention" in op:
        cure = "sdpa_kernel(SDPBackend.MATH) around it has one"
    elif "grid_sampler" in op:
        cure = f"{cure}; in StyleGAN's code torch<1.11, or the grid_sample_gradfix.py of StyleGAN3, which knows later ones"
    yield failure.hit(f"`{op}` has no derivative of its own: {cure}")


@explains("not-in-cudnn")
def not_in_cudnn(failure: Failure) -> Hits:
    yield failure.hit(say("recurrent-layers-cudnn-have"))


@explains("only-once")
def only_once(failure: Failure) -> Hits:
    old = "; before torch 0.4 few have one" if "differentiable twice" in failure.message else ""
    yield failure.hit(
        f"`{failure.groups['op']}` has no second derivative: its backward is not made of operations of torch{old}"
    )


@explains("not-when-compiled")
def not_when_compiled(failure: Failure) -> Hits:
    yield failure.hit(say("what-torch-compile-makes"))


@explains("none-in-its-place")
def none_in_its_place(failure: Failure) -> Hits:
    yield failure.hit(say("stylegan-s-own-grid", version=failure.groups["torch"].rstrip(".")))
