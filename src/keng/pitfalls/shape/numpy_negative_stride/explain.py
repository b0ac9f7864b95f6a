"""Error messages: a reversed NumPy array is given to torch."""

from __future__ import annotations

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.source import Code

OF_ARRAYS = ("torch.from_numpy", "torch.tensor", "torch.as_tensor")


@explains("negative-stride")
def negative_stride(failure: Failure) -> Hits:
    says = say("array-is-reversed")
    yield failure.hit(says, failure.ask_line(_array_copied))


def _array_copied(code: Code, line: int) -> Fix | None:
    """A fix that copies the array which the one call on a line makes a tensor of."""
    calls = [
        c for c in code.tree.on_line(line, ast.Call) if code.names.resolve(c.func) in OF_ARRAYS
    ]
    given = calls[0].args[0] if len(calls) == 1 and calls[0].args else None
    if given is None:
        return None
    return Fix(say("copy-new-order"), (code.edits.append(given, ".copy()"),), "shown")
