"""Source code: batch norm in DistributedDataParallel sees one rank's samples only."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.pitfalls.distributed._shared import last
from keng.rules import finds
from keng.source import Code
from keng.source.flow import whole_number
from keng.source.processes import WRAPS

SMALL = 8
"""Samples a rank; a batch norm's statistics of fewer are mostly noise."""


@finds(mentions=WRAPS)
def noisy_statistics(code: Code) -> Hits:
    wraps = code.processes.wraps
    for wrap in wraps if wraps and not _says(code, "SyncBatchNorm", "sync_batchnorm") else ():
        layers = code.modes.mode_dependent_layers(wrap.args[0]) if wrap.args else None
        few = _few_on_each_rank(code, wrap)
        norms = {name for name in layers or () if "BatchNorm" in name}
        if few is not None and norms and not _keeps_statistics(code, wrap.args[0]):
            yield code.hit(
                wrap, say("few-samples-on-each-rank", few=few, model=ast.unparse(wrap.args[0]))
            )


def _says(code: Code, *words: str) -> bool:
    """Whether one of these words occurs in the file, or in those of the project that it imports."""
    return any(code.trees.files.contains(word.encode(), code.path) for word in words)


def _keeps_statistics(code: Code, model: ast.expr) -> bool:
    """Whether some part of a model is made in eval mode."""
    made = code.types.value_of(model).call
    inner = code.below(made, ast.Call) if made is not None and made in code.tree.parent else []
    return any(last(call.func) == "eval" for call in inner)


def _few_on_each_rank(code: Code, wrap: ast.Call) -> int | None:
    """How many samples a wrapped model gets at once, where that is a small number as written."""
    for loop in code.loops.training:
        made = code.loaders.loader_made(loop.iterable)
        size = code.calls.argument(made, "batch_size", 1) if made is not None else None
        sizes = [whole_number(size)] if size is not None else []
        for call in code.below(loop.node, ast.Call):
            if code.types.value_of(call.func).call is wrap and call.args:
                known = code.shapes.layout(call.args[0])
                sizes += [known.shape[0]] if known else []
        small = [n for n in sizes if n is not None and n <= SMALL]
        if small:
            return small[0]
    return None
