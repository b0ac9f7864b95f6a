"""Means over steps and ranks, without making the device wait at each step."""

from __future__ import annotations

from operator import index

import torch
from torch import Tensor, distributed

from keng.toolbox.ranks import grouped


def reduce_mean(value: Tensor, weight: float = 1.0) -> Tensor:
    """The mean of a tensor over all ranks, detached, of the same shape, dtype and device on every
    rank (NaN where all weights are 0). Without a process group it is the value itself.

    `weight` is how much a rank counts, such as its number of samples where tail batches differ; the
    mean is then that of all samples. All ranks must call it, or those that do wait for ever. The
    result is for printing and for decisions: DistributedDataParallel averages gradients by itself.
    Integers are averaged in float32, and float16 and bfloat16 are summed in it. Raises: TypeError for
    what is no tensor: it would not say on which device the ranks are to meet.
    """
    if not isinstance(value, Tensor):
        raise TypeError(f"a tensor is wanted, not {type(value).__name__}")
    mean = _wide(value)
    dtype = value.dtype if value.is_floating_point() else mean.dtype
    if not grouped():
        return mean.to(dtype, copy=True)
    # A sum and a count: gloo has no ReduceOp.AVG.
    sums = torch.cat([mean.flatten() * weight, mean.new_tensor([weight])])
    distributed.all_reduce(sums)
    return (sums[:-1] / sums[-1]).view_as(value).to(dtype)


def _wide(value: Tensor) -> Tensor:
    """In at least 32 bits: sums of float16 overflow above 65504, those of bfloat16 stand still at 256
    times what is added."""
    whole = value.detach()
    return whole if value.is_complex() or value.dtype == torch.float64 else whole.float()


class Meter:
    """The mean of a quantity since it was last asked for, over all ranks.

    `update` adds on the device and keeps no graph; every `every` updates it returns the mean so far,
    and None at the others, so the host waits for the device once in `every` steps:

        meter = Meter(every=50)
        for images, labels in loader:
            ...
            if (mean := meter.update(loss, len(labels))) is not None:
                print(f"loss {mean:.4f}")

    With a process group all ranks must make the same number of updates.
    """

    def __init__(self, every: int = 50) -> None:
        if index(every) < 1:
            raise ValueError(f"every {every} updates is never")
        self.every = every
        self.updates = 0
        self._reset()

    def _reset(self) -> None:
        self._sum: Tensor | float = 0.0
        self._count = 0

    def update(self, value: Tensor | float, count: int = 1) -> float | None:
        """Adds the mean `value` (a scalar) of `count` samples. Raises: ValueError for a tensor that is
        not one real number, or a count below 0; TypeError for what is no number."""
        if count < 0 or (isinstance(value, Tensor) and (value.numel() != 1 or value.is_complex())):
            given = f"{tuple(value.shape)} of {value.dtype}" if isinstance(value, Tensor) else value
            raise ValueError(f"one number and how many samples it is of, not {given} and {count}")
        number = _wide(value).reshape(()) if isinstance(value, Tensor) else float(value)
        self._sum += number * count
        self._count += count
        self.updates += 1
        return None if self.updates % self.every else self.mean()

    def mean(self) -> float:
        """The mean over all samples and ranks since the last time; NaN where there were none."""
        total = torch.as_tensor(self._sum) / max(self._count, 1)
        mean = reduce_mean(total, self._count)
        empty = not self._count
        self._reset()
        return float("nan") if empty else mean.item()
