"""What the run.py of several pitfalls of training share."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import Any

from torch import nn
from torch.nn.modules import batchnorm, dropout

from keng.model import Span
from keng.run.user_code import codes, line


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
