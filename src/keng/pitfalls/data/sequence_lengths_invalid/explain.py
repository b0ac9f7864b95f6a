"""Error messages: the lengths given with padded sequences do not fit them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("longer-than-the-input")
def longer_than_the_input(failure: Failure) -> Hits:
    came, most = failure.groups["came"], failure.groups["most"]
    cure = "the network's steps, shorter than its input, and scores of shape (T, N, C), the batch second"
    yield failure.hit(say("length-longer-than-steps", came=came, most=most, cure=cure))


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    cures = {
        "of one dimension: lengths.flatten()": failure.groups["came"] != "1",
        "on the CPU: lengths.cpu()": failure.groups["device"] != "cpu",
        "whole numbers: lengths.long()": failure.groups["dtype"] != "Long",
    }
    yield failure.hit(say("lengths", what=", ".join(cure for cure in cures if cures[cure])))


@explains("another-number-of-lengths")
def another_number_of_lengths(failure: Failure) -> Hits:
    came, batch = failure.groups["came"], failure.groups["batch"]
    there = "there is 1 length" if came == "1" else f"there are {came} lengths"
    cure = "one for each, and batch_first=True where the batch comes first"
    if failure.contains("parallel/data_parallel.py"):
        cure = "DataParallel splits tensors, no lists: lengths as a tensor, and lengths.cpu() where it is packed"
    yield failure.hit(f"{there} for a batch of {batch}: {cure}")


@explains("longer-than-the-targets")
def longer_than_the_targets(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("target-length-longer-than", places=wants, came=came))


@explains("joined-to-another-length")
def joined_to_another_length(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("there-targets-wanted-row", wants=came, wants_2=wants))


@explains("not-one-for-each")
def not_one_for_each(failure: Failure) -> Hits:
    yield failure.hit(say("there-not-one-lengths", what=failure.groups["what"]))
