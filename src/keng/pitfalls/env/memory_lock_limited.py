r"""The limit of locked memory is too small for the network cards.

InfiniBand and similar cards write into a program's memory by themselves, so NCCL locks the buffers that they use. A
shell or a container that may lock only 64 KiB or 8 MiB, as is usual, refuses that, and NCCL fails when it sets
up its connections.

Cure: `ulimit -l unlimited`, in `/etc/security/limits.conf` for good; for a container `--ulimit memlock=-1`.

Message (NCCL 2):

```text
NCCL WARN Call to ibv_reg_mr failed with error Cannot allocate memory
```

Machine (`may lock 64 KiB`, with InfiniBand):

```toml
[files]
"/sys/class/infiniband/mlx5_0/node_type" = "1: CA\n"
[limits]
memlock = 65536
```

Sound (no limit; no such card):

```toml
[files]
"/sys/class/infiniband/mlx5_0/node_type" = "1: CA\n"
[limits]
memlock = -1
```

Sound (no network card that needs it):

```toml
[limits]
memlock = 65536
```
"""

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("nccl-error")

ENOUGH = 1 << 30
"""Bytes. NCCL locks some megabytes for each connection."""


@pitfall.explains(
    r"ibv_(?:reg_mr|create_cq|create_qp)\w* failed with error Cannot allocate memory", odds=0.9
)
def too_little_to_lock(failure: Failure) -> Hits:
    yield failure.hit(
        "the shell or container may lock too little memory for the network card: ulimit -l unlimited, for a container --ulimit memlock=-1"
    )


@pitfall.probes
def little_may_be_locked(machine: Machine) -> Hits:
    cards, limit = machine.names("/sys/class/infiniband"), machine.limit("memlock")
    if cards and 0 <= limit < ENOUGH:
        yield machine.hit(
            f"a process may lock {limit >> 10} KiB of memory, and the card {cards[0]} needs more: NCCL "
            "fails over InfiniBand",
            "ulimit -l unlimited",
            {"ulimit -l": f"{limit >> 10} KiB", f"/sys/class/infiniband/{cards[0]}": "there"},
        )
