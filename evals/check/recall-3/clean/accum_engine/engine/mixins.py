from __future__ import annotations

import contextlib
import math

import torch


class AccumulateMixin:
    """Steps once every `k` batches, and once more for the rest of an epoch."""

    k: int

    def backward(self, loss, index, count):
        rest = count % self.k or self.k
        group = rest if index >= count - rest else self.k
        (loss / group).backward()
        if (index + 1) % self.k == 0 or index + 1 == count:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
            self.optimizer.step()
            self.scheduler.step()
            self.optimizer.zero_grad(set_to_none=True)

    def steps_per_epoch(self, loader):
        return math.ceil(len(loader) / self.k)


class ModeMixin:
    @contextlib.contextmanager
    def evaluating(self):
        self.model.eval()
        with torch.inference_mode():
            yield
        self.model.train()


class MeterMixin:
    def reset(self):
        self.totals: dict[str, torch.Tensor] = {}

    def track(self, **values):
        for name, value in values.items():
            self.totals[name] = self.totals.get(name, 0.0) + value.detach()
