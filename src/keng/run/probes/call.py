"""One call of a model: its inputs by the name of the parameter, what it is trained on, and its loss."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor
from torch.nn import Module

from keng.run.probes.nested import LABELS

Loss = Callable[[Any, Any], Tensor]


@dataclass(frozen=True)
class Call:
    """`model(*args, **kwargs)`. `loss(output, targets)` returns a scalar; without it nothing is said about
    gradients. `optimizer` tells which parameters are trained. `rows` is the batch size where it is known."""

    model: Module
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    targets: Any = None
    loss: Loss | None = None
    optimizer: Any = None
    rows: int | None = None

    @property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.model.forward)

    def inputs(self) -> dict[str, Any]:
        """The arguments by parameter. Raises: TypeError where they do not fit the forward."""
        return dict(self.signature.bind(*self.args, **self.kwargs).arguments)

    def arguments(self, inputs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        bound = inspect.BoundArguments(self.signature, dict(inputs))
        return bound.args, bound.kwargs


def is_model(thing: Any) -> bool:
    return isinstance(thing, Module)


def call_of(model: Module, batch: Any, loss: Loss | None = None) -> Call:
    """A call of the model with a batch as a loader yields it.

    A mapping whose keys are parameters of the forward becomes keyword arguments. Of a tuple or list, the
    first parts fill the parameters that the forward requires and those named like labels; what is left is
    what the model is trained on. Everything else is the one argument.
    """
    parameters = _parameters(model)
    if isinstance(batch, Mapping) and _fits(batch, parameters):
        return Call(model, (), dict(batch), loss=loss)
    if not isinstance(batch, (tuple, list)) or hasattr(batch, "_fields"):
        return Call(model, (batch,), loss=loss)
    count = _arguments_in(len(batch), parameters)
    rest = tuple(batch[count:])
    return Call(model, tuple(batch[:count]), targets=rest[0] if len(rest) == 1 else rest, loss=loss)


def _parameters(model: Module) -> list[inspect.Parameter]:
    return list(inspect.signature(model.forward).parameters.values())


def _fits(batch: Mapping[Any, Any], parameters: list[inspect.Parameter]) -> bool:
    names = {each.name for each in parameters}
    required = {each.name for each in parameters if _required(each)}
    open_ended = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters)
    keys = set(batch)
    return required <= keys and (keys <= names or (open_ended and bool(keys & names)))


def _required(parameter: inspect.Parameter) -> bool:
    named = parameter.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return named and parameter.default is inspect.Parameter.empty


def _arguments_in(size: int, parameters: list[inspect.Parameter]) -> int:
    count = sum(_required(each) for each in parameters)
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters):
        return max(1, size - 1)
    while count < min(size, len(parameters)) and parameters[count].name in LABELS:
        count += 1
    return min(max(count, 1), size)
