"""What several pitfalls of shape ask of source code."""

from __future__ import annotations

import ast


def parts_of(index: ast.expr) -> list[ast.expr]:
    """An index, dimension by dimension."""
    return index.elts if isinstance(index, ast.Tuple) else [index]


def runs_backwards(index: ast.expr) -> bool:
    """Whether a slice in it has a negative step."""
    steps = [part.step for part in parts_of(index) if isinstance(part, ast.Slice)]
    return any(
        isinstance(step, ast.UnaryOp)
        and isinstance(step.op, ast.USub)
        and isinstance(step.operand, ast.Constant)
        for step in steps
    )


def is_whole(index: ast.expr) -> bool:
    """Whether an index takes all of a dimension: `:`."""
    return isinstance(index, ast.Slice) and not any((index.lower, index.upper, index.step))
