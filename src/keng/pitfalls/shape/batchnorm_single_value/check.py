"""Source code: a normalization in training gets one value per channel."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.flow import whole_number


@finds
def last_batch_of_one(code: Code) -> Hits:
    for call, samples, size in _forwards_of_single_samples(code):
        if code.modes.mode_at(call.func, call) in ("", "train"):
            says = say("one-sample-left", samples=samples, size=size)
            yield code.hit(call, says)


def _last_batch_of_one(code: Code, loader: ast.Call) -> tuple[int, int] | None:
    """Samples and batch size of a DataLoader whose last batch holds a single sample."""
    given = code.calls.argument(loader, "batch_size", 1)
    size = 1 if given is None else whole_number(given)
    samples = code.shapes.samples(code.calls.argument(loader, "dataset", 0))
    drops = code.calls.argument(loader, "drop_last", 8)
    kept = drops is None or code.flow.is_constant(drops, False)
    if samples is None or not size or not kept or (size > 1 and samples % size != 1):
        return None
    return samples, size


def _forwards_of_single_samples(code: Code) -> Iterator[tuple[ast.Call, int, int]]:
    """Calls of models with a batch norm right behind a linear layer, in loops over a DataLoader that
    ends with a single sample; its samples and batch size."""
    contains = code.trees.files.contains
    if not contains(b"BatchNorm1d", code.path) or not contains(b"DataLoader", code.path):
        return
    for loop in code.of(ast.For):
        made = code.loaders.loader_made(loop.iter)
        single = _last_batch_of_one(code, made) if made is not None else None
        for call in code.below(loop, ast.Call) if single else ():
            if single and call.args and _norm_behind_linear(code, call.func):
                yield call, *single


def _norm_behind_linear(code: Code, model: ast.expr) -> bool:
    made = code.types.value_of(model)
    parts = (
        code.types.layers_of(made.call)
        if made.dotted == "torch.nn.Sequential" and made.call
        else []
    )
    names = [code.types.value_of(part).dotted for part in parts]
    return ("torch.nn.Linear", "torch.nn.BatchNorm1d") in pairwise(names)
