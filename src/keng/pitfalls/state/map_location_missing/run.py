"""A running program: a checkpoint is loaded onto the device that it was saved from."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import ReadCheckpoint


@watches("checkpoint.read", needs="cuda and several processes")
def every_rank_on_one_card(read: ReadCheckpoint) -> Hits:
    others = [name for name in read.devices if name.startswith("cuda") and name != read.device]
    if read.ranks > 1 and not read.mapped and others:
        says = f"rank {read.rank} on {read.device} has loaded to {others[0]}, as it was saved"
        yield read.hit(says, rank=read.rank)
