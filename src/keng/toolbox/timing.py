"""Times that mean something."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.utils.benchmark import Measurement, Timer


def benchmark(
    function: Callable[[], object], *, warmup: int = 3, seconds: float = 1.0
) -> Measurement:
    """Times calls of a function by `torch.utils.benchmark`: the device is waited for on both sides of
    what is timed (kernel launches return at once), and the first calls, which compile, autotune and
    allocate, are not counted.

    Runs `warmup` calls, then as many as fit into about `seconds`. The measurement has `median` and
    `iqr` (the spread of the middle half), both in seconds a call, and warns in print where the spread
    is wide. Threads are as many as the program uses; Timer alone would take one.
    """
    for _ in range(warmup):
        function()
    timer = Timer("function()", globals={"function": function}, num_threads=torch.get_num_threads())
    return timer.blocked_autorange(min_run_time=seconds)
