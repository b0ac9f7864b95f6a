"""Error messages: a value that backward needs was changed in place."""

from __future__ import annotations

import ast
import re

from keng.explain.advice.fits import by_what
from keng.explain.advice.kept import WEIGHTS, changed_otherwise, kept_as
from keng.explain.failure import Failure
from keng.explain.live import Changed
from keng.model import Hit, Hits
from keng.rules import explains


@explains("changed-after-it-was-kept")
def changed_after_it_was_kept(failure: Failure) -> Hits:
    shape, node = (failure.groups.get(name, "") for name in ("shape", "node"))
    node = re.sub(r"Backward\d*$", "", node)
    line = failure.place.line if failure.place else 0
    changes = failure.code.changes_before(line) if failure.code is not None else []
    steps = [
        node for node, tensor in changes if tensor is None and ".step" in failure.code.text_of(node)
    ]
    of = f" of shape ({shape})" if shape else ""
    changed = failure.live.changed
    if changed is not None and changed.names:
        yield _held_by_a_module(failure, changed, line)
        return
    if node in WEIGHTS and steps:
        says = f"weights{of} changed by `step()` on line {steps[-1].lineno} are needed by this backward"
        sure = not any(isinstance(tensor, ast.Attribute) for _, tensor in changes)
        yield failure.hit(f"{says}: step after it", sure=sure)
        return
    others = [change for change, _ in changes if change not in steps]
    by, where = by_what(failure, others)
    if not by:
        yield failure.hit(changed_otherwise(failure, shape, node))
        return
    alone = where is not None and len(others) == 1 and where.line == failure.code.line_of(others[0])
    fix = failure.code.not_in_place(others[0], node) if alone else None
    made = failure.code.made_in_place() if changed and changed.layers and failure.code else None
    where, fix = made if made is not None and where is None else (where, fix)
    says = (
        f"{kept_as(shape, node)} is needed for backward and was changed in place{by}: change a copy"
    )
    yield failure.hit(says, fix, where)


def _held_by_a_module(failure: Failure, changed: Changed, line: int) -> Hit:
    """A parameter that an optimizer steps, or a parameter or buffer that the program itself changes."""
    what, by, step = " or ".join(f"`{name}`" for name in changed.names[:3]), None, False
    if failure.code is not None:
        by, step = failure.code.changed_by(line, changed.names, changed.steppers)
    told = f" by `{failure.code.text_of(by)}` on line {failure.code.line_of(by)}" if by else ""
    if step:
        cure = "step after it"
        if failure.code.steps_of_others(line, changed.steppers):
            cure = "its forward pass belongs behind that step"
        return failure.hit(f"{what}, changed{told}, is needed by this backward: {cure}")
    says = f"{what} is needed for backward and was changed in place{told}: use its clone() in the forward"
    return failure.hit(says, where=failure.code.span(by) if by else None)
