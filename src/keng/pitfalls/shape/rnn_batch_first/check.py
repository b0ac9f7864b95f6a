"""Source code: a recurrent layer treats the time steps as the batch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.shape._shared import is_whole
from keng.rules import finds
from keng.source import Code

LAYERS = ("torch.nn.RNN", "torch.nn.LSTM", "torch.nn.GRU")


@finds(fixes=True)
def last_sample_taken_for_last_step(code: Code) -> Hits:
    for call, maker, out in _recurrent_outputs(code, *LAYERS):
        taken = _last_of_second(code, out)
        if taken is None or code.calls.argument(maker, "batch_first", position=4) is not None:
            continue
        fix = None
        if maker in code.tree.parent and not (call.args and _transposed(code, call.args[0])):
            fix = code.edits.add_argument(maker, "batch_first=True", say("batch-first"))
        layer = code.text_of(call.func)
        says = say("last-sample-not-step", taken=code.text_of(taken), layer=layer)
        yield code.hit(taken, says, fix=fix)


def _transposed(code: Code, node: ast.expr | None) -> bool:
    """Whether the dimensions of a value were put into another order where it was made."""
    ways: list[ast.AST | None] = [node]
    if isinstance(node, ast.Name):
        ways = [binding.value for binding in code.flow.reaching_definitions(node)]
    return any(
        isinstance(way, ast.Call)
        and isinstance(way.func, ast.Attribute)
        and way.func.attr in ("transpose", "permute", "swapaxes", "movedim", "t")
        for way in ways
    )


def _recurrent_outputs(code: Code, *layers: str) -> Iterator[tuple[ast.Call, ast.Call, ast.Name]]:
    """`out, state = lstm(x)`: the call, the constructor of the layer, and each later use of `out`."""
    for assigned in code.of(ast.Assign):
        call, target = assigned.value, assigned.targets[0]
        if not isinstance(call, ast.Call) or not isinstance(target, ast.Tuple) or not target.elts:
            continue
        first = target.elts[0]
        if not isinstance(first, ast.Name) or not _is_indexed(code, first.id):
            continue
        maker = code.types.value_of(call.func)
        if maker.dotted not in layers or maker.call is None:
            continue
        for use in _uses_of(code, first):
            yield call, maker.call, use


def _is_indexed(code: Code, name: str) -> bool:
    """Whether the file takes parts of something of that name: asked before any type is."""
    uses = code.tree.names_by_id.get(name, ())
    return any(isinstance(code.tree.parent[use], ast.Subscript) for use in uses)


def _uses_of(code: Code, stored: ast.Name) -> Iterator[ast.Name]:
    """The places that read just what one assignment stored."""
    scope = code.tree.enclosing_body(stored)
    for name in code.below(scope, ast.Name):
        read = name.id == stored.id and isinstance(name.ctx, ast.Load)
        if read and [b.node for b in code.flow.reaching_definitions(name)] == [stored]:
            yield name


def _last_of_second(code: Code, name: ast.Name) -> ast.Subscript | None:
    """`name[:, -1]` or `name[:, -1, :]` around a name."""
    taken = code.tree.parent[name]
    if not isinstance(taken, ast.Subscript) or taken.value is not name:
        return None
    parts = taken.slice.elts if isinstance(taken.slice, ast.Tuple) else []
    whole = [is_whole(part) for part in parts]
    fits = whole in ([True, False], [True, False, True])
    return taken if fits and code.text_of(parts[1]) == "-1" else None
