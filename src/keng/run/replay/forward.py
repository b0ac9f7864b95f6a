"""Runs a module's forward again, on a copy, to find the first operation that was not finite."""

from __future__ import annotations

import contextlib
import copy
import io
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from keng.run.graph.nonfinite import Origin, is_finite
from keng.run.replay.op_trace import Instruments
from keng.run.state import tensors_in

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


@dataclass(slots=True)
class Call:
    """A root module's forward as it was called, and the random state before it, where it was kept."""

    module: Module
    args: Any
    kwargs: Any
    random: Tensor | None
    versions: list[int] = field(default_factory=list)

    def untouched(self) -> bool:
        """Whether the inputs are still what they were."""
        return self.versions == versions(tensors_in((self.args, self.kwargs)))


def versions(tensors: Iterable[Tensor]) -> list[int]:
    return [0 if tensor.is_inference() else tensor._version for tensor in tensors]


def replayed(call: Call, path: str) -> Origin | None:
    """Where the forward was first not finite; None where it was finite, or cannot be run again.
    `path` is what the user calls the module."""
    module = copy.deepcopy(call.module)
    instruments = Instruments(module, path, batch_of(call))
    with _random_state(call.random), contextlib.redirect_stdout(io.StringIO()):
        with torch.enable_grad(), instruments:
            output = module(*call.args, **call.kwargs)
        finite = all(is_finite(t) for t in tensors_in(output))
    return None if finite else instruments.origin


@contextlib.contextmanager
def _random_state(state: Tensor | None) -> Iterator[None]:
    ours, python = torch.get_rng_state(), random.getstate()
    numpy = sys.modules.get("numpy")
    theirs = numpy.random.get_state() if numpy is not None else None
    if state is not None:
        torch.set_rng_state(state)
    try:
        yield
    finally:
        torch.set_rng_state(ours)
        random.setstate(python)
        if numpy is not None:
            numpy.random.set_state(theirs)


def batch_of(call: Call) -> int | None:
    """Size of the first input's first dimension."""
    first = next(tensors_in((call.args, call.kwargs)), None)
    return int(first.shape[0]) if first is not None and first.dim() else None
