"""Runs a module's forward once more, on a copy, to find the first operation that was not finite."""

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

from keng.run.graph.math_domains import MASKS, edge_of
from keng.run.graph.origin import Origin
from keng.run.state import tensors_in

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

HUGE = 1e12
"""Beyond this a finite value in a network is on its way out."""


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
    from keng.run.replay.op_trace import Instruments

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


def is_finite(tensor: Tensor) -> bool:
    # The sum of finite numbers in double precision is finite, and twenty times cheaper to ask for.
    if not (tensor.is_floating_point() or tensor.is_complex()) or not tensor.numel():
        return True
    return bool(
        tensor.detach().sum(dtype=None if tensor.is_complex() else torch.float64).isfinite()
    )


def explained(name: str, operands: list[Any], out: Tensor, batch: int | None) -> Origin:
    """The origin that an operation is, from what went in and what came out."""
    edge = edge_of(name, operands)
    if edge is not None:
        at, outside = edge
        operand = operands[at.operand]
        value = (
            float(operand[outside].flatten()[0]) if isinstance(operand, torch.Tensor) else operand
        )
        return Origin(at.cause, at.says.format(value=value), name, sample=first_bad(outside, batch))
    if name.startswith("nll_loss_") and (nothing := over_nothing(name, operands[1], operands[4])):
        return nothing
    sample = first_bad(~out.isfinite(), batch)
    largest = max((_largest(x) for x in operands if isinstance(x, torch.Tensor)), default=0.0)
    if name in ("_softmax", "_log_softmax", "softmax", "log_softmax"):
        detail = "softmax over a row that is all -inf: everything is masked"
        return Origin("domain", detail, name, sample=sample)
    if out.dtype in (torch.float16, torch.bfloat16):
        kind = str(out.dtype).removeprefix("torch.")
        detail = f"values up to {largest:.3g} go in, and {kind} has no room for what comes out"
        return Origin("overflow", detail, name, sample=sample)
    if largest > HUGE:
        return Origin("exploded", f"values up to {largest:.3g} go in", name, sample=sample)
    return Origin("", f"values up to {largest:.3g} go in", name, sample=sample)


def over_nothing(name: str, target: Tensor, ignored: int) -> Origin | None:
    """Where a loss is the mean over labels all of which are ignored."""
    if not target.numel() or not bool((target == ignored).all()):
        return None
    detail = f"every label of the batch is {ignored}, which is ignored: a mean over nothing"
    return Origin("labels", detail, name)


def _largest(tensor: Tensor) -> float:
    if not tensor.numel() or not tensor.is_floating_point():
        return 0.0
    finite = tensor.detach()[tensor.detach().isfinite()]
    return float(finite.abs().max()) if finite.numel() else 0.0


def batch_of(call: Call) -> int | None:
    """Size of the first input's first dimension."""
    first = next(tensors_in((call.args, call.kwargs)), None)
    return int(first.shape[0]) if first is not None and first.dim() else None


def first_bad(bad: Tensor, batch: int | None) -> int | None:
    """Index of the first bad element in the batch, where the first dimension is the batch's."""
    if batch is None or not bad.dim() or bad.shape[0] != batch:
        return None
    return int(bad.flatten(1).any(1).nonzero()[0]) if bad.dim() > 1 else int(bad.nonzero()[0])


def put_by_hand(name: str, out: Tensor) -> bool:
    """An attention mask: -inf, and nothing else that is not finite."""
    return name in MASKS and not bool((out.isnan() | (out == float("inf"))).any())
