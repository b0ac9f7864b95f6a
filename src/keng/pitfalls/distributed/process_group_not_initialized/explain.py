"""Error messages: a process group is used that was never made."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
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


@explains("nothing-to-destroy")
def nothing_to_destroy(failure: Failure) -> Hits:
    yield failure.hit(say("there-no-group-destroy"))


@explains("address-without-a-number")
def address_without_a_number(failure: Failure) -> Hits:
    scheme, what = failure.groups["scheme"], failure.groups["what"].replace(" ", "_")
    yield failure.hit(say("address-says-nothing-init", what=scheme, what_2=what))


@explains("groups-of-megatron")
def groups_of_megatron(failure: Failure) -> Hits:
    yield failure.hit(say("groups-parallel-processes-not", what=failure.groups["what"]))


@explains("no-agent")
def no_agent(failure: Failure) -> Hits:
    yield failure.hit(say("rpc-was-not-started"))


@explains("under-no-scheduler")
def under_no_scheduler(failure: Failure) -> Hits:
    launcher = "srun" if failure.groups["name"].startswith("SLURM") else "mpirun"
    yield failure.hit(
        say("not-set-program-told", launcher=failure.groups["name"], launcher_2=launcher)
    )


def _without_group(failure: Failure) -> str:
    """One line about a process group that was never made, by who asks for it."""
    if failure.passed_through("torch/nn/modules/batchnorm.py"):
        return (
            "SyncBatchNorm asks for the other processes, and there are none: BatchNorm in its place "
            "for one process (SyncBN in a config: BN), or start it by its launcher"
        )
    if not failure.frames or ALONE.search(failure.context):
        return (
            "no init_process_group in this process: on one card mostly SyncBatchNorm asks for it "
            "(SyncBN in a config: BN), else start it by torchrun or the program's launcher, with "
            "one process too"
        )
    return (
        "no init_process_group in this process: first thing in each, started by torchrun or the "
        "program's launcher; a run on one card leaves that option out, or asks "
        "dist.is_initialized()"
    )


def _not_set(name: str) -> str:
    """One line about a variable of the environment that a launcher sets."""
    if name.startswith("MASTER"):
        return (
            f"`{name}` is not set: torchrun sets it; where processes are spawned, "
            "os.environ['MASTER_ADDR'] = 'localhost' and MASTER_PORT before init_process_group"
        )
    return (
        f"`{name}` is not set: torchrun sets it, and plain python, a notebook, mpirun or srun do not: "
        "torchrun --nproc-per-node=1, or the program's way for one process"
    )
