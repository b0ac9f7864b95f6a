"""Source code: an optimizer is given the result of an operation."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code, Grad


@finds(fixes=True)
def computed_from_a_leaf(code: Code) -> Hits:
    for name, value in code.optimized_values():
        if not code.computed_from_leaf(value) or code.grad_at(value) is not Grad.ON:
            continue
        edit = code.append(value, ".detach().requires_grad_()")
        says = f"`{name.id}` is computed from the tensor that gathers the gradients"
        yield code.hit(value, says, fix=Fix(f"Make `{name.id}` a leaf of its own", (edit,), "safe"))
