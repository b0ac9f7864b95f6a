"""Error messages: a checkpointed part computes something else the second time."""

from __future__ import annotations

from keng.explain.advice.recomputed import second_run
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("differs")
def differs(failure: Failure) -> Hits:
    yield failure.hit(second_run(failure.message))


@explains("reentrant-knows-backward-only")
def reentrant_knows_backward_only(failure: Failure) -> Hits:
    yield failure.hit(
        "the reentrant form knows only a plain .backward(): checkpoint(..., use_reentrant=False)"
    )


@explains("nothing-asks")
def nothing_asks(failure: Failure) -> Hits:
    yield failure.hit(
        "no input of the checkpointed part asks for a gradient, so the reentrant form records none for its weights: "
        "use_reentrant=False, or model.enable_input_require_grads(); harmless in an evaluation"
    )


@explains("given-by-name")
def given_by_name(failure: Failure) -> Hits:
    names = failure.groups["names"]
    if "use_reentrant" in names:
        yield failure.hit("this PyTorch knows no use_reentrant, which came with 1.11: leave it out")
    elif failure.passed_through("torch/utils/checkpoint.py"):
        yield failure.hit(
            f"the reentrant form hands on positional arguments alone, and {names} came by name: use_reentrant=False"
        )


@explains("cut-into-too-many")
def cut_into_too_many(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/utils/checkpoint.py"):
        yield failure.hit(
            "checkpoint_sequential cuts the layers into segments, of which there are none, or more than layers"
        )
