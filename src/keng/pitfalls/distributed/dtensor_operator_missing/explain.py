"""Error messages: an operation is not there for distributed tensors."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-rule-for-its-parts")
def no_rule_for_its_parts(failure: Failure) -> Hits:
    yield failure.hit(
        f"distributed tensors have no rule for `{failure.groups['op']}`: x.full_tensor() or x.to_local() before it, or a newer PyTorch"
    )


@explains("of-a-shape-not-foreseen")
def of_a_shape_not_foreseen(failure: Failure) -> Hits:
    yield failure.hit(
        f"the shape of what `{failure.groups['op']}` gives depends on the numbers, and no rule for parts foresees it: x.full_tensor() or "
        "x.to_local() before it"
    )


# What the reason is stands in front of these words, and often has a sentence of its own.
@explains("refused-as-it-lies")
def refused_as_it_lies(failure: Failure) -> Hits:
    yield failure.hit(
        f"distributed tensors refuse `{failure.groups['op']}` as they lie, and the reason stands before: x.redistribute(...), or "
        "x.full_tensor() before it"
    )


@explains("of-two-meshes")
def of_two_meshes(failure: Failure) -> Hits:
    yield failure.hit(
        "distributed tensors of two meshes meet, as where clip_grad_norm_ or an optimizer takes both kinds at once: one mesh for all of "
        "the model, or each kind by itself"
    )
