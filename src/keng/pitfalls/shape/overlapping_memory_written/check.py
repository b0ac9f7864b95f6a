"""Source code: a slice of a tensor is set to a shifted slice of the same tensor."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind


@finds(fixes=True)
def shifted_onto_itself(code: Code) -> Hits:
    """`x[1:] = x[:-1]`: the memory that is read is written at the same time."""
    for assigned in code.of(ast.Assign):
        if not isinstance(assigned.value, ast.Subscript):
            continue
        match assigned:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=into), slice=ast.Slice() as there)],
                value=ast.Subscript(
                    value=ast.Name(id=name) as of, slice=ast.Slice() as here
                ) as read,
            ):
                if into == name and _overlap(there, here) and _is_tensor(code, of):
                    fix = Fix(say("copy-first"), (code.edits.append(read, ".clone()"),))
                    yield code.hit(assigned, say("shifted-slice", name=name), fix)


def _overlap(one: ast.Slice, other: ast.Slice) -> bool:
    """Whether one slice leaves out a start and the other an end: `[1:]` and `[:-1]`."""
    bounds = [(each.lower, each.upper) for each in (one, other) if each.step is None]
    starts = [lower for lower, upper in bounds if lower is not None and upper is None]
    ends = [upper for lower, upper in bounds if lower is None and upper is not None]
    if len(starts) != 1 or len(ends) != 1 or not isinstance(ends[0], ast.UnaryOp):
        return False
    return ast.unparse(ends[0].operand) == ast.unparse(starts[0])


def _is_tensor(code: Code, name: ast.Name) -> bool:
    return code.types.kind_of(name) is Kind.TENSOR and not code.modes.in_try_or_raises(name)
