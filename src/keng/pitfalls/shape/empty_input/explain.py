"""Error messages: an operation is given nothing."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("list-is-empty")
def list_is_empty(failure: Failure) -> Hits:
    function = failure.groups.get("function") or "cat"
    yield failure.hit(
        f"torch.{function} gets an empty list: the loop above it put nothing in, as where no file or no "
        "object was found, or a loader with drop_last has less than a batch"
    )


@explains("no-sequences")
def no_sequences(failure: Failure) -> Hits:
    yield failure.hit("pad_sequence gets an empty list: no sequence came")


@explains("tensor-is-empty")
def tensor_is_empty(failure: Failure) -> Hits:
    there = [o for o in failure.live.operands if 0 in o.shape]
    name = f"`{there[0].name}` of shape {there[0].shape}" if len(there) == 1 else "the tensor"
    yield failure.hit(
        f"{name} has no elements, so there is no {failure.groups['function']} of them: a mask, filter or detector left none, "
        "so ask x.numel() before"
    )


@explains("nothing-to-reshape")
def nothing_to_reshape(failure: Failure) -> Hits:
    yield failure.hit(
        f"a tensor with no elements is viewed as [{failure.groups['shape']}], where -1 may be anything: nothing was left "
        "before this line"
    )


@explains("nothing-but-a-batch")
def nothing_but_a_batch(failure: Failure) -> Hits:
    yield failure.hit(f"`{failure.groups['what']}` gets a tensor one of whose dimensions is empty")


@explains("nothing-came")
def nothing_came(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor with no elements comes: a batch in which no sample was chosen, most often"
    )
