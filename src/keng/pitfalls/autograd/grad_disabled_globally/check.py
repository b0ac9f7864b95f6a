"""Source code: gradients are switched off for the whole program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Grad
from keng.source.tree import LOOPS, Tree


@finds
def switched_off_before_backward(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.set_grad_enabled"):
        alone = isinstance(code.tree.parent[call], ast.Expr)
        if not alone or not call.args or not code.flow.is_constant(call.args[0], False):
            continue
        later = [
            c
            for c in code.calls.method_calls("backward")
            if code.tree.position(c) > code.tree.position(call)
            and code.tree.enclosing_function(c) is code.tree.enclosing_function(call)
            and code.modes.grad_at(c) is Grad.OFF
        ]
        if later and not code.modes.in_try_or_raises(later[0]):
            line = later[0].lineno
            yield code.hit(call, say("gradients-stay-off-training", line=line))
    for call, back in _left_off_in_loops(code):
        line = code.tree.position(back)[0]
        says = say("gradients-stay-off-next", line=line)
        yield code.hit(call, says)
    for statement, file, line in _imports_switching_off(code):
        says = say("import-switches-gradients-off", line=line, file=file)
        yield code.hit(statement, says)


def _imports_switching_off(code: Code) -> Iterator[tuple[ast.stmt, str, int]]:
    """Imports, at the top of a file that goes backward, of files of the project that switch gradients
    off as they are read; with that file's name and the line."""
    switches = code.calls.calls_to("torch.set_grad_enabled", "torch.enable_grad")
    backwards = [
        c for c in code.calls.method_calls("backward") if not code.modes.in_try_or_raises(c)
    ]
    says = backwards and code.trees.files.contains(b"set_grad_enabled", code.path)
    if not says or any(True for _ in switches):
        return
    imports = [(each, [alias.name for alias in each.names]) for each in code.of(ast.Import)]
    parts = [(each, [each.module or ""]) for each in code.of(ast.ImportFrom) if not each.level]
    for statement, modules in (*imports, *parts):
        if code.tree.enclosing_function(statement) is not None:
            continue
        for there in [_file_of(code, module) for module in modules]:
            call = _switches_off_when_read(code.at(there)) if there is not None else None
            if there is not None and call is not None:
                yield statement, there.path.rpartition("/")[2], call.lineno


def _file_of(code: Code, module: str) -> Tree | None:
    """The file of the project that a module is, where it can be read."""
    file = code.trees.files.file_of(module, code.path) if module else None
    there = code.trees.read(file) if file is not None and file != code.path else None
    return there if isinstance(there, Tree) else None


def _switches_off_when_read(code: Code) -> ast.Call | None:
    """The call at the top of this file that switches gradients off for good."""
    calls = list(code.calls.calls_to("torch.set_grad_enabled"))
    top = [c for c in calls if code.tree.parent[code.tree.parent[c]] is code.tree.root]
    bare = [c for c in top if isinstance(code.tree.parent[c], ast.Expr) and c.args]
    last = max(bare, key=code.tree.position, default=None)
    return last if last is not None and code.flow.is_constant(last.args[0], False) else None


def _left_off_in_loops(code: Code) -> Iterator[tuple[ast.Call, ast.Call]]:
    """`torch.set_grad_enabled(False)` in a loop whose next round goes backward: the call, and that."""
    switches = list(code.calls.calls_to("torch.set_grad_enabled"))
    if len(switches) != 1 or b"enable_grad" in code.tree.data:
        return
    (call,) = switches
    alone = isinstance(code.tree.parent[call], ast.Expr) and call.args
    loops = [a for a in code.tree.ancestors(call) if isinstance(a, LOOPS)]
    if not alone or not code.flow.is_constant(call.args[0], False) or not loops:
        return
    home = code.tree.enclosing_function(call)
    for back in code.calls.method_calls("backward"):
        before = code.tree.position(back) < code.tree.position(call)
        if before and code.within(back, loops[-1]) and code.tree.enclosing_function(back) is home:
            yield call, back
            return
