"""Error messages: a process group is used that was never made."""

from __future__ import annotations

from keng.explain.advice.processes import not_set, without_group
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-group")
def no_group(failure: Failure) -> Hits:
    yield failure.hit(without_group(failure))


@explains("started-alone")
def started_alone(failure: Failure) -> Hits:
    yield failure.hit(not_set(failure.groups["name"]))


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
