"""A running program: a saved adapter lacks a part that was trained with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch
from torch.nn.parameter import is_lazy

from keng.model import Span, say
from keng.run.events import CheckpointSaved, RunEnd, TensorsSaved
from keng.run.frames import here
from keng.run.optimizers import optimizers, parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

DEPTH = 4
NAMED = 3
"""Parameters that are named in a finding."""


@dataclass(slots=True)
class Adapter:
    """A file that holds trained parameters of a model and none of its frozen ones, which are most of
    it. `left` are the other parameters of the same optimizers, with their names."""

    where: Span | None
    held: int
    left: list[tuple[ref[Tensor], str]]


class SavedAdapters(Recorder):
    """Compares what is written with what is trained, by where the numbers lie. What some other file holds
    is saved, and so is what may be: a tensor of the same shape that is no parameter itself."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.adapters: list[Adapter] = []
        self.saved: set[tuple[int, torch.Size]] = set()
        self.shapes: set[torch.Size] = set()

    def tensors_saved(self, event: TensorsSaved) -> None:
        self._compare(event.tensors)

    def checkpoint_saved(self, event: CheckpointSaved) -> None:
        self._compare(event.state)

    def _compare(self, state: Any) -> None:
        tensors = list(_weights_in(state, DEPTH))
        if not tensors:
            return
        with unwatched():
            written = {_key(t) for t in tensors}
            every: list[Tensor] = [
                p for root in list(self.run.roots) for p in root.parameters() if not is_lazy(p)
            ]
            held = [p for each in optimizers() for p in parameters_of(each) if p.requires_grad]
            known = {_key(p) for p in [*every, *held]}
            self.saved |= written & known
            self.shapes |= {shape for address, shape in written if (address, shape) not in known}
            self.run.unsaved -= {id(p) for p in held if _key(p) in written}
            if self._is_adapter(written, every, held):
                left = [p for p in held if _key(p) not in written]
                self.run.unsaved |= {id(p) for p in left if self._lacks(p)}
                named = zip(map(ref, left), self.run.parameter_names(left), strict=True)
                self.adapters.append(Adapter(here(), len(held) - len(left), list(named)))

    def _is_adapter(self, written: Any, every: list[Tensor], held: list[Tensor]) -> bool:
        frozen = [p for p in every if not p.requires_grad]
        trained = sum(p.numel() for p in held)
        if sum(p.numel() for p in frozen) < trained or any(_key(p) in written for p in frozen):
            return False
        return any(_key(p) in written for p in held)

    def run_end(self, event: RunEnd) -> None:
        for adapter in self.adapters[-1:]:
            with unwatched():
                names = [name for known, name in adapter.left if name and self._lacks(known())]
            if names:
                values = {
                    "names": ", ".join(f"`{name}`" for name in names[:NAMED]),
                    "count": adapter.held,
                }
                more = len(names) - NAMED
                says = (
                    say("left-out-more", more=more, **values)
                    if more > 0
                    else say("left-out", **values)
                )
                self.report(says, where=adapter.where, left=len(names))

    def _lacks(self, parameter: Tensor | None) -> bool:
        """Whether a parameter that is still there is in no file."""
        if parameter is None:
            return False
        return _key(parameter) not in self.saved and parameter.shape not in self.shapes


def _key(tensor: Tensor) -> tuple[int, torch.Size]:
    plain = tensor.layout is torch.strided and type(tensor.data) is torch.Tensor
    return (tensor.data_ptr() if plain and not tensor.is_meta else 0), tensor.shape


def _weights_in(state: Any, depth: int) -> Iterator[Tensor]:
    """The tensors of a state; not those of an optimizer, which have the shapes of its parameters."""
    if isinstance(state, torch.nn.Module):
        yield from state.parameters()
    elif isinstance(state, torch.Tensor):
        yield state
    elif depth and isinstance(state, dict) and "param_groups" not in state:
        for each in state.values():
            yield from _weights_in(each, depth - 1)
    elif depth and isinstance(state, (list, tuple)):
        for each in state:
            yield from _weights_in(each, depth - 1)
