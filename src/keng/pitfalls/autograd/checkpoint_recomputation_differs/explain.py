"""Error messages: a checkpointed part computes something else the second time."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

METADATA = re.compile(
    r"saved metadata: \{'shape': torch\.Size\((?P<was>\[[\d, ]*\])\), 'dtype': torch\.(?P<dtype>\w+).{0,90}?"
    r"recomputed metadata: \{'shape': torch\.Size\((?P<now>\[[\d, ]*\])\), 'dtype': torch\.(?P<then>\w+)"
)
COUNTS = re.compile(
    r"saved during forward: (?P<was>\d+).{0,9}Number of tensors saved during recomputation: (?P<now>\d+)"
)


@explains("differs")
def differs(failure: Failure) -> Hits:
    yield failure.hit(_second_run(failure.message))


@explains("given-by-name")
def given_by_name(failure: Failure) -> Hits:
    names = failure.groups["names"]
    if "use_reentrant" in names:
        yield failure.hit(say("pytorch-knows-no-use"))
    elif failure.passed_through("torch/utils/checkpoint.py"):
        yield failure.hit(say("reentrant-form-hands-on", names=names))


@explains("cut-into-too-many")
def cut_into_too_many(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/utils/checkpoint.py"):
        yield failure.hit(say("checkpoint-sequential-cuts-layers"))


def _second_run(message: str) -> Message:
    flat = " ".join(message.split())
    counts, differs = COUNTS.search(flat), METADATA.search(flat)
    if counts is not None:
        return say("counts-differ", was=counts["was"], now=counts["now"])
    if differs is None:
        return say("runs-differ")
    if differs["now"] == "[0]" != differs["was"]:
        return say("zero3-scattered")
    if differs["was"] != differs["now"]:
        return _of_sizes(differs["was"], differs["now"])
    return say("dtypes-differ", was=differs["dtype"], now=differs["then"])


def _of_sizes(was: str, now: str) -> Message:
    """What makes such a difference: "[1, 171, 128]" and "[1, 342, 128]"."""
    one, other = ([int(n) for n in re.findall(r"\d+", each)] for each in (was, now))
    apart = [n for n, pair in enumerate(zip(one, other, strict=False)) if len({*pair}) > 1]
    if len(one) != len(other) or len(apart) != 1:
        return say("tensors-differ", was=was, now=now)
    first, second = one[apart[0]], other[apart[0]]
    if len(one) > 2 and apart[0] and second == 2 * first:
        return say("cache-grows", was=was, now=now)
    near = len(one) == 2 and not apart[0] and 0 < abs(first - second) <= first // 20
    return (
        say("experts-differ", was=was, now=now) if near else say("tensors-differ", was=was, now=now)
    )
