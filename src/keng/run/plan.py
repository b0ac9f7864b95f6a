"""What a run does besides watching."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from keng.ranks.calls import Stall
from keng.run.comparison import Asked
from keng.run.replay.capsules import Program

Spawned = Callable[[], AbstractContextManager[Callable[[str], None]]]
"""Watches a process that the program starts by torch.multiprocessing.spawn. It travels there; what its
context gives takes how the process ended, where that was not well."""


Record = Callable[[str, str, int, float], None]
"""Takes a scalar: its name, a label (an optimizer, a layer, a part of the step), the step, the value."""


class Keep(NamedTuple):
    """The folder for capsules, how the program was started, and what is called with a capsule."""

    home: Path
    program: Program
    told: Callable[[Path], None]


class Plan(NamedTuple):
    """`stall` seconds without progress, while some rank waits, are a stall: rank 0 hears of it by
    `on_stall`. With `abort` every rank that stands is then ended, `on_abort` being called before.
    `on_asked` is called before a rank dies of SIGTERM, which waits for nothing where there is none.
    `on_batches` hears once how many samples each rank's batch has. After `steps` steps of optimizers,
    where there is such a number, the program ends as by `sys.exit()`. `record` is handed the scalars
    of every step, `about` the properties of the run. `keep` says where a step that breaks is kept;
    `replay` are the tensors of one that was. `trace` is a file for every operation. `compare` is a step
    that is run another way as well. With `follows` it is the first thread that trains which is watched,
    and else the one that began to watch. A rank that is slower than the others for `pace` seconds is
    reported."""

    stall: float = 30.0
    abort: bool = False
    on_stall: Callable[[Stall], None] = lambda stall: None
    on_abort: Callable[[], None] = lambda: None
    on_asked: Callable[[], None] | None = None
    on_batches: Callable[[tuple[int, ...]], None] = lambda samples: None
    spawned: Spawned | None = None
    steps: int = 0
    record: Record | None = None
    keep: Keep | None = None
    replay: Mapping[str, Any] | None = None
    trace: Path | None = None
    about: Callable[[str, str], None] | None = None
    compare: Asked | None = None
    follows: bool = False
    pace: float = 60.0
