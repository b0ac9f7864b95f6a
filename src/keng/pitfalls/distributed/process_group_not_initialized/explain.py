"""Error messages: a process group is used that was never made."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

ALONE = re.compile(
    r"\b(?:single|one|1) (?:gpu|card|device)\b|\bnum-?gpus[= ]1\b|单(?:卡|GPU|张)", re.IGNORECASE
)


@explains("no-group")
def no_group(failure: Failure) -> Hits:
    yield failure.hit(_without_group(failure))


@explains("started-alone")
def started_alone(failure: Failure) -> Hits:
    yield failure.hit(_not_set(failure.groups["name"]))


@explains("address-without-a-number")
def address_without_a_number(failure: Failure) -> Hits:
    scheme, what = failure.groups["scheme"], failure.groups["what"].replace(" ", "_")
    yield failure.hit(say("address-without-number", scheme=scheme, what=what))


@explains("under-no-scheduler")
def under_no_scheduler(failure: Failure) -> Hits:
    launcher = "srun" if failure.groups["name"].startswith("SLURM") else "mpirun"
    yield failure.hit(say("not-under-scheduler", name=failure.groups["name"], launcher=launcher))


def _without_group(failure: Failure) -> Message:
    """About a process group that was never created, by who asks for it."""
    if failure.passed_through("torch/nn/modules/batchnorm.py"):
        return say("sync-batch-norm-alone")
    alone = not failure.frames or ALONE.search(failure.context)
    return say("no-group-alone") if alone else say("no-group")


def _not_set(name: str) -> Message:
    """About a variable of the environment that a launcher sets."""
    if name.startswith("MASTER"):
        return say("master-not-set", name=name)
    return say("started-alone", name=name)
