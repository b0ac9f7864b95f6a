"""Values that are not finite, and the operations that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from keng.model import Message, Span, say
from keng.run.graph.math_domains import MASKS, edge_of

if TYPE_CHECKING:
    from torch import Tensor

HUGE = 1e12
"""Beyond this a finite value in a network is on its way out."""


class Origin(NamedTuple):
    """Where the first value that is not finite came from, as far as it is known.

    `cause`: "data", "labels", "domain" (a function at the edge of where it is defined), "overflow",
    "exploded" (values have grown over the steps), "weights" (they were not finite before) or nothing.
    `operation` is the function's name, `module` the path in the model, `sample` an index into the
    batch; `detail` tells what went in, by a text of nan-loss, the pitfall that reports it.
    """

    cause: str
    detail: Message | None = None
    operation: str = ""
    module: str = ""
    sample: int | None = None
    where: Span | None = None


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
        return Origin(at.cause, at.says(value), name, sample=first_bad(outside, batch))
    if name.startswith("nll_loss_") and (nothing := over_nothing(name, operands[1], operands[4])):
        return nothing
    sample = first_bad(~out.isfinite(), batch)
    largest = max((_largest(x) for x in operands if isinstance(x, torch.Tensor)), default=0.0)
    if name in ("_softmax", "_log_softmax", "softmax", "log_softmax"):
        return Origin("domain", say("all-masked"), name, sample=sample)
    if out.dtype in (torch.float16, torch.bfloat16):
        kind = str(out.dtype).removeprefix("torch.")
        detail = say("overflows", largest=f"{largest:.3g}", dtype=kind)
        return Origin("overflow", detail, name, sample=sample)
    cause, detail = (
        "exploded" if largest > HUGE else "",
        say("input-large", largest=f"{largest:.3g}"),
    )
    return Origin(cause, detail, name, sample=sample)


def over_nothing(name: str, target: Tensor, ignored: int) -> Origin | None:
    """Where a loss is the mean over labels all of which are ignored."""
    if not target.numel() or not bool((target == ignored).all()):
        return None
    return Origin("labels", say("labels-all-ignored", label=ignored), name)


def _largest(tensor: Tensor) -> float:
    if not tensor.numel() or not tensor.is_floating_point():
        return 0.0
    finite = tensor.detach()[tensor.detach().isfinite()]
    return float(finite.abs().max()) if finite.numel() else 0.0


def first_bad(bad: Tensor, batch: int | None) -> int | None:
    """Index of the first bad element in the batch, where the first dimension is the batch's."""
    if batch is None or not bad.dim() or bad.shape[0] != batch:
        return None
    return int(bad.flatten(1).any(1).nonzero()[0]) if bad.dim() > 1 else int(bad.nonzero()[0])


def put_by_hand(name: str, out: Tensor) -> bool:
    """An attention mask: -inf, and nothing else that is not finite."""
    return name in MASKS and not bool((out.isnan() | (out == float("inf"))).any())
