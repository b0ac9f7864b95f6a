"""What a rank reports of the models that it trains with the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

import torch
from torch.nn import Module, SyncBatchNorm
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.parallel import DistributedDataParallel

from keng.model import Span, Value
from keng.ranks.collect import digests
from keng.ranks.collect.parallel_models import averages, comparable, inside, is_parallel
from keng.ranks.collect.section import Looks, Part
from keng.ranks.collect.statistics import running_statistics
from keng.ranks.reports import Replica
from keng.run.events import AutogradGrad, Backward, Forward, ModelWrapped, Step
from keng.run.frames import here
from keng.run.optimizers import held_by
from keng.run.state import RunState, unwatched
from keng.run.user_code import hooked_at

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer


class Replicas(Part):
    """Each model is a Replica that grows: where it was wrapped, what it was fed, what went past it."""

    dozes = (AutogradGrad, Backward, Forward, Step)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self.known: WeakKeyDictionary[Module, Replica] = WeakKeyDictionary()
        self.where: Span | None = None
        self.settings: dict[str, Value] = {}
        self._before: dict[tuple[str, str], int] = {}
        self._moved: set[tuple[str, str]] = set()
        self._gradients: dict[Module, dict[str, Tensor]] = {}
        self._states: dict[Module, dict[str, Tensor]] = {}
        self._optimizers: WeakSet[Optimizer] = WeakSet()
        self._taken: Span | None = None

    def model_wrapped(self, event: ModelWrapped) -> None:
        self.known[event.model] = Replica("", here())

    def forward(self, event: Forward) -> None:
        module, inputs = event.module, event.inputs
        if module in self.known or is_parallel(module):
            if module not in self.known:  # sharded, or wrapped before it was watched
                self.known[module] = Replica("", here())
            samples = inputs[0].shape[0] if inputs and inputs[0].dim() else 0
            self.where = here()
            samples = max(samples, self.known[module].samples)  # the last batch may be short
            self.known[module] = self.known[module]._replace(samples=samples)
            return
        for model, replica in self.known.items():
            if inside(model) is module and module.training and replica.past is None:
                self.known[model] = replica._replace(past=here())

    def autograd_grad(self, event: AutogradGrad) -> None:
        self._taken = self._taken or here()

    def backward(self, event: Backward) -> None:
        if event.accumulates:
            self._taken = None

    def step(self, event: Step) -> None:
        held = held_by([event.optimizer])
        self._optimizers.add(event.optimizer)
        for model in list(self.known):
            if any(id(p) in held for p in model.parameters()):
                self.known[model] = self._seen(model, held)
                self.settings.update(settings_of(event.optimizer))
                with unwatched():
                    self._gradients.setdefault(model, {}).update(_gradients(model, held))
                    self._states.setdefault(model, {}).update(_states(model, event.optimizer, held))

    def _seen(self, model: Module, held: set[int]) -> Replica:
        replica = self.known[model]
        unused = [*_unused(model, held)]
        # The others may have stepped and cleared their gradients since the backward.
        cleared = held_by(self._optimizers) - held if unused else set()
        return replica._replace(
            name=replica.name or self.run.module_name(model),
            device=str(next(model.parameters()).device),
            stepped=here(),
            hooked=hooked_at() if _is_in_backward() else None,
            taken=self._taken,
            unused=tuple(name for name, p in unused if id(p) not in cleared),
            normed=tuple(_normed(model)),
            broadcasts=bool(getattr(model, "broadcast_buffers", False)),
        )

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        """Sums are begun here, where nothing moves; they are read in another thread."""
        with unwatched():
            begun = [
                (
                    replica,
                    _sums(model),
                    self._gradients.get(model, {}),
                    still_buffers(model),
                    _statistics(model),
                    self._states.get(model, {}),
                )
                for model, replica in self.known.items()
                if replica.name
            ]
        where, settings = self.where, dict(self.settings)
        self._gradients.clear()
        self._states.clear()

        def read() -> Mapping[str, Any]:
            # Not a tuple that grows: it breaks where the program asks gc for all objects meanwhile.
            replicas = [self._read(*each) for each in begun]
            return {"replicas": tuple(replicas), "settings": settings, "where": where}

        return read

    def _read(self, replica: Replica, *sums: Mapping[str, Tensor]) -> Replica:
        values = iter(digests.numbers([each for named in sums for each in named.values()]))
        parameters, gradients, buffers, statistics, states = (
            dict(zip(named, values, strict=False)) for named in sums
        )
        named = {(replica.name, n): value for n, value in buffers.items()}
        # Counts of a batch may be those of the last one by chance.
        self._moved |= {key for key, v in named.items() if self._before.get(key, v) != v}
        still = {
            key[1]: v for key, v in named.items() if key in self._before and key not in self._moved
        }
        self._before.update(named)
        replica = replica._replace(parameters=parameters, gradients=gradients, buffers=still)
        return replica._replace(statistics=statistics, states=states)


def trained_models(run: RunState) -> dict[str, Tensor]:
    """For each model that the program calls in training, by its name, a digest of all parameters."""
    found: dict[str, Tensor] = {}
    for model in list(run.roots):
        kept = comparable(inside(model).named_parameters())
        learned = [tensor for tensor in kept.values() if tensor.requires_grad]
        if learned:
            with unwatched():
                found[run.module_name(model)] = _sum_of(learned)
    return found


def shadows(run: RunState) -> dict[str, tuple[Tensor, tuple[int, ...]]]:
    """For each model that the program calls and does not train, by its name, a digest of its parameters, and
    their sizes."""
    found: dict[str, tuple[Tensor, tuple[int, ...]]] = {}
    for model in list(run.roots):
        kept = list(comparable(inside(model).named_parameters()).values())
        if kept and not any(p.requires_grad or p.grad is not None for p in kept):
            with unwatched():
                found[run.module_name(model)] = _sum_of(kept), tuple(p.numel() for p in kept)
    return found


def trained_sizes(run: RunState) -> frozenset[tuple[int, ...]]:
    """The sizes of the parameters of each model that the program trains."""
    every = [list(inside(model).parameters()) for model in list(run.roots)]
    trained = [each for each in every if any(p.requires_grad for p in each)]
    return frozenset(tuple(p.numel() for p in each) for each in trained)


def _sum_of(tensors: Iterable[Tensor]) -> Tensor:
    sums = [digests.digest(tensor.detach()) for tensor in tensors]
    return sum(
        (each.to("cpu") * (2 * at + 1) for at, each in enumerate(sums)),
        start=torch.zeros((), dtype=torch.int64),
    )


def _trained(model: Module) -> Iterator[tuple[str, Tensor]]:
    """The parameters that the ranks keep alike."""
    ignored = getattr(model, "parameters_to_ignore", ())
    named = inside(model).named_parameters() if averages(model) else ()
    return ((name, parameter) for name, parameter in named if name not in ignored)


def _digests(named: Iterable[tuple[str, Tensor]]) -> dict[str, Tensor]:
    return {name: digests.digest(tensor) for name, tensor in comparable(named).items()}


def _sums(model: Module) -> dict[str, Tensor]:
    return _digests(_trained(model))


def _gradients(model: Module, held: set[int]) -> dict[str, Tensor]:
    """Of the parameters that an optimizer is about to step: averaged by now."""
    return _digests((n, p.grad) for n, p in _trained(model) if id(p) in held and p.grad is not None)


def still_buffers(model: Module) -> dict[str, Tensor]:
    """Buffers that nobody makes equal: with `broadcast_buffers` rank 0's are sent at each forward."""
    if getattr(model, "broadcast_buffers", False):
        return {}
    named = inside(model).named_buffers()
    return _digests((name, buffer) for name, buffer in named if buffer.dtype.itemsize > 1)


