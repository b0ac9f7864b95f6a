"""Error messages: a checkpointed part computes something else the second time."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

METADATA = re.compile(
    r"saved metadata: \{'shape': torch\.Size\((?P<was>\[[\d, ]*\])\), 'dtype': torch\.(?P<dtype>\w+).{0,90}?"
    r"recomputed metadata: \{'shape': torch\.Size\((?P<now>\[[\d, ]*\])\), 'dtype': torch\.(?P<then>\w+)"
)
COUNTS = re.compile(
    r"saved during forward: (?P<was>\d+).{0,9}Number of tensors saved during recomputation: (?P<now>\d+)"
)
CHANGES = "a branch, a cache, a fused kernel (xformers), autocast or weights that change in between"
CAST = (
    "autocast or a cast of the weights between the two, as .half() or an upcast; else a branch or a "
    "fused kernel"
)
CACHED = "a cache of keys and values takes the tokens twice: use_cache=False while it is trained"
ROUTED = (
    "experts get other tokens, as where a router draws noise or its bias changes in between: the router "
    "outside of the checkpointed part"
)
SCATTERED = (
    "a weight of DeepSpeed's ZeRO-3 is scattered again, of shape [0], when the part is computed anew: "
    "use_reentrant=True (gradient_checkpointing_kwargs), ZeRO-2, or a newer DeepSpeed"
)


@explains("differs")
def differs(failure: Failure) -> Hits:
    yield failure.hit(_second_run(failure.message))


@explains("reentrant-knows-backward-only")
def reentrant_knows_backward_only(failure: Failure) -> Hits:
    yield failure.hit(say("reentrant-form-knows-only"))


@explains("nothing-asks")
def nothing_asks(failure: Failure) -> Hits:
    yield failure.hit(say("no-input-checkpointed-part"))


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


def _second_run(message: str) -> str:
    flat = " ".join(message.split())
    counts, differs = COUNTS.search(flat), METADATA.search(flat)
    what = "the checkpointed part does not do the same the second time"
    if counts is not None:
        was, now = counts["was"], counts["now"]
        what = f"the checkpointed part saves {was} tensors the first time and {now} the second"
    elif differs is not None and differs["now"] == "[0]" != differs["was"]:
        return SCATTERED
    elif differs is not None:
        pair = ("was", "now") if differs["was"] != differs["now"] else ("dtype", "then")
        was, now = differs[pair[0]], differs[pair[1]]
        what = f"the checkpointed part saves a tensor of {was} the first time, of {now} the second"
        return f"{what}: {_of_what(was, now)}"
    return f"{what}: {CHANGES}"


def _of_what(was: str, now: str) -> str:
    """What makes such a difference: "[1, 171, 128]" and "[1, 342, 128]", or two dtypes."""
    if "[" not in was:
        return CAST
    one, other = ([int(n) for n in re.findall(r"\d+", each)] for each in (was, now))
    apart = [n for n, pair in enumerate(zip(one, other, strict=False)) if len({*pair}) > 1]
    if len(one) != len(other) or len(apart) != 1:
        return CHANGES
    first, second = one[apart[0]], other[apart[0]]
    if len(one) > 2 and apart[0] and second == 2 * first:
        return CACHED
    near = len(one) == 2 and not apart[0] and 0 < abs(first - second) <= first // 20
    return ROUTED if near else CHANGES
