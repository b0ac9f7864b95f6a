"""Source code: a checkpoint is loaded onto the device that it was saved from."""

from __future__ import annotations

import ast
import re

from keng.model import Hits, Severity, say
from keng.pitfalls.state._shared import file_made_by
from keng.rules import finds
from keng.source import Code, Kind

MAY_LACK_A_GPU = (
    "torch.cuda.is_available",
    "torch.accelerator.is_available",
    "torch.distributed.init_process_group",
)


@finds(fixes=True, mentions=["torch.load"])
def device_of_the_file(code: Code) -> Hits:
    some = any(True for _ in code.calls.calls_to(*MAY_LACK_A_GPU))
    for call in code.calls.calls_to("torch.load"):
        if code.calls.argument(call, "map_location", position=1) or not _loaded_state(code, call):
            continue
        ranks = code.processes.ranks_executing(call)
        if not ranks and (not some or _just_saved(code, call)):
            continue
        if _mapped_elsewhere(code, call) or file_made_by(code, call, 0, "io.BytesIO"):
            continue
        fix = code.edits.add_argument(call, 'map_location="cpu"', say("read-to-cpu"))
        level: Severity | None = None if ranks else "hint"  # the load itself says so where it fails
        says = say("loads-device-file-was")
        yield code.hit(call, says, fix=fix, level=level, once=not ranks)


def _loaded_state(code: Code, call: ast.Call) -> bool:
    """Whether what torch.load gives is handed to `load_state_dict`, whole or an entry of it."""
    text, scope = "", code.tree.enclosing_body(call)
    statement = code.statement(call)
    if isinstance(statement, ast.Assign) and statement.value is call:
        text = ast.unparse(statement.targets[0])
    for load in code.below(scope, ast.Call):
        if not isinstance(load.func, ast.Attribute) or load.func.attr != "load_state_dict":
            continue
        given = _state_given(code, load)
        if given is call or (given is not None and text and ast.unparse(given) == text):
            return True
    return _loaded_by_function(code, call)


def _state_given(code: Code, load: ast.Call) -> ast.expr | None:
    """What a `load_state_dict` is given, or an entry of it; nothing where it is plain numbers."""
    given = load.args[0] if load.args else None
    while isinstance(given, ast.Subscript):
        given = given.value
    return None if _holds_numbers(code, code.tree.receiver(load)) else given


def _loaded_by_function(code: Code, call: ast.Call) -> bool:
    """Whether a function of the project is given what a call gives, and loads it."""
    above = code.tree.parent[call]
    function = code.types.definition(above.func) if isinstance(above, ast.Call) else None
    if not isinstance(above, ast.Call) or function is None:
        return False
    tree, node = function.tree, function.node
    if isinstance(node, ast.ClassDef):
        return False
    loads = [c for c in code.calls.of(tree).method_calls("load_state_dict") if tree.within(c, node)]
    states = [_state_given(code.at(tree), load) for load in loads]
    names = [state.id for state in states if isinstance(state, ast.Name)]
    return any(code.calls.of(tree).bound_argument(above, node, name) is call for name in names)


def _holds_numbers(code: Code, owner: ast.expr) -> bool:
    """Whether the state of a thing is plain numbers, on no device: a scheduler's, a scaler's."""
    known = code.types.kind_of(owner) in (Kind.SCHEDULER, Kind.SCALER)
    return known or re.search("sched|scaler", ast.unparse(owner).lower()) is not None


def _just_saved(code: Code, load: ast.Call) -> bool:
    """Whether what reads a file has written it a few lines above, on the same machine."""
    home, path = code.tree.enclosing_function(load), ast.unparse(load.args[0]) if load.args else ""
    return any(
        code.tree.enclosing_function(save) is home
        and code.tree.position(save) < code.tree.position(load)
        and any(ast.unparse(given) == path for given in save.args[1:])
        for save in code.calls.calls_to("torch.save")
    )


def _mapped_elsewhere(code: Code, load: ast.Call) -> bool:
    """Whether the other arm of an `if` around a torch.load says where to load to."""
    return any(
        code.flow.are_exclusive(load, other)
        and code.calls.argument(other, "map_location", 1) is not None
        for other in code.calls.calls_to("torch.load")
    )
