"""What the run.py of several pitfalls of training share."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules import batchnorm, dropout
from torch.optim import lr_scheduler

from keng.model import Span
from keng.run.frames import is_user_made, reached, user_frames
from keng.run.optimizers import parameters_of
from keng.run.user_code import codes, line

PLANNED = "num_training_steps"
"""What the schedules of transformers are given."""
WEIGHTS = (torch.nn.Parameter, torch.Tensor)


class TrainingEpochs:
    """Counts the epochs in which an optimizer stepped: validation takes no steps."""

    def __init__(self) -> None:
        self.number = 0
        self.steps = 0

    def count(self, steps: int) -> bool:
        """An epoch has ended after so many steps of the whole run; True if it was one of training."""
        if steps == self.steps:
            return False
        self.steps = steps
        self.number += 1
        return True


def follows_mode(layer: Any) -> bool:
    """Whether a layer does something different in training mode: dropout, batch norm and the like."""
    if isinstance(layer, dropout._DropoutNd):
        return layer.p > 0
    if isinstance(layer, batchnorm._NormBase):
        return layer.track_running_stats
    if isinstance(layer, (nn.RNNBase, nn.MultiheadAttention)):
        return float(layer.dropout) > 0
    return False


def rates_set() -> Iterator[Span]:
    """The lines of the program that set the `"lr"` of a group of an optimizer."""
    for code in codes():
        for node in code.of(ast.Subscript):
            if isinstance(node.ctx, ast.Store) and getattr(node.slice, "value", None) == "lr":
                yield line(code, node)


def named_layers(owner: str, layers: Iterable[tuple[str, nn.Module]]) -> str:
    """Layers by their paths in a module with a name, each with its class: a path such as `0.1` alone reads like
    a number. At most 80 characters."""
    listed = ", ".join(
        f"`{owner}.{path}` ({type(layer).__name__})" if path else f"`{owner}`"
        for path, layer in layers
    )
    return shorten(listed, 80, placeholder=" ...")


def path_to(holder: Any) -> str:
    """A dictionary or a module as one would write it from a variable of the program: `self.ema.shadow`."""
    for frame in user_frames():
        for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
            if value is holder:
                return str(name)
            for attribute, inner in _attributes(value):
                if inner is holder:
                    return f"{name}.{attribute}"
                for last, innermost in _attributes(inner):
                    if innermost is holder:
                        return f"{name}.{attribute}.{last}"
    return ""


def _attributes(value: Any) -> list[tuple[str, Any]]:
    return list(vars(value).items()) if is_user_made(value) else []


def tensors_of(holder: Any) -> list[Tensor]:
    """The parameters of a module, or the values of a dictionary if all of them are tensors."""
    if isinstance(holder, nn.Module):
        return [p for p in holder.parameters() if type(p) in WEIGHTS]
    values = list(holder.values()) if type(holder) is dict else []
    return values if all(type(each) in WEIGHTS for each in values) else []


def averages_of(optimizer: Any) -> Iterator[Any]:
    """What holds tensors of the shapes of those that an optimizer trains, and is in no optimizer: modules and
    dictionaries that variables of the program lead to."""
    trained = parameters_of(optimizer)
    shapes = sorted(tuple(p.shape) for p in trained)
    seen = {id(p) for p in trained}
    for holder in (*reached(nn.Module), *reached(dict)):
        tensors = tensors_of(holder)
        if len(tensors) < len(shapes) or any(id(each) in seen for each in tensors):
            continue
        if sorted(tuple(each.shape) for each in tensors) == shapes:
            seen |= {id(each) for each in tensors}  # a module has a dictionary of its own
            yield holder


def planned_steps(scheduler: Any) -> int | None:
    """The steps after which a schedule ends, where that is known."""
    match scheduler:
        case lr_scheduler.OneCycleLR(total_steps=int(steps)):
            return steps
        case lr_scheduler.CosineAnnealingLR(T_max=int(steps)):
            return steps
        case lr_scheduler.PolynomialLR(total_iters=int(steps)):
            return steps
        case lr_scheduler.LambdaLR(lr_lambdas=[function, *_]):
            given = getattr(function, "keywords", {}).get(PLANNED)
            return given if isinstance(given, int) else None
    return None
