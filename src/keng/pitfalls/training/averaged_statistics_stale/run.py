"""A running program: averaged weights are evaluated with the batch statistics of the last ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from torch.nn.modules.batchnorm import _NormBase

from keng.model import say
from keng.run.events import AverageUpdated, Forward, RootModule
from keng.run.optimizers import sample_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

LOOKED_AT = 8


@dataclass(slots=True)
class Statistics:
    """The running means of some of an average's batch norms after its first update, and after its last.
    By value: what normalizes a batch moves them and not their versions."""

    first: list[Tensor]
    last: list[Tensor] = field(default_factory=list)
    updates: int = 0


class AveragedStatistics(Recorder):
    """An average takes over the statistics of the last weights. They are not those of the averaged
    weights until it has run over the data in training mode. An average that forgets, which is close to
    the last weights, is not reported, nor are frozen statistics."""

    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: WeakKeyDictionary[Module, Statistics] = WeakKeyDictionary()

    def average_updated(self, event: AverageUpdated) -> None:
        average = event.average
        means = _means(average)
        if not means or average.use_buffers or not _is_plain(average):
            return
        known = self.known.get(average)
        if known is None:
            known = self.known[average] = self.known[average.module] = Statistics(_copies(means))
        known.updates += 1
        known.last = _copies(means)
        self.listen(Forward)

    def forward(self, event: Forward) -> None:
        module = event.module
        known = self.known.get(module) if not module.training else None
        if known is None or known.updates < 2:
            return
        means = _means(module)
        with unwatched():
            stale = _are_equal(means, known.last) and not _are_equal(means, known.first)
        if stale:
            self.ignore(Forward)
            name = self.run.module_name(module)
            says = say("statistics-of-last", module=name, updates=known.updates)
            self.report(says, updates=known.updates)


@dataclass(slots=True)
class Copy:
    """Some weights and running means of a module at its first evaluation."""

    step: int
    weights: list[Tensor]
    means: list[Tensor]


class CopiedStatistics(Recorder):
    """A copy whose parameters follow those of a model, by the program's own averaging, and whose statistics
    do not: from one evaluation to a later one its weights have moved and its running means are the same,
    while another model of the same layers has seen more batches."""

    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.shapes: WeakKeyDictionary[Module, tuple[Any, ...]] = WeakKeyDictionary()
        self.copies: WeakKeyDictionary[Module, Copy] = WeakKeyDictionary()

    def root_module(self, event: RootModule) -> None:
        shapes = tuple(tuple(mean.shape) for mean in _means(event.module))
        if shapes and shapes in self.shapes.values():
            self.listen(Forward)
        if shapes:
            self.shapes[event.module] = shapes

    def forward(self, event: Forward) -> None:
        module = event.module
        if module.training or module not in self.shapes:
            return
        parameters = list(module.parameters())[:LOOKED_AT]
        if any(p.grad is not None for p in parameters):
            return
        known = self.copies.get(module)
        with unwatched():
            if known is None:
                weights = [sample_of(p) for p in parameters]
                self.copies[module] = Copy(self.run.step, weights, _copies(_means(module)))
            elif self.run.step > known.step and self._is_stale(module, known, parameters):
                del self.shapes[module]
                self.report(say("statistics-of-copy", module=self.run.module_name(module)))

    def _is_stale(self, module: Module, known: Copy, parameters: list[Any]) -> bool:
        moved = not _are_equal([sample_of(p) for p in parameters], known.weights)
        return moved and _are_equal(_means(module), known.means) and self._is_behind(module)

    def _is_behind(self, module: Module) -> bool:
        """Whether another model of the same layers has counted more batches."""
        shapes = self.shapes[module]
        others = [each for each, own in self.shapes.items() if own == shapes and each is not module]
        return any(_batches(other) > _batches(module) for other in others)


def _batches(module: Module) -> int:
    """Batches that the first batch norm has counted."""
    norms = (layer for layer in module.modules() if isinstance(layer, _NormBase))
    counts = (layer.num_batches_tracked for layer in norms)
    return next((int(count) for count in counts if count is not None), 0)


def _means(module: Any) -> list[Tensor]:
    norms = (layer for layer in module.modules() if isinstance(layer, _NormBase))
    return [layer.running_mean for layer in norms if layer.running_mean is not None][:LOOKED_AT]


def _copies(tensors: list[Tensor]) -> list[Tensor]:
    with unwatched():
        return [tensor.clone() for tensor in tensors]


def _are_equal(some: list[Tensor], others: list[Tensor]) -> bool:
    return all(one.equal(other) for one, other in zip(some, others, strict=True))


def _is_plain(average: Any) -> bool:
    given = average.avg_fn or average.multi_avg_fn
    return given is None or getattr(given, "__qualname__", "").startswith("get_swa_")
