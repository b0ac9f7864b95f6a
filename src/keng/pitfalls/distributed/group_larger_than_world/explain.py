"""Error messages: a rank is named that there is not, or a group of more processes than were started."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("group-too-large")
def group_too_large(failure: Failure) -> Hits:
    yield failure.hit(
        "the group names more processes than there are: the program was started with fewer"
    )


@explains("mesh-too-large")
def mesh_too_large(failure: Failure) -> Hits:
    came, world = failure.groups["came"], failure.groups["world"]
    yield failure.hit(
        f"the mesh has {came} places, and {world} processes were started: as many by --nproc-per-node, or sizes that multiply to {world}"
    )


@explains("not-of-the-group")
def not_of_the_group(failure: Failure) -> Hits:
    yield failure.hit(
        f"src and dst are ranks of the whole world, also within a group, and rank {failure.groups['rank']} is not in this one"
    )


@explains("sampler-of-fewer")
def sampler_of_fewer(failure: Failure) -> Hits:
    rank, all_of = failure.groups["rank"], int(failure.groups["last"]) + 1
    yield failure.hit(
        f"a DistributedSampler shares out to {all_of} processes and is told rank {rank}: leave num_replicas= and rank= out, or dist.get_world_size() "
        "and dist.get_rank()"
    )


@explains("no-such-rank")
def no_such_rank(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is no rank {failure.groups['rank']} in this group: ranks run from 0 to its size - 1"
    )


@explains("mesh-without-names")
def mesh_without_names(failure: Failure) -> Hits:
    yield failure.hit("a part of a mesh is taken by name: mesh_dim_names= when it is made")


@explains("to-itself")
def to_itself(failure: Failure) -> Hits:
    yield failure.hit(
        f"a process sends to or receives from itself: the {failure.groups['what']} is its own rank"
    )
