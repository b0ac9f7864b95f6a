"""Source code: a layer is created in every forward pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

SENT = frozenset({"to", "cuda", "half", "float", "double", "bfloat16"})
"""Methods by which a layer is sent to a device or a kind of numbers, and returned."""


@finds
def new_at_each_call(code: Code) -> Hits:
    for call, drops in _layers_built_in_forward(code):
        kind = _kind(code, call)
        never = say("eval-never-reaches", kind=kind)
        yield code.hit(call, never if drops else say("weights-are-new", kind=kind))


def _kind(code: Code, call: ast.Call) -> str:
    """`nn.Linear` of `nn.Linear(8, 2).to(device)`."""
    while isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call):
        call = call.func.value
    return code.text_of(call.func)


def _layers_built_in_forward(code: Code) -> Iterator[tuple[ast.Call, bool]]:
    """Layers with parameters, and dropouts (True), that a forward makes for one call: what it keeps
    on `self`, makes in training only, or puts in its own mode is left out."""
    for call in _calls_in_forward(code):
        drops = code.names.resolve(call.func).startswith("torch.nn.Dropout")
        if not (drops or code.registration.has_parameters(call)):
            continue
        above = code.tree.parent[call]
        while isinstance(above, ast.Attribute) and above.attr in SENT:
            call = cast(ast.Call, code.tree.parent[above])
            above = code.tree.parent[call]
        if (
            isinstance(above, ast.Attribute)
            or _kept(code, call)
            or code.modes.guarded_by_training_flag(call)
        ):
            continue
        if not (drops and call.args and code.flow.is_constant(call.args[0], 0)):
            yield call, drops


def _calls_in_forward(code: Code) -> Iterator[ast.Call]:
    for function in code.of(ast.FunctionDef):
        if function.name == "forward" and code.types.enclosing_module(function.args) is not None:
            for call in code.below(function, ast.Call):
                if code.tree.enclosing_function(call) is function:
                    yield call


def _kept(code: Code, call: ast.Call) -> bool:
    """Whether a layer that is made outlives the call: on `self`, returned, or handed on."""
    statement = code.statement(call)
    if isinstance(statement, ast.Return):
        return statement.value is call
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    stored = [t for t in targets if not isinstance(t, ast.Name)]
    above = code.tree.parent[call]
    handed = isinstance(above, (ast.Call, ast.keyword)) and getattr(above, "func", None) is not call
    return bool(stored) or handed or any(_filled_by_hand(code, t, call) for t in targets)


def _filled_by_hand(code: Code, name: ast.expr, call: ast.Call) -> bool:
    """Whether something of a layer is set in the function that makes it: it only carries weights."""
    assigned = code.below(code.tree.enclosing_body(call), ast.Assign)
    texts = [ast.unparse(target) for each in assigned for target in each.targets]
    return any(text.startswith(f"{ast.unparse(name)}.") for text in texts)
