"""Source code: a tensor is sliced backwards."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.shape._shared import is_whole, parts_of, runs_backwards
from keng.rules import finds
from keng.source import Code, Kind


@finds(fixes=True)
def negative_step(code: Code) -> Hits:
    for item, dimension in _sliced_backwards(code):
        if code.modes.in_try_or_raises(item):
            continue
        name, fix = code.text_of(item.value), None
        if dimension is not None and isinstance(item.ctx, ast.Load):
            flipped = f"{code.edits.parenthesized(item.value)}.flip({dimension})"
            fix = Fix(say("flip"), (code.edits.replace(item, flipped),), "safe")
        yield code.hit(item, say("tensor-takes-no-negative", name=name), fix=fix)


def _sliced_backwards(code: Code) -> Iterator[tuple[ast.Subscript, int | None]]:
    """Tensors that are sliced with a negative step, and the dimension where nothing but the order of
    one changes."""
    for item in _with_inverted_step(code):
        if runs_backwards(item.slice) and code.types.kind_of(item.value) is Kind.TENSOR:
            yield item, _turned(parts_of(item.slice))


def _with_inverted_step(code: Code) -> list[ast.Subscript]:
    """Indexes with a slice whose step is written with a minus."""
    parent = code.tree.parent
    slices = [parent[n] for n in code.of(ast.UnaryOp) if isinstance(parent[n], ast.Slice)]
    around = [parent[each] for each in slices]
    items = [parent[each] if isinstance(each, ast.Tuple) else each for each in around]
    return [*dict.fromkeys(each for each in items if isinstance(each, ast.Subscript))]


def _turned(parts: list[ast.expr]) -> int | None:
    """The dimension that an index turns round (`::-1`) where it takes all of the others."""
    back = [n for n, part in enumerate(parts) if ast.unparse(part) == "::-1"]
    first = parts[0]
    from_end = isinstance(first, ast.Constant) and first.value is ...
    if len(back) != 1 or not all(
        map(is_whole, (*parts[from_end : back[0]], *parts[back[0] + 1 :]))
    ):
        return None
    return back[0] - len(parts) if from_end else back[0]
