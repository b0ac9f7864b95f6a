"""Error messages: an operator has no form in Core ML."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("written-by-newer-torch")
def written_by_newer_torch(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` has another number of inputs in this PyTorch than coremltools knows: a newer coremltools, or the PyTorch it was tried with"
    )


@explains("not-converted")
def not_converted(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` has no conversion to Core ML: a newer coremltools, other operations, or @register_torch_op"
    )


@explains("too-many-dimensions")
def too_many_dimensions(failure: Failure) -> Hits:
    layer, op, rank = (failure.groups[name] for name in ("layer", "op", "rank"))
    yield failure.hit(
        f"{op} `{layer}` makes {rank} dimensions, and Core ML has five: two of them put together by reshape, or taken one by one"
    )


@explains("made-by-what-is-left-out")
def made_by_what_is_left_out(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is made by an operation that coremltools leaves out, as sizes that are computed: fixed numbers there, torch.export, or a newer coremltools"
    )
