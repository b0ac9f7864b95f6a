"""Learning rates that begin low and climb, on PyTorch's own `LambdaLR`.

Each is a closed form of the step, so that the rate after a resume is the same to the last bit as
without, and a step too many or too few cannot leave an error that stays. What a step is, an update
or an epoch, is where `scheduler.step()` stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR


def warmup_multistep(
    optimizer: Optimizer,
    warmup: int,
    milestones: Iterable[int],
    *,
    gamma: float = 0.1,
    start: float = 1 / 3,
) -> LambdaLR:
    """From `start` times the learning rate in a line to the whole of it at step `warmup`; `gamma`
    times it from each milestone on. Multiplies what the line and the milestones say.

    Source: Goyal et al., "Accurate, Large Minibatch SGD", 2017, section 2.2 (gradual warm-up).
    Raises: ValueError where `warmup` is negative.
    """
    line, stones = _line(warmup, start), tuple(milestones)

    def factor(step: int) -> float:
        passed = sum(step >= stone for stone in stones)
        return line(step) * gamma**passed

    return LambdaLR(optimizer, factor)


def warmup_cosine(
    optimizer: Optimizer, warmup: int, total: int, *, start: float = 0.01, end: float = 0.0
) -> LambdaLR:
    """From `start` times the learning rate in a line to the whole of it at step `warmup`, and from
    there along half a cosine to `end` times it at step `total`, where it stays.

    Source: Loshchilov and Hutter, "SGDR", 2017, equation 5. Raises: ValueError where `warmup` is
    negative or not below `total`.
    """
    if warmup >= total:
        raise ValueError(f"a warm-up of {warmup} steps leaves nothing of {total}")
    line = _line(warmup, start)

    def factor(step: int) -> float:
        if step < warmup:
            return line(step)
        done = min(1.0, (step - warmup) / (total - warmup))
        return end + (1 - end) * (1 + math.cos(math.pi * done)) / 2

    return LambdaLR(optimizer, factor)


def _line(warmup: int, start: float) -> Callable[[int], float]:
    if warmup < 0:
        raise ValueError(f"a warm-up cannot take {warmup} steps")

    def factor(step: int) -> float:
        return start + (1 - start) * step / warmup if step < warmup else 1.0

    return factor
