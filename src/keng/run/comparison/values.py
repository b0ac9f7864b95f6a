"""The values of one forward, before and after each call of a module, and how far two of them may be apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from keng.run.probes.compare import difference, largest
from keng.run.probes.locate import Operations, place_of
from keng.run.probes.nested import Path, leaves, rebuild
from keng.run.probes.results import Place

Key = tuple[str, str, int]
"""The phase ("before" or "after"), the name of the module, and which of its calls."""
Convert = Callable[[Tensor], Tensor]

ROUNDINGS = 16
"""Multiples of eps(dtype) x the largest number of a value that rounding explains, beyond the reductions."""
MAGNIFIED = 8
"""Multiples of the response to one rounding of every parameter and input that rounding explains."""
DRAWS = 2
"""How often that response is measured."""


@dataclass
class Call:
    """What one call of a module was given and gave, with the user's line that calls it. The value of a phase
    has no entry before it was seen."""

    key: Key
    value: Any
    place: Place | None = None

    def floats(self) -> Iterator[tuple[Path, Tensor]]:
        return ((path, each) for path, each in leaves(self.value) if each.is_floating_point())


@dataclass
class Log:
    """All calls of one forward, in order."""

    calls: dict[Key, Call] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)

    def note(self, key: Key, value: Any, place: Place | None) -> None:
        self.calls[key] = Call(key, rebuild(value, lambda _, each: kept(each)), place)


def kept(tensor: Tensor) -> Tensor:
    """Numbers of its own; a leaf that requires gradients where the tensor does."""
    return tensor.detach().clone().requires_grad_(tensor.requires_grad)


def logged(
    model: Module,
    inputs: tuple[Any, Any],
    given: Log | None = None,
    convert: Convert = kept,
    operations: Operations | None = None,
) -> Log:
    """Runs a copy of a model. With `given`, every call receives and returns what is logged there, converted,
    so that each value shows what the code since the last one adds and nothing more."""
    log = Log()
    handles = []
    for name, module in model.named_modules():
        before, after = _hooks(name, log, given, convert)
        handles.append(module.register_forward_pre_hook(before, with_kwargs=True))
        if operations is not None:
            handles += _operation_hooks(module, name, operations)
        handles.append(module.register_forward_hook(after, with_kwargs=True))
    try:
        watched(model, inputs, operations)
    finally:
        for handle in handles:
            handle.remove()
    return log


def watched(model: Module, inputs: tuple[Any, Any], operations: Operations | None = None) -> Any:
    """The frame at which the search for the user's line ends has this name."""
    args, kwargs = rebuild(inputs, lambda _, each: kept(each))
    if operations is None:
        return model(*args, **kwargs)
    with operations:
        return model(*args, **kwargs)


def _hooks(name: str, log: Log, given: Log | None, convert: Convert) -> tuple[Any, Any]:
    def before(module: Module, args: Any, kwargs: Any) -> Any:
        turn = log.turns[name] = log.turns.get(name, 0) + 1
        return _exchanged(
            ("before", name, turn), (args, kwargs), log, given if name else None, convert
        )

    def after(module: Module, args: Any, kwargs: Any, out: Any) -> Any:
        return _exchanged(("after", name, log.turns[name]), out, log, given, convert)

    return before, after


def _exchanged(key: Key, value: Any, log: Log, given: Log | None, convert: Convert) -> Any:
    log.note(key, value, place_of(key[1].rpartition(".")[2], key[1]))
    known = given.calls.get(key) if given is not None else None
    if known is None:
        return None
    theirs = dict(leaves(known.value))

    def leaf(path: Path, own: Tensor) -> Tensor:
        other = theirs.get(path)
        if other is None or other.shape != own.shape:
            return own
        new = convert(other)
        return new.to(own.dtype) if new.dtype != own.dtype else new

    return rebuild(value, leaf)


def _operation_hooks(module: Module, name: str, operations: Operations) -> list[Any]:
    return [
        module.register_forward_pre_hook(lambda _, args: operations.enter(name)),
        module.register_forward_hook(
            lambda _, args, kwargs, out: operations.leave(name, (args, kwargs), out),
            with_kwargs=True,
        ),
    ]


def noisy(eps: float) -> Convert:
    """Values that are one rounding away, by chance."""

    def convert(tensor: Tensor) -> Tensor:
        new = kept(tensor)
        if not new.is_floating_point():
            return new
        with torch.no_grad():
            return new.mul_(1 + eps * (2 * torch.rand_like(new) - 1)).requires_grad_(
                new.requires_grad
            )

    return convert


def add_noise(model: Module, eps: float) -> Module:
    """The same copy with parameters that are one rounding away."""
    convert = noisy(eps)
    for each in model.parameters():
        each.data = convert(each.detach())
    return model


def coarsest(log: Log) -> float:
    """The largest rounding of the floating-point values of a forward and of autocast."""
    kinds = {each.dtype for call in log.calls.values() for _, each in call.floats()}
    if torch.is_autocast_enabled("cpu"):
        kinds.add(torch.get_autocast_dtype("cpu"))
    if torch.is_autocast_enabled("cuda"):
        kinds.add(torch.get_autocast_dtype("cuda"))
    return max((torch.finfo(kind).eps for kind in kinds), default=0.0)


def reduced(model: Module, name: str) -> int:
    """The most numbers that one output of a module is summed from, by its parameters; 1 without any."""
    module = dict(model.named_modules()).get(name)
    own = module.parameters() if module is not None else ()
    return max((each.numel() // max(1, each.size(0)) for each in own if each.ndim > 1), default=1)


def explained(value: Tensor, eps: float, size: int, response: float, factor: int) -> float:
    """The largest difference that rounding explains: `factor` roundings of the largest number; for sums,
    which are accumulated in float32, sqrt(size) of its roundings; or what one rounding of everything that
    the value is computed from moves, magnified."""
    finite = value.detach()[torch.isfinite(value)].abs().double()
    scale = float(finite.max()) if finite.numel() else 1.0
    sums: float = size**0.5 * torch.finfo(torch.float32).eps
    return max(factor * (eps + sums) * scale, MAGNIFIED * response) + 1e-30


def gap_of(one: Tensor, two: Tensor) -> float:
    return largest(difference(one, two.to(one.device)))


def numbers(one: Tensor, two: Tensor) -> tuple[float, float]:
    """The two numbers that are furthest apart."""
    two = two.to(one.device)
    at = int(difference(one, two).argmax())
    return float(one.detach().reshape(-1)[at]), float(two.detach().reshape(-1)[at])
