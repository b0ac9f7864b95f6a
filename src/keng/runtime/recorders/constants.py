"""Class labels that never change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from keng.model import Span
from keng.moments import ConstantLabels
from keng.runtime.bus import Recorder
from keng.runtime.places import here
from keng.runtime.recorders.losses import IGNORE_INDEX
from keng.runtime.scene import PlaceFacts, Scene, aside, memory_of, tensors_in

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(slots=True)
class Pass:
    """What is known of a loader's labels in the pass under way, while they are all alike."""

    label: int = -1
    count: int = 0
    batches: int = 0
    classes: int = 0
    place: Span | None = None


class Constants(Recorder):
    """Labels that a loader gave: those that a loss makes itself (the first of all pairs is the right one)
    may be alike. A loader whose labels differ once is looked at no more, and where all are such, none is
    until another begins."""

    makes = ("labels.constant",)
    rests = ("loss",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.passes: WeakKeyDictionary[Any, Pass | None] = WeakKeyDictionary()
        self.now: tuple[Any, set[int]] | None = None

    def pass_begin(self, iterator: Any, batch: Any) -> None:
        if self.passes.setdefault(iterator._index_sampler, Pass()) is not None:
            self.wake("batch")

    def batch(self, iterator: Any, batch: Any, waited: float) -> None:
        loader = iterator._index_sampler
        if self.passes.get(loader) is None:
            self.now = None
            self.rest("loss")
            if not any(self.passes.values()):
                self.rest("batch")
            return
        whole = [t for t in tensors_in(batch) if not t.is_floating_point() and t.is_cpu]
        self.now = loader, {memory_of(t)[0] for t in whole}
        self.wake("loss")

    def loss(self, function: str, args: Any) -> None:
        given, target = args[0], args[1]
        if self.now is None or function not in IGNORE_INDEX or not given.requires_grad:
            return
        loader, storages = self.now
        seen = self.passes.get(loader)
        if target.is_floating_point() or not target.is_cpu or not target.numel() or seen is None:
            return
        if memory_of(target)[0] in storages:
            self.now = None
            self._look(loader, seen, given, target)

    def _look(self, loader: Any, seen: Pass, given: Tensor, target: Tensor) -> None:
        with aside():
            lowest, highest = (int(value) for value in target.aminmax())
        if lowest != highest or (seen.batches and lowest != seen.label):
            self.passes[loader] = None
            return
        seen.label, seen.classes = lowest, int(given.shape[1 if given.dim() > 1 else 0])
        seen.count += target.numel()
        seen.batches += 1
        seen.place = seen.place or here()

    def pass_end(self, iterator: Any) -> None:
        loader = iterator._index_sampler
        seen = self.passes.get(loader)
        if seen is None or seen.batches < iterator._num_yielded or seen.count < 2:
            return
        self.passes[loader] = None
        facts = PlaceFacts(seen.place)
        moment = ConstantLabels(self.scene.step, facts, seen.label, seen.count, seen.classes)
        self.scene.show("labels.constant", moment)
