"""What launchers say of values that they do not take."""

from __future__ import annotations

NO_NUMBER = (
    r"error: argument (?:-\w/)?(?:--[\w-]{1,30}/){0,3}--(?P<name>nnodes|node[_-]rank|nproc[_-]per[_-]node|"
    r"master[_-](?:port|addr)|max[_-]restarts|num_(?:processes|machines|gpus|nodes)|machine_rank|main_process_port)"
    r"(?:/--[\w-]{1,30}){0,3}: (?:expected one argument|invalid int value: '(?P<came>[^'\n]{0,200})')"
)
"""Of argparse, for the options that launchers alone have."""

REFUSED = {
    "Port out of range 0-65535": (
        "a port is a number from 0 to 65535, in MASTER_PORT or after the host's name"
    ),
    "has node-specific arguments(rank, world_size)": (
        "rank and world_size stand in the address or are given beside it, not in both"
    ),
    "Cannot specify both init_method and store": (
        "a store and init_method say both where to meet: one of them"
    ),
    "world_size must be positive if using store": "with a store the number of processes is told: world_size=",
    "rank must be non-negative if using store": "with a store each process tells which it is: rank=",
    "Invalid device:backend pairing": (
        "several backends are pairs of a device and its backend: 'cpu:gloo,cuda:nccl'"
    ),
    "Duplicate device type": "one kind of device gets two backends: one each, 'cpu:gloo,cuda:nccl'",
    "configuration string must be in format <key1>=": (
        "--rdzv-conf is a row of name=value with commas: --rdzv-conf=timeout=900,join_timeout=600"
    ),
    "Invalid store type given. Currently only": "store_type in --rdzv-conf is tcp or file",
    "min_nodes must be > 0 and <= max_nodes": (
        "--nnodes is a number from 1, or MIN:MAX with the smaller first"
    ),
    "does not match: <^[0123]$>": (
        "--redirects and --tee take 0 to 3 (1 output, 2 errors, 3 both), for all or by rank: "
        "0:3,1:1"
    ),
    "--local_ranks_filter must be": "--local-ranks-filter is a row of local ranks with commas: 0,1",
    "under 'torchrun.logs_specs[": (
        "--logs-specs names a class that a package has registered, and none is there under that "
        "name: leave it out"
    ),
}
"""A piece of a message -> what it is about."""


def left_out(name: str, came: str) -> str:
    """What is wrong with the number that follows an option; `came` is what stood there, if anything did."""
    empty = (
        "a variable that stands there is empty, as $RANDOM is in sh: bash train.sh, or the number"
    )
    if not came:
        return f"`--{name}` has no value: {empty}"
    if came.endswith((".py", ".sh")) or came.startswith("-"):
        return f"`--{name}` has no value of its own and takes `{came}` for it: {empty}"
    return f"`--{name}` is a whole number, and `{came}` is none"
