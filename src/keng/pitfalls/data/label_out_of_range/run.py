"""A running program: a label is not among the model's classes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import torch

from keng.pitfalls.data._shared_labels import verdict
from keng.pitfalls.data._shared_run import IGNORE_INDEX
from keng.run.events import Loss, LossFailed
from keng.run.facts.losses import LossCall
from keng.run.labels import Labels
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

CALLS = 10
"""The first calls of a loss and then each tenth are seen; their labels are read only now and then."""


class ClassLabels(Recorder):
    """The range of class labels, over the calls of a loss that were sampled. Labels on a device are
    skipped: reading them would wait for it."""

    sampled = (Loss,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.calls: Counter[tuple[str, int | None]] = Counter()
        self.sampler = Sampler()
        self.seen: dict[tuple[str, int], Labels] = {}

    def loss(self, event: Loss) -> None:
        function, args = event.function, event.args
        if function not in IGNORE_INDEX:
            return
        # As `Sampler` counts, without a call in every step.
        key = function, getattr(args[0], "ndim", None)
        count = self.calls[key]
        self.calls[key] += 1
        if count < CALLS or count % CALLS == 0:
            self._look(function, args, failed=False)

    def loss_failed(self, event: LossFailed) -> None:
        if event.function in IGNORE_INDEX:
            self._look(event.function, event.args, failed=True)

    def _look(self, function: str, args: tuple[Any, ...], failed: bool) -> None:
        if not all(isinstance(each, torch.Tensor) for each in args[:2]):
            return
        labels = self._labels(function, args) if failed or self.sampler.due(function) else None
        says = verdict(labels) if labels is not None else None
        if says is None:
            return
        call = LossCall(self.run, function, args, failed)
        if len(call.input_shape) < 2 or call.has_label_for_each_row:
            self.report(says)

    def _labels(self, function: str, args: tuple[Any, ...]) -> Labels | None:
        logits, target = args[0], args[1]
        if not target.is_cpu or target.is_floating_point() or not target.numel():
            return None
        classes = int(logits.shape[1 if logits.dim() > 1 else 0])
        seen = _range(target, args[IGNORE_INDEX[function]])
        if seen is None:
            return None
        known = self.seen.get((function, classes), Labels(*seen, classes))
        now = Labels(min(seen[0], known.lowest), max(seen[1], known.highest), classes)
        self.seen[function, classes] = now
        return now


def _range(target: Tensor, ignored: int) -> tuple[int, int] | None:
    with unwatched():
        # An ignored label of -100 lies outside any range; look closer only where the range is odd.
        low, high = (int(value) for value in target.aminmax())
        if not low <= ignored <= high:
            return low, high
        kept = target[target != ignored]
        return (int(kept.min()), int(kept.max())) if kept.numel() else None
