"""Error messages: a tensor that gathers gradients is changed in place."""

from __future__ import annotations

import ast
import re

from keng.explain.failure import Failure
from keng.model import Edit, Fix, Hits, Message, say
from keng.rules import explains
from keng.source import Code

SETS_VALUES = re.compile(
    r"\.(?:fill|zero|normal|uniform|copy|clamp|xavier\w*|kaiming\w*|constant)_\(|"
    r"\blr\b|\.grad\b|learning_rate|\binit|\.(?:weight|bias)(?:\.data)?\["
)
"""A start value, or a step made by hand."""
STARTS = re.compile(r"init|reset_parameters|load|edit|prune")
"""Functions that give weights their values."""


@explains("changed-while-recording")
def changed_while_recording(failure: Failure) -> Hits:
    leaves = [o.name for o in failure.live.operands if o.is_leaf and o.requires_grad]
    written = re.match(r"([\w.]+?)(?:\.\w+_\(|\[|\s*[-+*/]=)", failure.line)
    name = leaves[0] if leaves else written[1] if written else ""
    leaf = f"`{name}`" if name else say("a-parameter")
    yield failure.hit(*_changed_leaf(failure, leaf, bool(failure.groups["part"])))


def _changed_leaf(failure: Failure, leaf: str, part: bool) -> tuple[Message, Fix | None]:
    """What to do instead, and a fix where the line moves it along its gradient."""
    leaf, fix = say("part-of", name=leaf) if part else leaf, failure.ask_line(_under_no_grad)
    where = failure.frames[-1].function if failure.frames else ""
    if fix is not None or SETS_VALUES.search(failure.line) or STARTS.search(where):
        return say("under-no-grad", leaf=leaf), fix
    if failure.in_forward:
        return say("part-in-forward", leaf=leaf) if part else say(
            "whole-in-forward", leaf=leaf
        ), None
    return say("start-or-step", leaf=leaf), None


def _under_no_grad(code: Code, line: int) -> Fix | None:
    """A fix for a line that moves a tensor along its gradient, with those right behind it that do."""
    here = [s for s in code.tree.on_line(line, ast.AugAssign) if _is_along_gradient(s)]
    header = code.edits.qualified_name("torch.no_grad", here[0]) if here else None
    if len(here) != 1 or header is None:
        return None
    above = code.tree.parent[here[0]]
    blocks = [b for _, b in ast.iter_fields(above) if isinstance(b, list) and here[0] in b]
    edits: list[Edit] = []
    for statement in blocks[0][blocks[0].index(here[0]) :] if blocks else ():
        wrapped = (
            code.edits.wrap(statement, f"with {header}():")
            if _is_along_gradient(statement)
            else None
        )
        if wrapped is None:
            break
        first = wrapped[0]
        step = "\t" if first.text.endswith("\t") else "    "
        edits += [first._replace(text=step) if edits else first, *wrapped[1:]]
    return Fix(say("change-outside-graph"), tuple(edits), "shown") if edits else None


def _is_along_gradient(statement: ast.AST) -> bool:
    """`w -= rate * w.grad`."""
    return isinstance(statement, ast.AugAssign) and any(
        isinstance(n, ast.Attribute) and n.attr == "grad" for n in ast.walk(statement.value)
    )