def _states(model: Module, optimizer: Optimizer, held: set[int]) -> dict[str, Tensor]:
    """Of the same parameters, what the optimizer keeps of each: 0 where that is nothing."""
    found: dict[str, Tensor] = {}
    for name, parameter in _trained(model):
        if id(parameter) in held and digests.is_whole(parameter):
            kept = optimizer.state.get(parameter, {}).values()
            near = [v for v in kept if digests.is_tensor(v) and v.device == parameter.device]
            nothing = torch.zeros((), dtype=torch.int64, device=parameter.device)
            each = (digests.digest(value) * (2 * at + 1) for at, value in enumerate(near))
            found[name] = sum(each, start=nothing)
    return found


def _statistics(model: Module) -> dict[str, Tensor]:
    """Buffers that each forward moves. DistributedDataParallel makes them equal before the next one only."""
    if not isinstance(model, DistributedDataParallel):
        return {}
    return _digests(running_statistics(model.module))


def _unused(model: Module, held: set[int]) -> Iterator[tuple[str, Tensor]]:
    """Parameters that the model counted on and that got no gradient, where others did."""
    if not isinstance(model, DistributedDataParallel):  # sharding counts on none
        return
    if _is_in_backward():
        return
    if model.find_unused_parameters or model.static_graph or not model.require_backward_grad_sync:
        return
    named = [
        (name, p)
        for name, p in model.module.named_parameters()
        if p.requires_grad and name not in model.parameters_to_ignore
    ]
    if any(p.grad is not None for _, p in named if id(p) in held):
        yield from ((name, p) for name, p in named if p.grad is None)


def _is_in_backward() -> bool:
    """Whether a hook runs, and the backward is not over."""
    return torch._C._current_graph_task_id() >= 0


def _normed(model: Module) -> Iterator[str]:
    """Batch norm layers in training that know only of this rank's samples."""
    for name, module in inside(model).named_modules():
        alone = isinstance(module, _BatchNorm) and not isinstance(module, SyncBatchNorm)
        if alone and module.training:
            yield name


def settings_of(optimizer: Optimizer) -> Iterator[tuple[str, Value]]:
    for number, group in enumerate(optimizer.param_groups):
        for name, value in group.items():
            if isinstance(value, (int, float)):
                yield f"{name} of group {number} of {type(optimizer).__name__}", value
