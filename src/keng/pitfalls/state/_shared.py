"""What several pitfalls of state ask of source code."""

from __future__ import annotations

import ast

from keng.source import Code


def file_made_by(code: Code, call: ast.Call, position: int, makers: str) -> bool:
    """Whether the file that torch.save or torch.load is given was made, empty, by a function whose
    name begins so."""
    file = code.calls.argument(call, "f", position)
    file = file.value if isinstance(file, ast.Attribute) else file
    ways = (
        [b.value for b in code.flow.reaching_definitions(file)]
        if isinstance(file, ast.Name)
        else [file]
    )
    return bool(ways) and all(
        isinstance(way, ast.Call)
        and not way.args
        and code.names.resolve(way.func).startswith(makers)
        for way in ways
    )
