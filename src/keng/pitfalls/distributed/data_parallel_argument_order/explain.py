"""Error messages: dataParallel splits the arguments of forward in a way that the model does not expect."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SEVERAL = re.compile(
    r"\bDataParallel\b|\bmulti(?:ple)?[- ]gpus?\b|\bgpus?[= ]{1,2}[2-9]\b|\b[2-9] gpus\b|多(?:卡|GPU)",
    re.IGNORECASE,
)
EACH = re.compile(r"DistributedDataParallel|\bDDP\b|torchrun|torch[./]distributed|local_rank")
"""What is written where each card has a process of its own."""


@explains("nothing-left-for-a-card")
def nothing_left_for_a_card(failure: Failure) -> Hits:
    if _on_several_cards(failure):
        yield failure.hit(say("fewer-samples-than-gpus", name=failure.groups["name"]))


@explains("state-split-otherwise")
def state_split_otherwise(failure: Failure) -> Hits:
    few, many = sorted(int(failure.groups[side]) for side in ("wants", "came"))
    if many > few > 0 and many % few == 0 and _on_several_cards(failure):
        yield failure.hit(say("state-split-otherwise", few=few, many=many))


@explains("scalar-cut")
def scalar_cut(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/parallel/comm.py", "torch/nn/parallel/scatter_gather.py"):
        yield failure.hit(say("scalar-not-split"))


@explains("outputs-that-differ")
def outputs_that_differ(failure: Failure) -> Hits:
    came, wants = (re.findall(r"\d+", failure.groups[side])[1:] for side in ("came", "wants"))
    apart = [abs(int(a) - int(b)) for a, b in zip(came, wants, strict=False)]
    split = max(apart, default=0) == 1
    yield failure.hit(say("outputs-differ-by-split") if split else say("outputs-differ-by-padding"))


@explains("left-on-the-cpu")
def left_on_the_cpu(failure: Failure) -> Hits:
    told = {"Gather": say("output-on-cpu"), "Broadcast": say("model-on-cpu")}
    files = {"replicate.py": "Broadcast", "scatter_gather.py": "Gather"}
    passed = next((step for file, step in files.items() if failure.passed_through(file)), "")
    step = failure.groups.get("what") or passed
    yield failure.hit(told.get(step) or say("model-or-output-on-cpu"))


@explains("output-without-tensors")
def output_without_tensors(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/parallel/scatter_gather.py"):
        what = failure.groups["what"]
        named = say("output-of-type-not-tensor", what=what)
        yield failure.hit(named if what else say("output-not-tensor"))


def _on_several_cards(failure: Failure) -> bool:
    """Whether a replica of DataParallel raised it, or several cards of one process are told of next to it."""
    if failure.passed_through("torch/nn/parallel/parallel_apply.py"):
        return True
    return failure.matches(SEVERAL) and not failure.matches(EACH)
