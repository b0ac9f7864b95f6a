"""Source code: a scheduler is made for epochs and takes a step for each batch."""

from __future__ import annotations

import ast
import re

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Act, Code
from keng.source.tree import LOOPS

LOADER = re.compile(r"loader|batches|_dl\b|\bdl\b", re.IGNORECASE)
FEW = 200
"""Batches that an epoch has at least, or nearly so: what ends within them is made for epochs."""
LEAST = 1e-3

LENGTHS = {
    "torch.optim.lr_scheduler.CosineAnnealingLR": ("T_max", 1),
    "torch.optim.lr_scheduler.OneCycleLR": ("total_steps", 2),
    "torch.optim.lr_scheduler.PolynomialLR": ("total_iters", 1),
}


@finds(mentions=["CosineAnnealingLR", "OneCycleLR", "PolynomialLR"])
def made_for_epochs(code: Code) -> Hits:
    for call in code.calls.method_calls("step"):
        if code.loops.act_of(call) is not Act.SCHEDULE or call.args or call.keywords:
            continue
        made = code.types.value_of(code.tree.receiver(call))
        if made.dotted not in LENGTHS or made.call is None or made.call not in code.tree.parent:
            continue
        length = code.calls.argument(made.call, *LENGTHS[made.dotted])
        epochs = _epochs_of(code, call)
        if length is not None and epochs and ast.unparse(length) == epochs:
            name = made.dotted.rpartition(".")[2]
            yield code.hit(call, say("made-for-epochs", scheduler=name, epochs=epochs))


@finds(mentions=["StepLR", "MultiStepLR", "ExponentialLR"])
def decays_within_an_epoch(code: Code) -> Hits:
    """`StepLR(optimizer, 5)` stepped for each batch: the rate is gone before the first epoch ends."""
    for call in code.calls.method_calls("step"):
        if code.loops.act_of(call) is not Act.SCHEDULE or call.args or call.keywords:
            continue
        made = code.types.value_of(code.tree.receiver(call))
        if made.call is None or made.call not in code.tree.parent or not _by_batch(code, call):
            continue
        name = made.dotted.rpartition(".")[2]
        factor = _factor_after_few(code, name, made.call)
        if factor is not None and factor < LEAST:
            yield code.hit(call, say("decays-by-batch", scheduler=name, batches=FEW))


def _by_batch(code: Code, call: ast.Call) -> bool:
    """Whether a call is made for each batch of a loader, in each of many epochs."""
    loop = code.around(call, *LOOPS)
    goes = isinstance(loop, ast.For) and LOADER.search(ast.unparse(loop.iter)) is not None
    return goes and bool(_epochs_of(code, call))


def _factor_after_few(code: Code, name: str, made: ast.Call) -> float | None:
    """What a schedule multiplies the rate by over a few steps; None where that is not written out."""
    gamma = _number(code.calls.argument(made, "gamma", 1 if name == "ExponentialLR" else 2), 0.1)
    if gamma is None or not 0 < gamma < 1:
        return None
    if name == "ExponentialLR":
        return float(gamma**FEW)
    if name == "StepLR":
        every = _number(code.calls.argument(made, "step_size", 1), None)
        return float(gamma ** (FEW // every)) if every else None
    stones = code.calls.argument(made, "milestones", 1) if name == "MultiStepLR" else None
    numbers = [_number(e, None) for e in stones.elts] if isinstance(stones, ast.List) else []
    ends = bool(numbers) and all(n is not None and n < FEW for n in numbers)
    return 0.0 if ends else None  # all that it does is over


def _number(node: ast.expr | None, default: float | None) -> float | None:
    if node is None:
        return default
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, (int, float)) else None


def _epochs_of(code: Code, call: ast.Call) -> str:
    """The number of epochs, as text, where a call is made in each round of a loop inside of that over them."""
    loops = [above for above in code.tree.ancestors(call) if isinstance(above, LOOPS)]
    if len(loops) != 2 or code.tree.is_conditional(call):
        return ""
    match loops[1]:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[*_, last])):
            return ast.unparse(last)
    return ""
