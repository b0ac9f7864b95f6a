"""What a rank tells of the models that it has in DistributedDataParallel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from torch.nn import Module, SyncBatchNorm
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.parallel import DistributedDataParallel

from keng.model import Span, Value
from keng.ranks import Replica
from keng.runtime.places import here
from keng.runtime.ranks import digests
from keng.runtime.ranks.part import Looks, Part
from keng.runtime.scene import Scene, aside

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer


class Replicas(Part):
    """Each model is a Replica that grows: where it was wrapped, what it was fed, what went past it."""

    def __init__(self, scene: Scene, looks: Looks) -> None:
        super().__init__(scene, looks)
        self.known: WeakKeyDictionary[DistributedDataParallel, Replica] = WeakKeyDictionary()
        self.where: Span | None = None
        self.settings: dict[str, Value] = {}
        self._before: dict[tuple[str, str], int] = {}

    def wrapped(self, model: DistributedDataParallel) -> None:
        self.known[model] = Replica("", here())

    def forward(self, module: Module, _: Any, __: Any, inputs: list[Tensor]) -> None:
        if isinstance(module, DistributedDataParallel):
            if module not in self.known:  # wrapped before it was watched
                self.known[module] = Replica("", None)
            samples = inputs[0].shape[0] if inputs and inputs[0].dim() else 0
            if self.looks.now:
                self.where = here()
                samples = max(samples, self.known[module].samples)  # the last batch may be short
                self.known[module] = replace(self.known[module], samples=samples)
            return
        for model, replica in self.known.items():
            if model.module is module and module.training and replica.past is None:
                self.known[model] = replace(replica, past=here())

    def step(self, optimizer: Optimizer) -> None:
        if not self.looks.now:
            return
        held = {id(p) for group in optimizer.param_groups for p in group["params"]}
        for model in list(self.known):
            if any(id(p) in held for p in model.module.parameters()):
                self.known[model] = self._seen(model, held)
                self.settings.update(_settings(optimizer))

    def _seen(self, model: DistributedDataParallel, held: set[int]) -> Replica:
        replica = self.known[model]
        return replace(
            replica,
            name=replica.name or self.scene.module_name(model),
            device=str(next(model.module.parameters()).device),
            unused=tuple(_unused(model, held)),
            normed=tuple(_normed(model.module)),
        )

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        """Sums are begun here, where nothing moves; they are read in another thread."""
        with aside():
            begun = [(r, _sums(m), _stay(m)) for m, r in self.known.items() if r.name]
        where, settings = self.where, dict(self.settings)

        def read() -> Mapping[str, Any]:
            replicas = tuple(self._read(*each) for each in begun)
            return {"replicas": replicas, "settings": settings, "where": where}

        return read

    def _read(self, replica: Replica, sums: dict[str, Tensor], stay: dict[str, Tensor]) -> Replica:
        values = digests.numbers([*sums.values(), *stay.values()])
        parameters = dict(zip(sums, values, strict=False))
        buffers = dict(zip(stay, values[len(sums) :], strict=True))
        still = {n: v for n, v in buffers.items() if self._before.get((replica.name, n)) == v}
        self._before.update({(replica.name, n): v for n, v in buffers.items()})
        return replace(replica, parameters=parameters, buffers=still)


def _sums(model: DistributedDataParallel) -> dict[str, Tensor]:
    ignored = model.parameters_to_ignore
    named = model.module.named_parameters()
    return {n: digests.digest(p) for n, p in named if n not in ignored and digests.is_whole(p)}


def _stay(model: DistributedDataParallel) -> dict[str, Tensor]:
    """Buffers that nobody makes equal: with `broadcast_buffers` rank 0's are sent at each forward."""
    if model.broadcast_buffers:
        return {}
    named = model.module.named_buffers()
    return {n: digests.digest(b) for n, b in named if digests.is_whole(b) and b.dtype.itemsize > 1}


def _unused(model: DistributedDataParallel, held: set[int]) -> Iterator[str]:
    """Parameters that the model counted on and that got no gradient, where others did."""
    if model.find_unused_parameters or model.static_graph or not model.require_backward_grad_sync:
        return
    named = [
        (name, p)
        for name, p in model.module.named_parameters()
        if p.requires_grad and name not in model.parameters_to_ignore
    ]
    if any(p.grad is not None for _, p in named if id(p) in held):
        yield from (name for name, p in named if p.grad is None)


def _normed(model: Module) -> Iterator[str]:
    """Batch norm layers in training that know only of this rank's samples."""
    for name, module in model.named_modules():
        alone = isinstance(module, _BatchNorm) and not isinstance(module, SyncBatchNorm)
        if alone and module.training:
            yield name


def _settings(optimizer: Optimizer) -> Iterator[tuple[str, Value]]:
    for number, group in enumerate(optimizer.param_groups):
        for name, value in group.items():
            if isinstance(value, (int, float)):
                yield f"{name} of group {number} of {type(optimizer).__name__}", value
