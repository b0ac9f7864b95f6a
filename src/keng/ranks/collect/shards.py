"""What a rank does to its shards of the gradients between backward and the step: it multiplies them by the
same factor as all ranks, where it clips them by the norm of them all."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch
from torch.nn import Module

from keng.ranks.collect import digests
from keng.ranks.collect.section import Looks, Part
from keng.ranks.reports import Scaled
from keng.run.events import BackwardEnd, Clip, Step
from keng.run.frames import here, user_frames
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

    from keng.model import Span

Sums = tuple["Tensor", "Tensor"]


class Shards(Part):
    """Two sums of each model's shards: of absolute values and of squares. By one factor both change alike."""

    dozes = (BackwardEnd, Step)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._own: WeakKeyDictionary[Module, Sums] = WeakKeyDictionary()
        self._taken: dict[str, tuple[Sums, Sums, Span | None, tuple[int, ...]]] = {}
        self._values: dict[str, Tensor] = {}
        self._clips = False

    def clip(self, event: Clip) -> None:
        self._clips = True

    def backward_end(self, event: BackwardEnd) -> None:
        if event.accumulates and self.looks.now:
            for model in list(self.run.roots):
                with unwatched():
                    sums = _sums(model)
                if sums is not None:
                    self._own[model] = sums

    def step(self, event: Step) -> None:
        for model, own in list(self._own.items()):
            with unwatched():
                taken = _sums(model)
            if taken is not None:
                name = self.run.module_name(model)
                self._taken[name] = own, taken, here(), _which(model)
                self._values = {} if self._clips else _scalars()
        self._own.clear()
        self._clips = False

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        taken, self._taken = self._taken, {}
        values, self._values = self._values, {}

        def read() -> Mapping[str, Any]:
            named = dict(zip(values, digests.numbers(values.values()), strict=True))
            return {"scaled": {name: _scaled(named, *each) for name, each in taken.items()}}

        return read


def _scalars() -> dict[str, Tensor]:
    """The numbers that the user's variables hold, in the innermost frame."""
    found: dict[str, Tensor] = {}
    for frame in itertools.islice(user_frames(), 1):
        for name, value in list(frame.f_locals.items()):
            if isinstance(value, float):
                found[name] = torch.tensor(value, dtype=torch.float64)
            elif digests.is_tensor(value) and not value.dim() and value.is_floating_point():
                found[name] = value.detach().double()
    return found


def _scaled(
    named: Mapping[str, float], own: Sums, taken: Sums, where: Span | None, shards: tuple[int, ...]
) -> Scaled:
    size, squares, new_size, new_squares = digests.numbers([*own, *taken])
    return Scaled(size, squares, new_size, new_squares, where, shards, named)


def _which(model: Module) -> tuple[int, ...]:
    """The place of this rank among those that hold the shards of a model: its coordinates in the dimensions
    of the mesh that shard."""
    for parameter in model.parameters():
        mesh: Any = getattr(parameter, "device_mesh", None)
        places: Any = getattr(parameter, "placements", ())
        if mesh is not None and any(place.is_shard() for place in places):
            at = mesh.get_coordinate()
            return tuple(at[n] for n, place in enumerate(places) if place.is_shard())
    return ()


def _sums(model: Module) -> Sums | None:
    grads = [grad for grad in _shards(model) if grad.numel()]
    if not grads:
        return None
    sizes = torch.stack([grad.abs().sum(dtype=torch.float64) for grad in grads])
    squares = torch.stack([grad.double().square().sum() for grad in grads])
    return sizes.sum(), squares.sum()


def _shards(model: Module) -> Iterator[Tensor]:
    """The gradients of which each rank holds a part."""
    for parameter in model.parameters():
        grad: Any = parameter.grad
        if hasattr(grad, "device_mesh") and any(place.is_shard() for place in grad.placements):
            yield grad.to_local()
