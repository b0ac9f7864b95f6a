"""Error messages: a process group is used that was never made."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
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
    yield failure.hit(
        "there is no group to destroy or to use: it was never made, was destroyed before, or this rank is not in it"
    )


@explains("address-without-a-number")
def address_without_a_number(failure: Failure) -> Hits:
    scheme, what = failure.groups["scheme"], failure.groups["what"].replace(" ", "_")
    yield failure.hit(
        f"an address of {scheme}:// says nothing of the {what}: init_process_group(..., rank=, world_size=), or env:// under "
        "torchrun"
    )


@explains("groups-of-megatron")
def groups_of_megatron(failure: Failure) -> Hits:
    yield failure.hit(
        f"the groups of {failure.groups['what']} parallel processes are not made: initialize_model_parallel(...), after "
        "init_process_group and before the model"
    )


@explains("no-agent")
def no_agent(failure: Failure) -> Hits:
    yield failure.hit(
        "RPC was not started in this process: torch.distributed.rpc.init_rpc(...) first, for a Pipe in one process too"
    )


@explains("under-no-scheduler")
def under_no_scheduler(failure: Failure) -> Hits:
    launcher = "srun" if failure.groups["name"].startswith("SLURM") else "mpirun"
    yield failure.hit(
        f"`{failure.groups['name']}` is not set: the program is told that {launcher} starts it, and it does not; drop that "
        "setting (SLURMEnvironment, --launcher slurm), or start it so"
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
