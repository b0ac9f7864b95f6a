"""Source code: a matrix of pixels, or another `align_corners`, is given to what counts from -1 to 1."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

AFFINE_GRID = "torch.nn.functional.affine_grid"


GRID_SAMPLE = "torch.nn.functional.grid_sample"


@finds(mentions=[GRID_SAMPLE])
def sampled_by_another_convention(code: Code) -> Hits:
    for call in code.calls.calls_to(GRID_SAMPLE):
        grid = code.calls.argument(call, "grid", 1)
        made = code.types.value_of(grid)
        if grid is None or made.dotted != AFFINE_GRID or made.call is None:
            continue
        theirs = _aligned(code.calls.argument(made.call, "align_corners", 2))
        ours = _aligned(code.calls.argument(call, "align_corners", 4))
        if {theirs, ours} == {True, False}:
            says = say("align-corners-differs", grid=code.text_of(grid), made=theirs, sampled=ours)
            yield code.hit(call, says)


def _aligned(given: ast.expr | None) -> bool | None:
    """What `align_corners` is, where that is known; left out or None it is False."""
    if given is None:
        return False
    return bool(given.value) if isinstance(given, ast.Constant) else None
