"""A running program: two parameters lie in one memory, as tied weights, and are not one parameter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch

from keng.model import say
from keng.run.events import ModuleMoved, NewOptimizer
from keng.run.optimizers import parameters_of
from keng.run.recorder import Recorder
from keng.run.state import unwatched

if TYPE_CHECKING:
    from torch import Tensor


class TiedByMemory(Recorder):
    """Parameters that begin at one address and have the same shape. What is flattened, as the weights of
    recurrent layers are, begins at addresses of its own."""

    def module_moved(self, event: ModuleMoved) -> None:
        after = list(event.module.parameters())
        if len(event.before) != len(after):
            return
        known: dict[tuple[int, torch.Size], Tensor] = {}
        for address, parameter in zip(event.before, after, strict=True):
            other = known.setdefault((address, parameter.shape), parameter)
            # Copies of a model that has no memory yet have no address.
            apart = address and other is not parameter and _is_apart(other, parameter)
            if apart and _is_plain(parameter):
                one, two = self.run.parameter_names([other, parameter])
                says = say("moved-apart", one=one, two=two)
                self.report(says)
                return

    def new_optimizer(self, event: NewOptimizer) -> None:
        with unwatched():
            pair = next(_sharing(parameters_of(event.optimizer)), None)
        if pair is not None:
            one, two = self.run.parameter_names(pair)
            self.report(say("stepped-twice", one=one, two=two))


def _sharing(parameters: list[Tensor]) -> Iterator[tuple[Tensor, Tensor]]:
    known: dict[tuple[int, torch.Size], Tensor] = {}
    for parameter in parameters:
        if _is_plain(parameter):
            other = known.setdefault((parameter.data_ptr(), parameter.shape), parameter)
            if other is not parameter:
                yield other, parameter


def _is_plain(parameter: Tensor) -> bool:
    """Whether it has memory of its own kind: a matrix that lies here as a whole."""
    plain = type(parameter) is torch.nn.Parameter and type(parameter.data) is torch.Tensor
    return plain and parameter.dim() > 1 and parameter.numel() > 0 and not parameter.is_meta


def _is_apart(one: Tensor, other: Tensor) -> bool:
    return _is_plain(one) and one.data_ptr() != other.data_ptr()
