"""How much of its weights the first steps of an optimizer change, and the learning rate that would fit."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ref

import torch

from keng.run.frames import name_of

if TYPE_CHECKING:
    from torch import Tensor

STEPS = 2
"""Steps that are measured."""
VALUES = 256
"""Of each parameter, spread over it."""
REPLACED, STARTED = 1.0, 0.5
"""Change of the weights in units of their norm that replaces them, and the least of the first step."""
WANTED = 1e-3
"""Change that trains, in the same units."""
LOWEST = 1e-3
"""Share of the default rate below which the gradient is at fault: the scale of the data or of the loss."""
UNSAID = 1e-3
"""The default rate where the class has none: SGD in older versions of torch, 1e-3 in newer ones."""
BY_GRADIENT = ("SGD", "ASGD")
"""Optimizers whose steps grow with the gradient: the rate that fits is measured, and no default tells it."""
NOT_SCALED = ("LBFGS", "Rprop")
"""Optimizers whose steps do not follow the gradient times the rate."""


class TooLarge(NamedTuple):
    """The first steps of an optimizer replace the weights. `ratio` is the largest |update| / |weights|
    of those measured, `wanted` the power of ten at which the first would be about 1e-3."""

    optimizer: Any
    rate: float
    ratio: float
    wanted: float

    def words(self) -> dict[str, str]:
        """The holes of a text that names them."""
        kind, name = type(self.optimizer).__name__, name_of(self.optimizer)
        return {
            "optimizer": f"`{name}` ({kind})" if name else f"`{kind}`",
            "rate": f"{self.rate:g}",
            "ratio": f"{float(f'{self.ratio:.2g}'):g}",
            "wanted": f"{self.wanted:g}",
        }


class Sample(NamedTuple):
    """Values of a parameter before a step; each stands for `apart` of them."""

    parameter: Tensor
    before: Tensor
    apart: int


class StepSizes:
    """Copies a few values of each parameter in the first steps, and reads what it found when it is asked.
    Of a program with several optimizers nothing is known: each changes the loss of the others."""

    def __init__(self) -> None:
        self.optimizer: ref[Any] | None = None
        self.unknown = False
        self.rate = 0.0
        self.samples: list[Sample] = []
        self.norms: list[Tensor] = []

    def add(self, optimizer: Any) -> bool:
        """Takes note of an optimizer before its first step. True if its steps are to be measured."""
        self.unknown = self.unknown or self.optimizer is not None
        rate = _rate(optimizer)
        if self.unknown or rate is None or not _is_measured(type(optimizer)):
            self.unknown = True
            return False
        self.optimizer, self.rate = ref(optimizer), rate
        return True

    def before(self, optimizer: Any) -> None:
        self.samples = _samples(optimizer)

    def after(self, optimizer: Any) -> bool:
        """True if enough is measured, or no more can be."""
        samples = [each for each in self.samples if each.parameter.grad is not None]
        self.samples = []
        if samples:
            self.norms.append(_norms(samples))
        return len(self.norms) >= STEPS or not samples or _rate(optimizer) != self.rate

    def too_large(self) -> TooLarge | None:
        """What is known if the first steps replaced the weights."""
        optimizer = self.optimizer() if self.optimizer is not None else None
        ratios = [change / weight for change, weight in map(_read, self.norms) if weight]
        if self.unknown or optimizer is None or not ratios or not math.isfinite(ratios[0]):
            return None
        ratio = max(filter(math.isfinite, ratios))
        if ratios[0] < STARTED or ratio < REPLACED:
            return None
        default = _default(type(optimizer))
        wanted = 10.0 ** round(math.log10(self.rate * WANTED / ratios[0]))
        if not LOWEST * default <= wanted < self.rate:
            return None
        if type(optimizer).__name__ not in BY_GRADIENT:
            wanted = min(wanted, 10.0 ** math.floor(math.log10(default) + 1e-9))
        return TooLarge(optimizer, self.rate, ratio, wanted) if wanted < self.rate else None


def _is_measured(kind: type) -> bool:
    own = f"{kind.__module__}.".startswith("torch.optim.")
    return own and kind.__name__ not in NOT_SCALED


def _default(kind: type) -> float:
    """The documented learning rate of a class of torch's."""
    parameter = inspect.signature(kind).parameters.get("lr")
    value = parameter.default if parameter is not None else None
    return value if isinstance(value, float) else UNSAID


def _rate(optimizer: Any) -> float | None:
    """The learning rate that all groups have."""
    first, *others = [group.get("lr") for group in optimizer.param_groups]
    plain = all(isinstance(each, (int, float)) for each in (first, *others))
    return float(first) if plain and first > 0 and all(each == first for each in others) else None


def _samples(optimizer: Any) -> list[Sample]:
    held = [p for group in optimizer.param_groups for p in group["params"]]
    kept = [p for p in held if _is_sampled(p) and p.device == held[0].device]
    apart = [max(1, p.numel() // VALUES) for p in kept]
    return [Sample(p, _values(p, n).clone(), n) for p, n in zip(kept, apart, strict=True)]


def _is_sampled(parameter: Tensor) -> bool:
    plain = type(parameter.data) is torch.Tensor and parameter.layout is torch.strided
    wide = parameter.dtype in (torch.float32, torch.float64, torch.bfloat16)
    near = parameter.device.type in ("cpu", "cuda")
    return plain and wide and near and parameter.is_contiguous() and parameter.numel() > 0


def _values(parameter: Tensor, apart: int) -> Tensor:
    return parameter.detach().view(-1)[::apart]


def _norms(samples: list[Sample]) -> Tensor:
    """The norms of the change and of the weights before, (2,), as float64."""
    changes, weights = [], []
    for parameter, before, apart in samples:
        old = before.double()
        change = _values(parameter, apart).double() - old
        changes.append(apart * change.square().sum())
        weights.append(apart * old.square().sum())
    return torch.stack([torch.stack(changes).sum(), torch.stack(weights).sum()]).sqrt()


def _read(norms: Tensor) -> tuple[float, float]:
    change, weight = norms.tolist()
    return change, weight
