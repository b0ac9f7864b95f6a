"""Error messages: a tensor is computed with or compared to what is no number and no tensor."""

from __future__ import annotations

import ast
import re

from keng.explain.failure import Failure
from keng.explain.inspecting.operands import failing_node, values_in
from keng.explain.live import LiveError
from keng.explain.ownership.paths import is_user
from keng.model import Hits, Message, say
from keng.pitfalls.shape._shared_explain import has_no_result
from keng.rules import explains
from keng.source import Code
from keng.source.tree import part_at
from keng.tables.torch_names import MODULES

OPERANDS = {
    "NoneType": say("a-none"),
    "ndarray": say("an-array"),
    "list": say("a-list"),
    "tuple": say("a-tuple"),
    "str": say("a-text"),
    "dict": say("a-dict"),
}
"""What one of two operands is, and what to do."""


LOSS = re.compile(r"\b\w*(?:loss|criterion)\w*\b", re.IGNORECASE)


OF_LOSSES = frozenset({"NoneType", "tuple"})


@explains("two-operands")
def two_operands(failure: Failure) -> Hits:
    kinds = failure.groups["one"], failure.groups["other"]
    tensors = [kind in ("Tensor", "Parameter") for kind in kinds]
    layers = [kind for kind in kinds if kind in MODULES]
    if layers and not any(tensors):
        yield failure.hit(say("layer-is-operand", layer=layers[0]))
    elif any(tensors) and not all(tensors):
        came = kinds[tensors.index(False)].rpartition(".")[2]
        known = _nothing(failure) if came == "NoneType" else None
        layer = say("a-layer", layer=came) if came in MODULES else None
        what = layer or known or OPERANDS.get(came) or f"`{came}`"
        yield failure.hit(say("tensor-with-other", what=what))
    elif LOSS.search(failure.line or failure.surrounding) and (
        odd := sorted(OF_LOSSES.intersection(kinds))
    ):
        known = _nothing(failure) if odd == ["NoneType"] else None
        says = say("loss-with-other", what=known or OPERANDS[odd[0]])
        yield failure.hit(says, sure=failure.line_uses_torch or bool(known))


def _nothing(failure: Failure) -> Message | None:
    """What is None, as the user calls it, and what makes it so."""
    names = failure.live.ask(_names_of_none) or ()
    made = failure.ask_line(_made_none, *names) if len(names) < 2 else None
    if made is None:
        return say("name-is-none", name=names[0]) if len(names) == 1 else None
    name, line, function = made
    if function:
        return say("none-from-function", name=name, function=function, line=line)
    return say("none-from-line", name=name, line=line)


@explains("looked-for")
def looked_for(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(say("looked-for-in-tensor", what=OPERANDS.get(came, f"`{came}`")))


def _made_none(code: Code, line: int, *names: str) -> tuple[str, int, str] | None:
    """What on a line is None, of the names that are or among the calls there, the line that makes it so,
    and the function of the file that returns nothing, "" where it is set to None."""
    for node in (*code.tree.on_line(line, ast.Name), *code.tree.on_line(line, ast.Attribute)):
        if names == (code.text_of(node),) and (made := _set_to_none(code, node)) is not None:
            return names[0], *made
    for call in code.tree.on_line(line, ast.Call) if not names else ():
        made = _returns_nothing(code, call)
        if made and isinstance(code.tree.parent[call], (ast.BinOp, ast.Compare, ast.AugAssign)):
            return code.text_of(call), *made
    return None


def _set_to_none(code: Code, node: ast.AST) -> tuple[int, str] | None:
    """The one line that sets a name or an attribute of `self`, to None."""
    values: list[ast.expr | None] = []
    if isinstance(node, ast.Name):
        values = [part_at(b.value, b.path) for b in code.flow.reaching_definitions(node)]
    elif isinstance(node, ast.Attribute) and (owner := code.classes.self_class(node.value)):
        values = [part_at(*given) for given in code.classes.attributes(owner).get(node.attr, [])]
    only = values[0] if len(values) == 1 else None
    if isinstance(only, ast.Call):
        return _returns_nothing(code, only)
    return (only.lineno, "") if isinstance(only, ast.Constant) and only.value is None else None


def _returns_nothing(code: Code, call: ast.Call) -> tuple[int, str] | None:
    """The line and the name of the function of this file that a call runs, which has no return."""
    run = code.types.resolve_function(call)
    if run is None or run.tree is not code.tree or not isinstance(run.node, ast.FunctionDef):
        return None
    silent = has_no_result(code, run.node) and not code.below(run.node, ast.Raise)
    return (run.node.lineno, run.node.name) if silent else None


def _names_of_none(error: LiveError) -> tuple[str, ...]:
    """What is None in the expression of the deepest frame, where that is the user's."""
    last = error.tracebacks[-1]
    frame = last.tb_frame
    node = failing_node(last) if is_user(frame.f_code.co_filename) else None
    found = values_in(node, frame, error.torch) if node is not None else iter(())
    return tuple(dict.fromkeys(ast.unparse(name) for name, value in found if value is None))
