"""A running program: all labels are of one class, or all of a batch are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch
from torch.utils.data import BatchSampler, SequentialSampler

from keng.model import Message, Span, say
from keng.pitfalls.data._shared_run import IGNORE_INDEX
from keng.run.events import Batch, EpochBegin, EpochEnd, Loss, RunEnd
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, memory_of, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor

LONG = 2
"""Batches for each class of a pass. Classes that fill fewer are learned in turns."""
ENOUGH = 20
"""Labels. Fewer may be of one class by chance: half a million to one, where two are equally frequent."""


@dataclass(slots=True)
class Pass:
    """The labels of a loader in the current epoch, while each class comes in one piece. `again` where
    that was so in another whole epoch; then predictions are compared: of the rows of a class in the batch
    in which it begins (`first`), and of all `later` ones."""

    again: bool = False
    runs: dict[int, None] = field(default_factory=dict)
    last: int = -1
    count: int = 0
    batches: int = 0
    classes: int = 0
    place: Span | None = None
    first: float = 0.0
    """Sum over classes of the shares that were right of their first rows."""
    later: int = 0
    right: int = 0
    step: int = 0
    """The step at which it ended."""


class LabelsByEpoch(Recorder):
    """Labels that come from a loader: those that a loss creates itself (the first of all pairs is the
    right one) may be constant. A loader whose classes alternate is no longer checked, and when all are
    such, none is until another begins. A single class is reported at the end of the run: others may come
    with other loaders, as tasks follow each other."""

    dormant = (Loss,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.passes: WeakKeyDictionary[Any, Pass | None] = WeakKeyDictionary()
        self.now: tuple[Any, set[int]] | None = None
        self.seen: set[int] = set()
        self.constant: list[Pass] = []

    def epoch_begin(self, event: EpochBegin) -> None:
        loader = event.iterator._index_sampler
        before = self.passes.get(loader, Pass())
        if before is None:
            return
        self.passes[loader] = Pass(again=before.again)
        self.listen(Batch)

    def batch(self, event: Batch) -> None:
        loader = event.iterator._index_sampler
        if self.passes.get(loader) is None:
            self.now = None
            self.ignore(Loss)
            if not any(self.passes.values()):
                self.ignore(Batch)
            return
        whole = [t for t in tensors_in(event.batch) if not t.is_floating_point() and t.is_cpu]
        self.now = loader, {memory_of(t)[0] for t in whole}
        self.listen(Loss)

    def loss(self, event: Loss) -> None:
        given, target = event.args[0], event.args[1]
        if self.now is None or event.function not in IGNORE_INDEX or not given.requires_grad:
            return
        loader, storages = self.now
        seen = self.passes.get(loader)
        if target.is_floating_point() or not target.is_cpu or not target.numel() or seen is None:
            return
        if memory_of(target)[0] in storages:
            self.now = None
            with unwatched():
                goes_on = self._look(loader, seen, given, target)
            if not goes_on:
                self.passes[loader] = None

    def _look(self, loader: Any, seen: Pass, given: Tensor, target: Tensor) -> bool:
        """Whether all classes have come in one piece so far."""
        lowest, highest = (int(value) for value in target.aminmax())
        if len(self.seen) < 2:
            self.seen |= {lowest, highest}
        runs = [lowest]
        if seen.batches == 0:
            seen.place, seen.classes = here(), int(given.shape[1 if given.dim() > 1 else 0])
        if lowest != highest or (seen.batches and lowest != seen.last):
            if not _in_order(loader) or target.dim() != 1 or given.dim() != 2:
                return False
            runs = torch.unique_consecutive(target).tolist()
        new = [run for run in runs if run != seen.last]
        if len(new) > len(set(new)) or any(run in seen.runs for run in new):
            return False
        if seen.again:
            right, same = given.argmax(1) == target, target == seen.last
            seen.first += sum(float(right[target == run].float().mean()) for run in new)
            seen.later += int(same.sum())
            seen.right += int(right[same].sum())
        seen.runs.update(dict.fromkeys(new))
        seen.last = runs[-1]
        seen.count += target.numel()
        seen.batches += 1
        return True

    def epoch_end(self, event: EpochEnd) -> None:
        loader = event.iterator._index_sampler
        seen = self.passes.get(loader)
        if seen is None or seen.batches < event.iterator._num_yielded or seen.count < 2:
            return
        if len(seen.runs) == 1:
            seen.step = self.run.step
            self.constant.append(seen)
        elif not seen.again and seen.batches >= LONG * len(seen.runs):
            seen.again = True
            return
        elif seen.again and seen.later:
            self._report_sorted(seen)
        self.passes[loader] = None

    def run_end(self, event: RunEnd) -> None:
        if len(self.seen) == 1:
            for seen in self.constant:
                self._report_constant(seen)

    def _report_constant(self, seen: Pass) -> None:
        if seen.classes > 1 and seen.count >= ENOUGH:
            says = say("all-labels-alike", count=seen.count, label=seen.last, classes=seen.classes)
            self.report(says, where=seen.place, step=seen.step, labels=seen.count)

    def _report_sorted(self, seen: Pass) -> None:
        """A model that always answers with one class is right once for every class: below
        half of that in a whole epoch, the order of the classes teaches it to be wrong."""
        classes, rows = len(seen.runs), seen.count - seen.later
        first, later, guessed = seen.first / classes, seen.right / seen.later, 1 / classes
        if rows < ENOUGH or first >= guessed / 2:
            return
        if later > guessed:
            says = say("sorted-by-class", first=f"{first:.0%}", later=f"{later:.0%}")
            self._sorted(seen, says)
        elif later < guessed / 2:
            says = say("sorted-and-wrong", right=f"{later:.0%}", guessed=f"{guessed:.0%}")
            self._sorted(seen, says)

    def _sorted(self, seen: Pass, says: Message) -> None:
        self.report(says, where=seen.place, classes=len(seen.runs), batches=seen.batches)


def _in_order(loader: Any) -> bool:
    """Whether torch's own samplers go through the data as it lies there."""
    return type(loader) is BatchSampler and type(loader.sampler) is SequentialSampler
