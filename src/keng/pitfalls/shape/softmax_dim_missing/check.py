"""Source code: `softmax` is called without `dim=`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, Severity, say
from keng.rules import finds
from keng.source import Code

FUNCTIONS = tuple(f"torch.nn.functional.{n}" for n in ("softmax", "log_softmax", "softmin"))


LAYERS = ("torch.nn.Softmax", "torch.nn.LogSoftmax", "torch.nn.Softmin")


GUESSED = {0: 0, 1: 0, 2: 1, 3: 0}


@finds(fixes=True, mentions=FUNCTIONS)
def guessed_by_a_function(code: Code) -> Hits:
    for call in code.calls.calls_to(*FUNCTIONS):
        if code.calls.argument(call, "dim", 1) is not None:
            continue
        given = code.calls.argument(call, "input", 0)
        known = code.shapes.layout(given)
        says = say("without-dim-guesses-one")
        if known is not None:
            dims = len(known.shape)
            says = say("without-dim-goes-along", dim=GUESSED.get(dims, 1), count=dims)
        fix = code.edits.add_argument(call, "dim=-1", say("last-dimension")) if known else None
        yield code.hit(call, says, fix=fix, level=_level(code, [given]))


@finds(mentions=LAYERS)
def guessed_by_a_layer(code: Code) -> Hits:
    for call in code.calls.calls_to(*LAYERS):
        if code.calls.argument(call, "dim", 0) is None:
            says = say("without-dim-guesses-one")
            yield code.hit(call, says, level=_level(code, [*_inputs_of(code, call)]))


def _level(code: Code, inputs: list[ast.expr | None]) -> Severity | None:
    """A hint where no input is known to have three dimensions: the guess is right for a matrix and for a
    batch of images."""
    shapes = [code.dimensions.shape(each) for each in inputs]
    wrong = any(s is not None and s.whole and len(s.sizes) == 3 for s in shapes)
    return None if wrong else "hint"


def _inputs_of(code: Code, layer: ast.Call) -> Iterator[ast.expr]:
    """What the calls of a layer, which is kept under a name or on `self`, are given."""
    match code.tree.parent[layer]:
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as target]):
            name = code.text_of(target)
            owner = code.around(layer, ast.ClassDef) or code.tree.root
            for call in code.below(owner, ast.Call):
                if call.args and code.text_of(call.func) == name:
                    yield call.args[0]
        case ast.Call(func=function) as call if function is layer and call.args:
            yield call.args[0]
